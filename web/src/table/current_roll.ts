// The roll that the stage shows: what waits, or else what happened last.
import { signal } from "@preact/signals";
import type { Roll } from "../state/types";
import { rollsIn, type Table } from "../state/table";
import { waitsForMe } from "./waits";

/** A roll that somebody brought onto the stage, and how long the log was then. */
const picked = signal<{ roll: string; head: number } | null>(null);

export function showRoll(roll: Roll, table: Table): void {
  picked.value = { roll: roll.id, head: table.head.value };
}

const newest = (rolls: readonly Roll[]): Roll | undefined =>
  rolls.reduce<Roll | undefined>((best, one) => (!best || one.last > best.last ? one : best), undefined);

/** The roll on the stage, as far as its dice have landed. */
export function currentRoll(table: Table): Roll | undefined {
  const found = current(table);
  return found && table.roll(found.id);
}

/**
 * The current roll: the one picked until something new is rolled; one's own new roll; the one that waits for us; one
 * that waits; the last.
 */
function current(table: Table): Roll | undefined {
  const rolls = rollsIn(table.happened.value);
  const last = rolls.reduce<Roll | undefined>((best, one) => (!best || one.first > best.first ? one : best), undefined);
  const chosen = picked.value && rolls.find((one) => one.id === picked.value!.roll);
  if (chosen && !(last && last.first > picked.value!.head)) return chosen;
  if (last && last.by === table.me.value?.seat) return last;
  const open = rolls.filter((one) => table.isGoing(one));
  const waits = [...open, ...rolls.filter((one) => table.waitsForWord(one))];
  return newest(waits.filter((one) => waitsForMe(one, table))) ?? newest(open) ?? newest(rolls);
}

/** The session that ended last, as long as nothing was rolled since; 0 for none. */
export function lastEnding(table: Table): number {
  const items = table.items.value;
  const last = items.findLast((item) => "event" in item && item.event.kind === "session.ended");
  if (!last || !("event" in last)) return 0;
  // What was open is given up behind it.
  return rollsIn(items).some(({ first }) => first > last.event.seq) ? 0 : Number(last.event.body!.number);
}
