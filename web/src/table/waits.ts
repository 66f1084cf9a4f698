// The parts of a roll that wait for somebody here, and their words.
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { t } from "../i18n";
import { sheetName, whoRolls } from "./roll_owners";

export const waitsForMe = (roll: Roll, table: Table): boolean =>
  roll.after?.step === "choice"
    ? table.isFor(roll.after.by)
    : roll.after?.step === "throw"
      ? (throwsNow(roll, roll.after.by, table) ?? roll.by === table.me.value?.seat)
      : table.waitsForWord(roll);

/** Whether dice that somebody else than the roller throws are ours; nothing where they are the roller's. */
export const throwsNow = (roll: Roll, by: string, table: Table): boolean | undefined =>
  by === roll.by || roll.visibility === "blind" ? undefined : table.isFor([by]);

/** The person whose sheet a waiting roll would change, and the change. */
export function changesOf(roll: Roll, sheet: string, table: Table): { other: string; what: string } {
  const effects =
    roll.after?.step === "done"
      ? roll.after.effects.filter((one) => one.waits && one.sheet === sheet && !one.quiet)
      : [];
  const other = sheetName(table, sheet);
  // A game may name whom each of them strikes; once is enough.
  return {
    other,
    what: effects.map((one) => table.said(one.said).replaceAll("_", " ").replace(` (${other})`, "")).join(", "),
  };
}

/** The same where the roll is out of sight, so that it is named too. */
const wouldDo = (roll: Roll, sheet: string, table: Table): string =>
  t("let.ask", { who: whoRolls(roll, table), title: table.said(roll.title), ...changesOf(roll, sheet, table) });

/** The same of all sheets that wait for our word. */
export const asksMe = (roll: Roll, table: Table): string =>
  roll.waits
    .filter((sheet) => table.isForeign(roll, sheet) && table.mayLet(roll, sheet))
    .map((sheet) => wouldDo(roll, sheet, table))
    .join(" ");
