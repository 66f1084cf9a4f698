// The English words of choices come with them.
import { en_choosing } from "./en_choosing";
import { bring } from "./index";

bring(en_choosing);
