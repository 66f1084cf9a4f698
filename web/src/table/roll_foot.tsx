// The foot of a roll: its seal, the odds it had, and what else can be done with it.
import type { JSX } from "preact";
import { reopens } from "../state/agreed";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { goOn } from "./moves";
import { RollMenu } from "./roll_menu";
import { RollOdds } from "./roll_odds";
import { Verified } from "./verified";

export function RollFoot({ roll, table, may }: { roll: Roll; table: Table; may: boolean }): JSX.Element {
  return (
    <footer class="roll-foot">
      <Verified roll={roll} table={table} />
      {roll.status !== "open" && <RollOdds roll={roll} table={table} />}
      <span class="grow" />
      {may && (roll.status === "open" || reopens(roll, table)) && <TakeBack roll={roll} table={table} />}
      <RollMenu roll={roll} table={table} />
    </footer>
  );
}

/** Only the last entry, only typed faces or a choice with nothing thrown after it. */
function TakeBack({ roll, table }: { roll: Roll; table: Table }): JSX.Element | null {
  const last = roll.entries.findLast((entry) => !entry.taken);
  if (!last || last.kind === "veiled" || (last.kind === "thrown" && last.how !== "typed")) return null;
  return (
    <button class="button quiet" onClick={() => void goOn(table, roll, "roll.back", {})}>
      <Icon name="undo" size={18} />
      {t("roll.back")}
    </button>
  );
}
