// The referee's non-player characters.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Table } from "../state/table";
import { Dialog } from "../ui/Dialog";
import { Field, ConfirmButton, Switch } from "../ui/fields";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { setChanging, showSheet } from "../sheets/open_sheet";
import { Avatar } from "./Avatar";
import { sheetName } from "./roll_owners";

export function CharactersDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const [name, setName] = useState("");
  const [shown, setShown] = useState(false);
  const npcs = table.sheets.value.filter((sheet) => sheet.id.startsWith("n"));
  const make = (event: Event): void => {
    event.preventDefault();
    if (!name.trim()) return;
    table
      .send({ do: "sheet.create", sheet: "npc", values: { name: name.trim() }, shown })
      .then(() => setName(""), showError);
  };
  return (
    <Dialog title={t("npc.title")} onClose={onClose}>
      <p class="soft">{t("npc.about")}</p>
      <ul class="people">
        {npcs.map((sheet) => (
          <li class="row" key={sheet.id}>
            <Avatar table={table} id={sheet.id} />
            <span class="grow">
              <strong>{sheetName(table, sheet.id)}</strong>
              <br />
              <span class="small soft">{sheet.shown ? t("npc.shown") : t("npc.hidden")}</span>
            </span>
            <button class="button" onClick={() => (setChanging(sheet.id, true), showSheet(sheet.id), onClose())}>
              <Icon name="sheet" size={18} />
              {t("tab.sheet")}
            </button>
            <ConfirmButton
              label={t("npc.remove")}
              sure={t("npc.remove.sure")}
              onSure={() => void table.send({ do: "sheet.remove", sheet: sheet.id }).catch(showError)}
              className="button quiet"
              icon={<Icon name="bin" size={18} />}
            />
          </li>
        ))}
      </ul>
      <form class="stack close" onSubmit={make}>
        <Field label={t("npc.name")}>
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
        <Switch label={t("npc.show")} on={shown} onChange={setShown} />
        <button class="button main" disabled={!name.trim()}>
          <Icon name="plus" size={18} />
          {t("npc.add")}
        </button>
      </form>
    </Dialog>
  );
}
