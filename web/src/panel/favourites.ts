/** Rolls worth keeping: favourites, and those made last, remembered for each table. */

import { signal, type Signal } from "@preact/signals";
import { keep, kept } from "../app/kept";
import type { Saved } from "../form/draft";

export interface Named extends Saved {
  readonly name: string;
}

const MOST_RECENT = 6;
const MOST_FAVOURITES = 24;
const same = (one: Saved, other: Saved): boolean =>
  one.roll === other.roll &&
  one.expression === other.expression &&
  (one.dialect ?? "") === (other.dialect ?? "") &&
  JSON.stringify(one.fields) === JSON.stringify(other.fields);

const known = new Map<string, Favourites>();

/** Those of a table: the same for every part of the page. */
export function favouritesOf(place: string): Favourites {
  if (!known.has(place)) known.set(place, new Favourites(place));
  return known.get(place)!;
}

/** Rolls that this browser keeps for one table. */
export class Favourites {
  readonly starred: Signal<Named[]>;
  readonly recent: Signal<Named[]>;

  constructor(private readonly place: string) {
    this.starred = signal(kept<Named[]>(`favourites.${place}`, []));
    this.recent = signal(kept<Named[]>(`recent.${place}`, []));
  }

  has(roll: Saved): boolean {
    return this.starred.value.some((one) => same(one, roll));
  }

  toggle(roll: Named): void {
    const without = this.starred.value.filter((one) => !same(one, roll));
    this.starred.value =
      without.length < this.starred.value.length ? without : [...without, roll].slice(-MOST_FAVOURITES);
    keep(`favourites.${this.place}`, this.starred.value);
  }

  rolled(roll: Named): void {
    this.recent.value = [roll, ...this.recent.value.filter((one) => !same(one, roll))].slice(0, MOST_RECENT);
    keep(`recent.${this.place}`, this.recent.value);
  }
}
