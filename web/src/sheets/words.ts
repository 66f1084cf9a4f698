// The English words of sheets and of everything beside rolling come with them.
import { bring } from "../words";
import { en_aside } from "../words/en_aside";

bring(en_aside);
