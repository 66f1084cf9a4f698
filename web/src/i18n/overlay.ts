// The English words of the overlay come with it.
import { bring } from "./index";
import { en_overlay } from "./en_overlay";

bring(en_overlay);
