/** The English words of the panel come with it. */

import { bring } from "../i18n";
import { en_panel } from "../i18n/en_panel";

bring(en_panel);
