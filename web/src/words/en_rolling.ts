// What dice on a card say, and what was asked for, in English.
export const en_rolling = {
  "dice.list": { one: "{n} die", other: "{n} dice" },
  "dice.heap": { one: "{n} time: {die}", other: "{n} times: {die}" },
  "dice.shows": "{die} shows {face}",
  "dice.thrown": "{die} is rolling",
  "dice.locked": "stays",
  "dice.dropped": "does not count",
  "dice.coin": "coin",
  "dice.sides": "d{sides}",
  "dice.fate": "fate",
  "dice.won": "won",
  "dice.lost": "lost",
  "dice.blank": "blank",
  "roll.as": "Rolling as",
  "roll.as_self": "{name}, without a sheet",
  "roll.as_npcs": "Non-player characters",
  "roll.as_players": "Characters of the players",
} as const;
