// The sheets: one's own in front, the others a tap away.
import type { JSX } from "preact";
import type { Sheet } from "../state/types";
import type { Table } from "../state/table";
import { InPlace } from "../ui/fields";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { rove } from "../ui/roving";
import { t } from "../i18n";
import { Avatar } from "../table/Avatar";
import { NewSheet } from "./NewSheet";
import { isOrphan, Orphan } from "./Orphan";
import { changing, setChanging, openSheet } from "./open_sheet";
import { change, ChangeMark, type SheetModel } from "./sheet_model";
import "./words";

const CardSheet = lazy(
  async () => (await import("./CardSheet")).CardSheet,
  () => <div class="skeleton" style={{ height: "12rem" }} />,
);

export function SheetPane({ table }: { table: Table }): JSX.Element {
  const mine = table.me.value?.seat ?? "";
  const sheets = table.sheets.value;
  const wanted = openSheet.value || mine;
  // People without their own character to make or to play see the first of the others.
  const others = table.isReferee.value || !table.isPlaying.value;
  const sheet = sheets.find((one) => one.id === wanted) ?? (openSheet.value || !others ? undefined : sheets[0]);
  const canMake = table.isPlaying.value && !sheets.some((one) => one.id === mine);
  if (!table.world.value.table.game)
    return (
      <p class="empty">
        <Icon name="sheet" size={40} />
        {t("sheet.free")}
      </p>
    );
  return (
    <div class="stack">
      {(sheets.length > 1 || (sheets.length === 1 && canMake)) && (
        <div
          class="sheet-tabs"
          role="tablist"
          aria-label={t("sheet.which")}
          onKeyDown={(event) => rove(event, "[role=tab]")}
        >
          {canMake && <Tab table={table} id={mine} on={!sheet} name={t("sheet.mine")} />}
          {sheets.map((one) => (
            <Tab
              key={one.id}
              table={table}
              id={one.id}
              on={one.id === sheet?.id}
              name={String(one.values.name || table.nameOf(one.id))}
            />
          ))}
        </div>
      )}
      {sheet ? (
        <Paperwork key={sheet.id} sheet={sheet} table={table} />
      ) : canMake ? (
        <NewSheet table={table} />
      ) : (
        <p class="empty">
          <Icon name="sheet" size={40} />
          {t("sheet.none")}
        </p>
      )}
    </div>
  );
}

function Tab({ table, id, on, name }: { table: Table; id: string; on: boolean; name: string }): JSX.Element {
  return (
    <button
      role="tab"
      class="sheet-tab"
      aria-selected={on}
      tabIndex={on ? 0 : -1}
      onClick={() => (openSheet.value = id)}
    >
      <Avatar table={table} id={id} size={24} />
      <span>{name}</span>
    </button>
  );
}

function Paperwork({ sheet, table }: { sheet: Sheet; table: Table }): JSX.Element {
  const game = table.game.value;
  if (!game?.sheet) return <div class="panel skeleton" style={{ height: "12rem" }} />;
  const mayChange = sheet.id === table.me.value?.seat || table.isReferee.value;
  const edits = mayChange && changing.value.has(sheet.id);
  const paper: SheetModel = { table, sheet, fields: game.sheet.fields, mayChange, played: !edits };
  return (
    <article class="paper" data-played={!edits || undefined}>
      {edits && <h2 class="unseen">{String(sheet.values.name || table.nameOf(sheet.id))}</h2>}
      <header class="paper-head">
        <Avatar table={table} id={sheet.id} size={44} />
        <div class="grow">
          {edits ? (
            <InPlace
              label={t("sheet.name")}
              value={String(sheet.values.name ?? "")}
              placeholder={t("sheet.name")}
              most={40}
              onSave={(name) => change(paper, { name })}
            />
          ) : (
            <h2>{String(sheet.values.name || table.nameOf(sheet.id))}</h2>
          )}
          <p class="small soft">
            {sheet.id.startsWith("n")
              ? sheet.shown
                ? t("npc.shown")
                : t("npc.hidden")
              : t(isOrphan(sheet, table) ? "sheet.was_of" : "sheet.of", { name: table.nameOf(sheet.id) })}
            <ChangeMark paper={paper} name="name" />
          </p>
        </div>
        {mayChange && (
          <button type="button" class="button small-button" onClick={() => setChanging(sheet.id, !edits)}>
            <Icon name={edits ? "check" : "pen"} size={18} />
            {t(edits ? "sheet.done" : "sheet.change")}
          </button>
        )}
      </header>
      {isOrphan(sheet, table) && table.isReferee.value && <Orphan sheet={sheet} table={table} />}
      <CardSheet paper={paper} />
    </article>
  );
}
