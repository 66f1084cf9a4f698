// Policies decided before a roll: whether the choice by which it ended can still be taken back.
import type { Roll } from "./types";
import type { Table } from "./table";

const place = (roll: Roll): string => roll.sheet || `-${roll.by}`;

/** Whether a roll that ended by what was agreed can be gone on with: no roll of that sheet came since. */
export function canReopen(roll: Roll, table: Table): boolean {
  const last = roll.entries.findLast((entry) => !entry.taken);
  if (roll.status !== "done" || last?.kind !== "chosen" || !last.agreed || (roll.bound && !table.isReferee.value))
    return false;
  return !table.items.value.some(
    (item) => "roll" in item && item.roll.first > roll.first && place(item.roll) === place(roll),
  );
}
