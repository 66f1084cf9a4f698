// Making a character in one sitting: take one that is ready, copy one, or begin with a name.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Table } from "../state/table";
import type { Body } from "../state/types";
import { Field } from "../ui/fields";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { copiesOf, startersOf, type SheetStarter } from "./starters";
import { left, side, view } from "../screens/views";
import { setChanging, showSheet } from "./open_sheet";
import "../i18n/coming";

/** Makes a sheet of one's own, and shows it, unless somebody has gone elsewhere until it is there. */
export function createSheet(table: Table, values: Body): void {
  const before = inFront();
  table
    .send({ do: "sheet.create", values })
    .then(() => inFront() === before && showSheet(table.me.value!.seat), showError);
}

/** The current view. */
const inFront = (): string => `${view.value} ${left.value} ${side.value}`;

/** Characters to begin with, a tap each. */
export function Starters({ all, onTake }: { all: SheetStarter[]; onTake: (values: Body) => void }): JSX.Element {
  return (
    <div class="starters">
      {all.map((one) => (
        <button key={one.key} type="button" class="button starter" onClick={() => onTake(one.values)}>
          <Icon name="person" />
          <span>
            <strong>{one.name || one.about}</strong>
            {one.name && one.about && <span class="small soft">{one.about}</span>}
          </span>
        </button>
      ))}
    </div>
  );
}

export function NewSheet({ table }: { table: Table }): JSX.Element {
  const [name, setName] = useState("");
  const starters = startersOf(table);
  const copies = copiesOf(table);
  const take = (values: Body): void => createSheet(table, { ...values, ...(name.trim() ? { name: name.trim() } : {}) });
  const make = (event: Event): void => {
    event.preventDefault();
    setChanging(table.me.value!.seat, true); // there is nothing on it yet
    createSheet(table, { name: name.trim() });
  };
  return (
    <form class="panel stack make-sheet" onSubmit={make}>
      <h2>{t("sheet.create.title")}</h2>
      <p class="soft">{t("sheet.create.about")}</p>
      <Field label={t("sheet.name")}>
        {(about) => (
          <input
            {...about}
            class="input"
            maxLength={40}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      {starters.length > 0 && (
        <fieldset class="field">
          <legend class="label">{t("sheet.starters")}</legend>
          <Starters all={starters} onTake={take} />
        </fieldset>
      )}
      {copies.length > 0 && (
        <details class="tucked">
          <summary>
            <Icon name="right" size={18} />
            {t("sheet.copy")}
          </summary>
          <Starters all={copies} onTake={take} />
        </details>
      )}
      <button class="button">
        <Icon name="plus" size={18} />
        {t("sheet.create")}
      </button>
    </form>
  );
}
