// The sheet of somebody who is no longer at the table: handed over, kept by the referee, or put away.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Sheet } from "../state/types";
import type { Table } from "../state/table";
import { ConfirmButton } from "../ui/fields";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { openSheet } from "./open_sheet";

export const isOrphan = (sheet: Sheet, table: Table): boolean => table.seat(sheet.id)?.status === "removed";

const NPC = "npc";

export function Orphan({ sheet, table }: { sheet: Sheet; table: Table }): JSX.Element {
  const heirs = table.here.value.filter((seat) => seat.role === "player" && !table.sheet(seat.id));
  const [heir, setHeir] = useState(heirs[0]?.id ?? NPC);
  const remove = (): Promise<unknown> =>
    table.send({ do: "sheet.remove", sheet: sheet.id }).then(() => (openSheet.value = ""));
  // The new sheet is made first: should anything go wrong between, there are two rather than none.
  const hand = (): void =>
    void table
      .send({ do: "sheet.create", sheet: heir, values: sheet.values, shown: true })
      .then(remove)
      .catch(showError);
  return (
    <div class="notice orphan">
      <Icon name="person" />
      <div class="stack close grow">
        <p>{t("orphan.about", { name: table.nameOf(sheet.id) })}</p>
        <div class="row">
          <select
            class="input grow"
            aria-label={t("orphan.heir")}
            value={heir}
            onChange={(event) => setHeir(event.currentTarget.value)}
          >
            {heirs.map((seat) => (
              <option key={seat.id} value={seat.id}>
                {table.nameOf(seat.id)}
              </option>
            ))}
            <option value={NPC}>{t("orphan.npc")}</option>
          </select>
          <button class="button" onClick={hand}>
            {t("orphan.hand")}
          </button>
        </div>
        <div>
          <ConfirmButton
            label={t("orphan.remove")}
            sure={t("npc.remove.sure")}
            onSure={() => void remove().catch(showError)}
            className="button quiet"
            icon={<Icon name="bin" size={18} />}
          />
        </div>
      </div>
    </div>
  );
}
