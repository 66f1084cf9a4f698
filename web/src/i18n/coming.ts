// The English words of coming and going come with the parts that say them.
import { bring } from "./index";
import { en_coming } from "./en_coming";

bring(en_coming);
