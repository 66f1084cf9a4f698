// Which roll lies over the stream, and for how long.
import type { Roll } from "../state/types";
import { rollsIn, type Table } from "../state/table";

/** Seconds that a roll stays after its end, where the address does not say otherwise: `/overlay?stay=60#…`. */
const STAY = 20;
const MOST = 86_400;

function seconds(): number {
  const said = Number(new URLSearchParams(location.search).get("stay") ?? NaN);
  return said >= 1 ? Math.min(said, MOST) : STAY;
}

/** When a roll goes: never while it is open, or its dice are in the air. */
export function stays(roll: Roll, table: Table): number {
  if (roll.status === "open" || table.air.value?.roll === roll.id) return Infinity;
  return (table.arrived.get(roll.last) ?? -Infinity) + seconds() * 1000;
}

/** The last open roll, as long as it is shown; nothing that happened before the overlay was there. */
export function overlayRoll(table: Table, now: number): Roll | undefined {
  const seen = doneLast(table).find((roll) => stays(roll, table) > Math.max(now, performance.now()));
  return seen && table.roll(seen.id);
}

/** All rolls in the open, as they are, the one first in which something was done last. */
export const doneLast = (table: Table): Roll[] =>
  rollsIn(table.happened.value)
    .filter((roll) => !roll.veiled)
    .sort((a, b) => b.last - a.last);
