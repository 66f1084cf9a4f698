/** Which dice of a throw stay on the table, which do not count, and which were taken up and thrown again. */

import type { Lies } from "../state/card";

export interface EntryDice {
  readonly kind: string;
  readonly index?: number;
  readonly taken?: boolean;
  readonly faces?: readonly unknown[];
  readonly option?: unknown;
  /** How all dice so far lie, by entry and place, where the game says it. */
  readonly lies?: Lies | null;
}

export interface DiceFates {
  readonly locked: readonly number[];
  readonly dropped: readonly number[];
}

const NOTHING: DiceFates = { locked: [], dropped: [] };

/** The state of the dice of one throw after everything that came later. */
export function fatesAfter(entries: readonly EntryDice[], throwIndex: number): DiceFates {
  const lies = entries.filter((entry) => !entry.taken).findLast((entry) => entry.lies)?.lies;
  return lies ? fatesOf(lies, throwIndex) : NOTHING;
}

/**
 * The part of the dice's final state that is known before some of them have landed: which of the others stay, and which
 * are thrown again.
 */
export const onlyShown = (lies: Lies, thrown: ReadonlySet<string>): Lies =>
  Object.fromEntries(
    Object.entries(lies).filter(([at, how]) => (how === "kept" || how === "again") && !thrown.has(at.split(".")[0]!)),
  );

/** A roll as it is seen while some of its dice are in the air. */
export function beforeLanding<R extends { entries: E[]; after: unknown }, E extends EntryDice & { seq: number }>(
  roll: R,
  inAir: (seq: number) => boolean,
): R {
  const up = roll.entries.filter((entry) => inAir(entry.seq));
  const thrown = new Set(up.map((entry) => String(entry.index)));
  const before = roll.entries.findLast((entry) => entry.lies && !entry.taken && !inAir(entry.seq))?.lies ?? {};
  const entries = roll.entries.map((entry) =>
    inAir(entry.seq) && entry.lies ? { ...entry, lies: { ...before, ...onlyShown(entry.lies, thrown) } } : entry,
  );
  return { ...roll, entries, after: null };
}

/** How the dice of one throw lie, as the game says it. */
export function fatesOf(lies: Lies, throwIndex: number): DiceFates {
  const places = (...how: string[]): number[] =>
    Object.entries(lies).flatMap(([place, lie]) =>
      place.startsWith(`${throwIndex}.`) && how.includes(lie) ? [Number(place.split(".")[1])] : [],
    );
  return { locked: places("kept"), dropped: places("dropped", "again") };
}
