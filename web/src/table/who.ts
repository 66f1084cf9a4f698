// Who rolls, and for whom.
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { t } from "../words";

export const sheetName = (table: Table, id: string): string => String(table.sheet(id)?.values.name || table.nameOf(id));

/** A character of the referee's by its own name; whoever rolls with somebody else's sheet says so. */
export function whoRolls(roll: Roll, table: Table): string {
  const name = table.nameOf(roll.by);
  if (/^n\d/.test(roll.sheet)) return sheetName(table, roll.sheet);
  return roll.sheet && roll.sheet !== roll.by ? t("roll.for", { name, other: sheetName(table, roll.sheet) }) : name;
}
