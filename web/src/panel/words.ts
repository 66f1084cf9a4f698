/** The English words of the panel come with it. */

import { bring } from "../words";
import { en_panel } from "../words/en_panel";

bring(en_panel);
