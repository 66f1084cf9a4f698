// The table's name and house rules.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { dialectTitle, DIALECTS, OURS } from "../form/dialects";
import type { Table } from "../state/table";
import { Dialog } from "../ui/Dialog";
import { Field, Switch } from "../ui/fields";
import { HouseRules } from "../ui/HouseRules";
import { showToast, showError } from "../ui/announcer";
import { t } from "../i18n";

export function TableSettings({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const facts = table.world.value.table;
  const [title, setTitle] = useState(facts.title);
  const [house, setHouse] = useState(facts.house);
  const [dialect, setDialect] = useState(facts.dialect || OURS);
  const { witnesses } = table.world.value.fair;
  const [asks, setAsks] = useState(witnesses);
  const game = table.game.value;
  const mayChange = table.isReferee.value;
  const store = (event: Event): void => {
    event.preventDefault();
    const change = {
      ...(title.trim() !== facts.title ? { title: title.trim() } : {}),
      ...(JSON.stringify(house) !== JSON.stringify(facts.house) ? { house } : {}),
      ...(dialect !== (facts.dialect || OURS) ? { dialect } : {}),
      ...(asks !== witnesses ? { witnesses: asks } : {}),
    };
    if (!Object.keys(change).length) return onClose();
    table.send({ do: "table.change", ...change }).then(() => (showToast(t("house.saved")), onClose()), showError);
  };
  return (
    <Dialog title={t("house.title")} onClose={onClose}>
      <form class="stack" onSubmit={store}>
        <fieldset class="stack" disabled={!mayChange}>
          <Field label={t("start.table.title")}>
            {(about) => (
              <input
                {...about}
                class="input"
                maxLength={80}
                value={title}
                onInput={(event) => setTitle(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={t("house.dialect")} help={t("house.dialect.help")}>
            {(about) => (
              <select
                {...about}
                class="input"
                value={dialect}
                onChange={(event) => setDialect(event.currentTarget.value)}
              >
                {DIALECTS.map((name) => (
                  <option key={name} value={name} selected={name === dialect}>
                    {dialectTitle(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Switch label={t("house.witnesses")} help={t("house.witnesses.help")} on={asks} onChange={setAsks} />
          {game ? (
            <HouseRules fields={game.house.fields} values={house} onChange={setHouse} />
          ) : (
            <p class="soft">{t("house.none")}</p>
          )}
        </fieldset>
        {mayChange ? (
          <div class="dialog-do">
            <button class="button main big">{t("do.save")}</button>
          </div>
        ) : (
          <p class="small soft">{t("house.referee")}</p>
        )}
      </form>
    </Dialog>
  );
}
