// What of a roll waits for whoever sits here, and how that is said.
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { t } from "../words";
import { sheetName, whoRolls } from "./who";

export const waitsForMe = (roll: Roll, table: Table): boolean =>
  roll.after?.step === "choice" ? table.isFor(roll.after.by) : roll.after?.step === "throw" ? (throwsNow(roll, roll.after.by, table) ?? roll.by === table.me.value?.seat) : table.letRolls.value.includes(roll);

/** Whether dice that somebody else than the roller throws are ours; nothing where they are the roller's. */
export const throwsNow = (roll: Roll, by: string, table: Table): boolean | undefined => (by === roll.by || roll.visibility === "blind" ? undefined : table.isFor([by]));

/** What a roll would do to a sheet, where that waits. */
export function wouldDo(roll: Roll, sheet: string, table: Table): string {
  const effects = roll.after?.step === "done" ? roll.after.effects.filter((one) => one.waits && one.sheet === sheet && !one.quiet) : [];
  const what = effects.map((one) => table.said(one.said).replaceAll("_", " ")).join(", ");
  return t("let.ask", { who: whoRolls(roll, table), title: table.said(roll.title), other: sheetName(table, sheet), what });
}

/** The same of all sheets that wait for our word. */
export const asksMe = (roll: Roll, table: Table): string =>
  roll.waits.filter((sheet) => table.isForeign(roll, sheet) && table.mayLet(roll, sheet)).map((sheet) => wouldDo(roll, sheet, table)).join(" ");
