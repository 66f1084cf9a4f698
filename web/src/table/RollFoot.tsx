// The foot of a roll: its seal, the odds it had, and what else can be done with it.
import type { JSX } from "preact";
import { canReopen } from "../state/policies";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { goOn } from "./roll_commands";
import { RollMenu } from "./RollMenu";
import { RollOdds } from "./RollOdds";
import { ThrowSeal } from "./ThrowSeal";

export function RollFoot({ roll, table, may }: { roll: Roll; table: Table; may: boolean }): JSX.Element {
  return (
    <footer class="roll-foot">
      <ThrowSeal roll={roll} table={table} />
      {roll.status !== "open" && <RollOdds roll={roll} table={table} />}
      <span class="grow" />
      {may && (roll.status === "open" || canReopen(roll, table)) && <TakeBack roll={roll} table={table} />}
      <RollMenu roll={roll} table={table} />
    </footer>
  );
}

/** Only the last entry, only typed faces or a choice with nothing thrown after it. */
function TakeBack({ roll, table }: { roll: Roll; table: Table }): JSX.Element | null {
  const last = roll.entries.findLast((entry) => !entry.taken);
  if (!last || last.kind === "veiled" || (last.kind === "thrown" && last.how !== "typed")) return null;
  return (
    <button class="button quiet" onClick={() => void goOn(table, roll, "roll.take_back", {})}>
      <Icon name="undo" size={18} />
      {t("roll.take_back")}
    </button>
  );
}
