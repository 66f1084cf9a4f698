// The next step of somebody who has sat down: be somebody, then roll.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { startersOf } from "../sheets/starters";
import { Starters, createSheet } from "../sheets/NewSheet";
import { showSheet } from "../sheets/open_sheet";
import "../i18n/coming";

const EXAMPLE = "4d6kh3";

export function NextStep({ table }: { table: Table }): JSX.Element | null {
  const me = table.me.value!.seat;
  const rolled = table.items.value.some((item) => "roll" in item && item.roll.by === me);
  if (rolled) return null;
  if (!table.world.value.table.game)
    return (
      <section class="card next-step">
        <p>
          <Icon name="die" />
          {t("next.free", { dice: EXAMPLE })}
        </p>
      </section>
    );
  if (!table.game.value?.sheet) return null;
  if (!table.mySheet.value) return <Who table={table} />;
  return isUnderWay(table, me) ? null : <FirstRoll table={table} />;
}

/** Whether anybody has rolled since our sheet was made: then everybody knows what is done here. */
function isUnderWay(table: Table, me: string): boolean {
  const items = table.items.value;
  const made = items.findLast(
    (item) => "event" in item && item.event.kind === "sheet.created" && item.event.body?.sheet === me,
  );
  return items.some((item) => "roll" in item && item.roll.first > (made?.place ?? 0));
}

function Who({ table }: { table: Table }): JSX.Element {
  const starters = startersOf(table);
  return (
    <section class="card next-step" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.title")}</h2>
      {starters.length > 0 && <p class="soft">{t("next.about")}</p>}
      <Starters all={starters} onTake={(values) => createSheet(table, values)} />
      <button class="button quiet" onClick={() => showSheet(table.me.value!.seat)}>
        <Icon name="plus" size={18} />
        {t("next.own")}
      </button>
    </section>
  );
}

function FirstRoll({ table }: { table: Table }): JSX.Element {
  const sheet = table.mySheet.value!;
  return (
    <section class="card next-step" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.roll", { name: String(sheet.values.name || table.nameOf(sheet.id)) })}</h2>
      <p class="soft">{t("next.roll.about")}</p>
      <button class="button main to-sheet" onClick={() => showSheet(sheet.id)}>
        <Icon name="sheet" size={18} />
        {t("next.sheet")}
      </button>
    </section>
  );
}
