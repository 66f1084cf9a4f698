/** Rolls worth keeping: favourites, and those made last, remembered for each table. */

import { signal, type Signal } from "@preact/signals";
import { writeStored, readStored } from "../app/storage";
import type { SavedRoll } from "../form/draft";

export interface NamedRoll extends SavedRoll {
  readonly name: string;
}

const MOST_RECENT = 6;
const MOST_FAVOURITES = 24;
const same = (one: SavedRoll, other: SavedRoll): boolean =>
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
  readonly starred: Signal<NamedRoll[]>;
  readonly recent: Signal<NamedRoll[]>;

  constructor(private readonly place: string) {
    this.starred = signal(readStored<NamedRoll[]>(`favourites.${place}`, []));
    this.recent = signal(readStored<NamedRoll[]>(`recent.${place}`, []));
  }

  has(roll: SavedRoll): boolean {
    return this.starred.value.some((one) => same(one, roll));
  }

  toggle(roll: NamedRoll): void {
    const without = this.starred.value.filter((one) => !same(one, roll));
    this.starred.value =
      without.length < this.starred.value.length ? without : [...without, roll].slice(-MOST_FAVOURITES);
    writeStored(`favourites.${this.place}`, this.starred.value);
  }

  rolled(roll: NamedRoll): void {
    this.recent.value = [roll, ...this.recent.value.filter((one) => !same(one, roll))].slice(0, MOST_RECENT);
    writeStored(`recent.${this.place}`, this.recent.value);
  }
}
