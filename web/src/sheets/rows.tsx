// A sheet that is played with: every row is a button that lays its roll out, with the chance beside it.
import type { ComponentChildren, JSX } from "preact";
import { favouritesOf } from "../panel/favourites";
import { rollName } from "../panel/names";
import { isSideOpen } from "../screens/views";
import type { Start, Text, Widget, WidgetOf } from "../state/card";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { keyOf, type Chances } from "./chances";
import { rollKindsIn, mayRoll, type SheetContext } from "./sheet_context";
import { prepareRoll, preparedRoll } from "./open_sheet";
import "../panel/words";

/** The purpose of a button, for those who hear only its text. */
const Does = (): JSX.Element => <span class="unseen">{t("sheet.row")} </span>;

/** Whether it is this roll that lies on the sheet now. */
const isLaid = (desk: SheetContext, start: Start): boolean =>
  isSideOpen.value &&
  preparedRoll.value?.sheet === desk.paper.sheet.id &&
  !!preparedRoll.value.start &&
  keyOf(preparedRoll.value.start) === keyOf(start);

function begin(desk: SheetContext, start: Start, from: Element): void {
  prepareRoll({ sheet: desk.paper.sheet.id, start });
  // The roll takes room: the tapped row stays in sight above it.
  requestAnimationFrame(() => from.scrollIntoView({ block: "nearest" }));
}

interface RowProps {
  desk: SheetContext;
  start: Start | undefined;
  label: string;
  note?: string;
  children?: ComponentChildren;
}

/** A row; only to be read where nobody may roll with it. */
export function RollRow({ desk, start, label, note, children }: RowProps): JSX.Element {
  const chance = start && desk.chance?.(start);
  const inside = (
    <>
      <span class="roll-row-said">
        <span>
          {label}
          {note && <small> {note}</small>}{" "}
        </span>
        {children}
      </span>{" "}
      <b>{chance}</b>
    </>
  );
  if (!start || !mayRoll(desk)) return <div class="roll-row">{inside}</div>;
  return (
    <button
      type="button"
      class="roll-row"
      data-on={isLaid(desk, start) || undefined}
      onClick={(event) => begin(desk, start, event.currentTarget)}
    >
      <Does />
      {inside}
    </button>
  );
}

type ThingRow = NonNullable<WidgetOf<"things">["rows"]>[number];

/** Whether something is said at a glance, so that it has room on the button itself. */
const isBrief = (widget: Widget): boolean =>
  widget.widget === "note" || (widget.widget === "track" && widget.style === "dots");

/** Leaves out numbers that a track beside them shows as well. */
const untwice = (desk: SheetContext, all: readonly Widget[]): Widget[] => {
  const shown = new Set(all.flatMap((one) => (one.widget === "track" ? [desk.say(one.label)] : [])));
  return all.filter((one) => one.widget !== "number" || !shown.has(desk.say(one.label)));
};

interface ThingProps {
  desk: SheetContext;
  row: ThingRow;
  title: string;
  draw: (show: readonly Widget[]) => JSX.Element;
}

/** Something on the sheet: a row where little is to be said, else a card with what one does with it. */
export function ItemRow({ desk, row, title, draw }: ThingProps): JSX.Element {
  const show = untwice(desk, row.show ?? []);
  const chips = row.chips?.map((chip: Text, n: number) => (
    <small key={n} class="chip">
      {desk.say(chip)}
    </small>
  ));
  if (show.every(isBrief))
    return (
      <RollRow desk={desk} start={row.begins} label={title}>
        {chips}
        {show.length > 0 && <span class="roll-row-more">{draw(show)}</span>}
      </RollRow>
    );
  const isDone = (one: Widget): boolean => one.widget === "act" || one.widget === "roll";
  return (
    <div class="thing-card">
      <div class="row apart">
        <strong>{title}</strong>
        <span class="row tight">{chips}</span>
      </div>
      {draw(show.filter((one) => !isDone(one)))}
      <div class="thing-acts">
        {row.begins && mayRoll(desk) && <RollButton desk={desk} start={row.begins} what={title} />}
        {draw(show.filter(isDone))}
      </div>
    </div>
  );
}

/** The roll of a thing by its own name: attack, clear a jam. */
export function RollButton({ desk, start, what }: { desk: SheetContext; start: Start; what: string }): JSX.Element {
  const name = rollName(desk.paper.table.game.value!, start.roll);
  const chance = desk.chance?.(start);
  return (
    <button
      type="button"
      class="button"
      data-on={isLaid(desk, start) || undefined}
      onClick={(event) => begin(desk, start, event.currentTarget)}
    >
      <Icon name="die" size={18} />
      <span class="unseen">
        {t("sheet.row")} {what}:{" "}
      </span>
      {name} <b>{chance}</b>
    </button>
  );
}

/** Rolls that were kept, a tap each. */
export function FavouriteRolls({ desk, chances }: { desk: SheetContext; chances: Chances | null }): JSX.Element | null {
  const { table, sheet } = desk.paper;
  const kept = favouritesOf(table.id).starred.value;
  if (!kept.length || !mayRoll(desk)) return null;
  return (
    <ul class="kept" aria-label={t("sheet.kept")}>
      {kept.map((one) => (
        <li key={one.name}>
          <button type="button" class="button" onClick={() => prepareRoll({ sheet: sheet.id, saved: one })}>
            <Icon name="star" size={16} />
            <span>{one.name}</span>
            <b>{chances?.of.get(keyOf({ roll: one.roll, ...one.fields } as Start))}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The rolls that nothing on the sheet begins: the other kinds, and dice in writing. */
export function OtherRolls({ desk, widgets }: { desk: SheetContext; widgets: readonly Widget[] }): JSX.Element | null {
  const game = desk.paper.table.game.value;
  if (!game?.rolls || !mayRoll(desk)) return null;
  const begun = new Set(rollKindsIn(widgets));
  const kinds = Object.keys(game.rolls).filter((roll) => !begun.has(roll) && !game.card?.rolls?.[roll]?.only_explored);
  const sheet = desk.paper.sheet.id;
  return (
    <section class="sheet-part other-rolls">
      <header>
        <h3>
          <Icon name="die" size={18} />
          {t("sheet.others")}
        </h3>
      </header>
      <div class="row tight">
        {kinds.map((roll) => (
          <button
            key={roll}
            type="button"
            class="button small-button"
            onClick={() => prepareRoll({ sheet, start: { roll } })}
          >
            {rollName(game, roll)}
          </button>
        ))}
        <button
          type="button"
          class="button small-button"
          onClick={() => prepareRoll({ sheet, saved: { roll: "", fields: {}, expression: "" } })}
        >
          {t("panel.free")}
        </button>
      </div>
    </section>
  );
}
