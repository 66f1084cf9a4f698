// Who rolls, and for whom.
import type { Roll } from "../state/types";
import type { Table } from "../state/table";

export const sheetName = (table: Table, id: string): string => table.characterOf(id);

/** The character that rolls, by its own name; whoever has none is meant by theirs. */
export const whoRolls = (roll: Roll, table: Table): string =>
  roll.sheet ? sheetName(table, roll.sheet) : table.nameOf(roll.by);

/** Whoever does something in a roll: the roller as what rolls, others as their characters. */
export const whoActs = (seat: string, roll: Roll, table: Table): string =>
  seat === roll.by ? whoRolls(roll, table) : table.characterOf(seat);

/** Whoever throws for a character that has another name. */
export function playedBy(roll: Roll, table: Table): string {
  const player = table.nameOf(roll.by);
  return player === whoRolls(roll, table) ? "" : player;
}
