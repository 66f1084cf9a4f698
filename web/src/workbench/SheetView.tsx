/** The sheet of a game as its card makes it: played with, or changed field by field. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { startersOf } from "../sheets/starters";
import { Starters } from "../sheets/NewSheet";
import { change, type SheetModel } from "../sheets/sheet_model";
import { CardSheet } from "../sheets/CardSheet";
import type { FieldDescription } from "../state/types";
import { InPlace } from "../ui/fields";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import type { OwnSheet } from "./sheet";
import "../sheets/words";

export function SheetView({ sheet: own, fields }: { sheet: OwnSheet; fields: FieldDescription[] }): JSX.Element {
  const edits = useSignal(false);
  const sheet = own.sheet.value;
  if (!sheet) return <div class="skeleton" style={{ height: "8rem" }} aria-busy="true" />;
  const paper: SheetModel = { table: own, sheet, fields, mayChange: true, played: !edits.value };
  const isNamed = fields.some(({ name }) => name === "name");
  const starters = startersOf(own);
  return (
    <article class="paper" data-played={!edits.value || undefined} aria-label={t("bench.sheet")}>
      <header class="paper-head">
        <div class="grow">
          {edits.value && isNamed ? (
            <InPlace
              label={t("sheet.name")}
              value={String(sheet.values.name ?? "")}
              placeholder={t("sheet.name")}
              most={40}
              onSave={(name) => change(paper, { name })}
            />
          ) : (
            <h3>{String(sheet.values.name || t("bench.sheet"))}</h3>
          )}
        </div>
        <button
          type="button"
          class="button small-button"
          aria-pressed={edits.value}
          onClick={() => (edits.value = !edits.value)}
        >
          <Icon name={edits.value ? "check" : "pen"} size={18} />
          {t(edits.value ? "sheet.done" : "sheet.change")}
        </button>
      </header>
      {edits.value && starters.length > 0 && (
        <Starters all={starters} onTake={(values) => void own.begin(values).catch(showError)} />
      )}
      <CardSheet paper={paper} />
    </article>
  );
}
