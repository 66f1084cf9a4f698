// Who rolls, and for whom.
import type { Roll } from "../state/types";
import type { Table } from "../state/table";

export const sheetName = (table: Table, id: string): string => table.characterOf(id);

/** The name of the character that rolls, or its player's if it has none. */
export const whoRolls = (roll: Roll, table: Table): string =>
  roll.sheet ? sheetName(table, roll.sheet) : table.nameOf(roll.by);

/** The name of somebody who acts in a roll: for the roller the character that rolls, for others their characters. */
export const whoActs = (seat: string, roll: Roll, table: Table): string =>
  seat === roll.by ? whoRolls(roll, table) : table.characterOf(seat);

/** The player of a character that has another name. */
export function ownerName(roll: Roll, table: Table): string {
  const player = table.nameOf(roll.by);
  return player === whoRolls(roll, table) ? "" : player;
}
