// What a roll did to sheets, and what a secret one will do once it may be known.
import type { JSX } from "preact";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";
import { showSheet } from "../sheets/shown";
import { Changes } from "./event_line";
import { sheetName } from "./who";

export function Effects({ roll, table, may }: { roll: Roll; table: Table; may: boolean }): JSX.Element | null {
  const effects = roll.after?.step === "done" ? roll.after.effects.filter((one) => !one.quiet && one.said) : [];
  if (!effects.length && !roll.changes.length) return null;
  const apply = (): void => void table.send({ do: "roll.apply", roll: roll.id }).catch(tellProblem);
  return (
    <div class="effects">
      {effects.length > 0 && <ul class="row tight">{effects.map((one, n) => <li key={n} class={`chip brass ${roll.waits && one.waits ? "pending" : ""}`}>{table.said(one.said).replaceAll("_", " ")}</li>)}</ul>}
      {roll.waits && (
        <div class="row tight pends">
          <p class="small soft grow"><Icon name="hourglass" size={16} />{t("roll.waits")}</p>
          {may && <button class="button small-button" onClick={apply}><Icon name="sheet" size={16} />{t("roll.apply")}</button>}
        </div>
      )}
      {roll.changes.map((change) => (
        <div class="row tight" key={change.seq}>
          <button class="button quiet small-button" onClick={() => showSheet(change.sheet)}><Icon name="sheet" size={16} />{sheetName(table, change.sheet)}</button>
          <Changes changes={change.fields} table={table} />
        </div>
      ))}
    </div>
  );
}
