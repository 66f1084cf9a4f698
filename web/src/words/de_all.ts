// German, loaded when it is wanted.
import { de } from "./de";
import { de_aside } from "./de_aside";
import { de_checking } from "./de_checking";
import { de_choosing } from "./de_choosing";
import { de_panel } from "./de_panel";
import { de_rolling } from "./de_rolling";

export const de_all = { ...de, ...de_rolling, ...de_panel, ...de_checking, ...de_aside, ...de_choosing };
