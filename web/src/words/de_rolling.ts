// What dice on a card say, and what was asked for, in German.
import type { Area } from "./index";
import type { en_rolling } from "./en_rolling";

export const de_rolling: Area<typeof en_rolling> = {
  "dice.list": { one: "{n} Würfel", other: "{n} Würfel" },
  "dice.heap": { one: "{n}-mal: {die}", other: "{n}-mal: {die}" },
  "dice.shows": "{die} zeigt {face}",
  "dice.thrown": "{die} rollt",
  "dice.locked": "bleibt liegen",
  "dice.dropped": "zählt nicht",
  "dice.coin": "Münze",
  "dice.fate": "Fate",
  "dice.won": "gewonnen",
  "dice.lost": "verloren",
  "dice.blank": "leer",
  "roll.as": "Gewürfelt wird für",
  "roll.as_self": "{name}, ohne Bogen",
  "roll.as_npcs": "Nichtspielercharaktere",
  "roll.as_players": "Charaktere der Runde",
};
