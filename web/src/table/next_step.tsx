// The next step of somebody who has sat down: be somebody, then roll.
import type { JSX } from "preact";
import { show } from "../screens/views";
import type { Table } from "../state/table";
import type { Body } from "../state/types";
import { Icon } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";
import { showSheet } from "../sheets/shown";
import "../words/coming";

const EXAMPLE = "4d6kh3";

export function NextStep({ table }: { table: Table }): JSX.Element | null {
  const me = table.me.value!.seat;
  const rolled = table.items.value.some((item) => "roll" in item && item.roll.by === me);
  if (rolled) return null;
  if (!table.world.value.table.game) return <section class="card next-step"><p><Icon name="die" />{t("next.free", { dice: EXAMPLE })}</p></section>;
  if (!table.game.value?.sheet) return null;
  return table.mySheet.value ? <FirstRoll table={table} /> : <Who table={table} />;
}

function Who({ table }: { table: Table }): JSX.Element {
  const starters = table.game.value?.card?.starters ?? [];
  const toSheet = (): void => (showSheet(table.me.value!.seat), show("sheet"));
  const be = (values: Body): void => void table.send({ do: "sheet.make", values }).then(toSheet, tellProblem);
  return (
    <section class="card next-step" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.title")}</h2>
      {starters.length > 0 && <p class="soft">{t("next.about")}</p>}
      <div class="starters">
        {starters.map((one, n) => <button key={n} class="button starter" onClick={() => be(one.values)}><Icon name="person" />{table.said(one.name)}</button>)}
        <button class="button quiet" onClick={toSheet}><Icon name="plus" size={18} />{t("next.own")}</button>
      </div>
    </section>
  );
}

function FirstRoll({ table }: { table: Table }): JSX.Element {
  const sheet = table.mySheet.value!;
  return (
    <section class="card next-step" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.roll", { name: String(sheet.values.name || table.nameOf(sheet.id)) })}</h2>
      <p class="soft">{t("next.roll.about")}</p>
      <button class="button main to-sheet" onClick={() => (showSheet(sheet.id), show("sheet"))}><Icon name="sheet" size={18} />{t("next.sheet")}</button>
    </section>
  );
}
