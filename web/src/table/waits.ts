// Whether a roll waits for whoever sits here.
import type { Roll } from "../state/types";
import type { Table } from "../state/table";

export const waitsForMe = (roll: Roll, table: Table): boolean =>
  roll.after?.step === "choice" ? table.isFor(roll.after.by) : roll.after?.step === "throw" && roll.by === table.me.value?.seat;
