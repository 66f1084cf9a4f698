/** Which dice of a throw stay on the table, which do not count, and which were taken up and thrown again. */

import type { Lies } from "../state/card";

export interface Laid {
  readonly kind: string;
  readonly index?: number;
  readonly taken?: boolean;
  readonly faces?: readonly unknown[];
  /** Entry and place of each earlier face that lies on beside this throw. */
  readonly kept?: readonly (readonly number[])[];
  readonly option?: unknown;
  /** How all dice so far lie, by entry and place, where the game says it. */
  readonly lies?: Lies | null;
}

export interface Standing {
  readonly locked: readonly number[];
  readonly dropped: readonly number[];
}

const NOTHING: Standing = { locked: [], dropped: [] };

/** How the dice of one throw stand after everything that came later. */
export function standing(entries: readonly Laid[], throwIndex: number): Standing {
  const laid = entries.filter((entry) => !entry.taken);
  const lies = laid.findLast((entry) => entry.lies)?.lies;
  if (lies) return lying(lies, throwIndex);
  const mine = laid.find((entry) => entry.kind === "thrown" && entry.index === throwIndex);
  const later = laid.filter((entry) => entry.kind === "thrown" && Number(entry.index) > throwIndex && entry.kept?.length);
  const last = later[later.length - 1];
  if (!mine?.faces || !last) return NOTHING;
  const locked = (last.kept ?? []).flatMap(([entry, place]) => (entry === throwIndex ? [place!] : []));
  return { locked, dropped: mine.faces.flatMap((_, place) => (locked.includes(place) ? [] : [place])) };
}

/** How the dice of one throw lie, as the game says it. */
export function lying(lies: Lies, throwIndex: number): Standing {
  const places = (...how: string[]): number[] => Object.entries(lies).flatMap(([place, lie]) => (place.startsWith(`${throwIndex}.`) && how.includes(lie) ? [Number(place.split(".")[1])] : []));
  return { locked: places("kept"), dropped: places("dropped", "again") };
}
