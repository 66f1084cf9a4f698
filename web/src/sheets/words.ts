// The English words of sheets and of everything beside rolling come with them.
import { bring } from "../i18n";
import { en_aside } from "../i18n/en_aside";

bring(en_aside);
