/** How a face is read in a roll: by the marks that came with it, so that it can be drawn and said. */

import type { Mark, Marks } from "../state/card";
import { say } from "../i18n/text";
import type { Face, Kind } from "./kinds";

export interface Reading {
  readonly tone: "great" | "good" | "mixed" | "bad" | "plain";
  /** The page's own marks, icons of the game, or signs as the game writes them; each as often as it counts. */
  readonly symbols: readonly string[];
  /** Whether they replace the number. */
  readonly alone: boolean;
  readonly said: string;
  /** Whether the text is printed below the die too. */
  readonly written?: boolean;
}

export const PLAIN: Reading = { tone: "plain", symbols: [], alone: false, said: "" };

const drawn = (tone: Reading["tone"], symbol: string): Reading => ({ tone, symbols: [symbol], alone: true, said: "" });
const FATE: Record<string, Reading> = {
  "1": drawn("good", "plus"),
  "+": drawn("good", "plus"),
  "-1": drawn("bad", "minus"),
  "-": drawn("bad", "minus"),
};

/**
 * The mark of a face: by the die's name with its sides, its name, how that begins, its shape, or for all dice; then by
 * face or range.
 */
export function markOf(
  marks: Marks,
  { name, role, shape, sides }: Pick<Kind, "name" | "role" | "shape" | "sides">,
  face: Face,
): Mark | undefined {
  for (const die of [name, role, begun(marks, role), sides ? `d${sides}` : shape, "*"]) {
    const found = die && marks[die] ? inRanges(marks[die], face) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The key of names that begin like this one: `Guard *` for `Guard 7`. */
const begun = (marks: Marks, role: string): string | undefined =>
  Object.keys(marks).find((key) => key.endsWith(" *") && role.startsWith(key.slice(0, -1)));

/** The value for a face, or for a range around it: `7..10`, `1..`. */
export function inRanges<T>(said: Readonly<Record<string, T>>, face: Face): T | undefined {
  return said[String(face)] ?? said[Object.keys(said).find((range) => within(range, face)) ?? ""];
}

function within(range: string, face: Face): boolean {
  const ends = /^(-?\d*)\.\.(-?\d*)$/.exec(range);
  return (
    !!ends && typeof face === "number" && (!ends[1] || face >= Number(ends[1])) && (!ends[2] || face <= Number(ends[2]))
  );
}

const TONES = { great: "great", good: "good", mixed: "mixed", bad: "bad", awful: "bad", even: "plain" } as const;

/** The meaning of a face here. */
export function readingOf(marks: Marks | undefined, kind: Kind, face: Face): Reading {
  if (face === null) return PLAIN;
  const mark = marks && markOf(marks, kind, face);
  if (!mark) return kind.shape === "fate" ? (FATE[String(face)] ?? PLAIN) : PLAIN;
  return {
    tone: TONES[mark.tone ?? "even"],
    symbols: mark.symbols ?? [],
    alone: !!mark.alone,
    said: say(mark.said),
    written: !!mark.written,
  };
}
