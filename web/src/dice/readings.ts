/** What a face means in a game, so that it can be drawn and said. */

import type { Face, Kind } from "./kinds";

export type Tone = "good" | "great" | "bad" | "plain";

export interface Reading {
  readonly tone: Tone;
  /** One of the page's own marks, or a sign as a game writes it. */
  readonly icon?: string;
  /** How often the icon is drawn; two successes are two crosshairs. */
  readonly times?: number;
  /** Whether the icon stands in place of the number. */
  readonly alone?: boolean;
  /** The key of the word that says it. */
  readonly said?: ReadingWord;
}

export type ReadingWord =
  | "dice.success"
  | "dice.two_successes"
  | "dice.one_pushed"
  | "dice.ammo_hit"
  | "dice.ammo_one"
  | "dice.cancels"
  | "dice.critical_roll"
  | "dice.coin_won"
  | "dice.coin_lost"
  | "dice.natural_1"
  | "dice.natural_20"
  | "dice.worst"
  | "dice.best";

/** The request behind a throw, as far as faces are read by it. */
export type About = Readonly<Record<string, unknown>> | null | undefined;

const PLAIN: Reading = { tone: "plain" };
const SUCCESS = 6;
const TWO_SUCCESSES = 10;

type Reader = (kind: Kind, face: Face, about: About) => Reading;

function twilight(kind: Kind, face: Face): Reading {
  if (typeof face !== "number") return PLAIN;
  if (kind.role === "ammo") {
    if (face === 6) return { tone: "good", icon: "bullet", alone: true, said: "dice.ammo_hit" };
    if (face === 1) return { tone: "bad", icon: "burst", alone: true, said: "dice.ammo_one" };
    return PLAIN;
  }
  if (kind.role) return PLAIN; // where a wound falls
  if (face >= TWO_SUCCESSES)
    return { tone: "great", icon: "crosshair", times: 2, said: "dice.two_successes" };
  if (face >= SUCCESS) return { tone: "good", icon: "crosshair", said: "dice.success" };
  if (face === 1) return { tone: "bad", icon: "burst", alone: true, said: "dice.one_pushed" };
  return PLAIN;
}

function dust(_kind: Kind, face: Face, about: About): Reading {
  if (typeof face !== "number") return PLAIN;
  const wanted = about?.["kind"] === "damage" ? 6 : Number(about?.["difficulty"] ?? 6);
  if (face === 1) return { tone: "bad", icon: "minus", said: "dice.cancels" };
  return face >= wanted ? { tone: "good", icon: "won", said: "dice.success" } : PLAIN;
}

function kleptonomicon(kind: Kind, face: Face): Reading {
  if (kind.shape === "coin") {
    if (face === "won") return { tone: "great", icon: "won", alone: true, said: "dice.coin_won" };
    if (face === "lost") return { tone: "bad", icon: "lost", alone: true, said: "dice.coin_lost" };
    return PLAIN;
  }
  if (kind.role === "d10ish") {
    if (face === 0) return { tone: "bad", said: "dice.worst" };
    return face === 10 ? { tone: "great", said: "dice.best" } : PLAIN;
  }
  if (kind.role === "again" && typeof face === "number")
    return face % 2
      ? { tone: "bad", icon: "lost", said: "dice.coin_lost" }
      : { tone: "great", icon: "won", said: "dice.coin_won" };
  return face === 10 ? { tone: "great", icon: "crown", said: "dice.critical_roll" } : PLAIN;
}

function edge20(kind: Kind, face: Face): Reading {
  if (kind.shape !== "d20" || kind.role) return PLAIN;
  if (face === 20) return { tone: "great", icon: "crown", said: "dice.natural_20" };
  return face === 1 ? { tone: "bad", icon: "burst", said: "dice.natural_1" } : PLAIN;
}

const READERS: Record<string, Reader> = { twilight2000: twilight, dust, kleptonomicon, edge20 };

const FATE: Record<string, Reading> = {
  "1": { tone: "good", icon: "plus", alone: true },
  "+": { tone: "good", icon: "plus", alone: true },
  "-1": { tone: "bad", icon: "minus", alone: true },
  "-": { tone: "bad", icon: "minus", alone: true },
  "0": PLAIN,
};

/** Icons of faces as a game gives them: by the face, or by what the die is for and the face. */
export type Icons = Readonly<Record<string, string>>;

/** Whether the page knows itself how the faces of a game are read. */
export const isRead = (game: string): boolean => Object.hasOwn(READERS, game);

/** What a face means here; games that the page does not know bring their own icons. */
export function readingOf(game: string, kind: Kind, face: Face, about?: About, icons: Icons = {}): Reading {
  if (face === null) return PLAIN;
  if (kind.shape === "fate") return FATE[String(face)] ?? PLAIN;
  if (isRead(game)) return READERS[game]!(kind, face, about);
  const icon = icons[`${kind.role} ${face}`] ?? icons[String(face)];
  return icon ? { tone: "plain", icon } : PLAIN;
}
