// A roll's effects on sheets, also those that wait for approval or for a secret to be revealed.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { rollName } from "../panel/names";
import type { Widget, WidgetOf } from "../state/card";
import type { EffectDone, Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { prepareRoll, showSheet } from "../sheets/open_sheet";
import { Changes } from "./EventLine";
import { changesOf } from "./waits";
import { sheetName } from "./roll_owners";

/** An effect, and that it was not done where the game's own code or the sheet did not let it. */
const doneSaid = (one: EffectDone, table: Table): string =>
  one.why ? t("effect.not_done", { what: table.said(one.said), why: table.said(one.why) }) : table.said(one.said);

export function RollEffects({
  roll,
  table,
  staged,
}: {
  roll: Roll;
  table: Table;
  staged?: boolean | undefined;
}): JSX.Element | null {
  const all = roll.after?.step === "done" ? roll.after.effects.filter((one) => !one.quiet && one.said) : [];
  // Changes that a sheet shows, or that wait for somebody's word, are not repeated.
  const waiting = roll.waits.filter((id) => table.sheet(id));
  const others = waiting.filter((id) => table.isForeign(roll, id));
  const own = waiting.filter((id) => !table.isForeign(roll, id));
  const effects = all.filter(
    (one) => one.why || !(others.includes(one.sheet) || roll.changes.some(({ sheet }) => sheet === one.sheet)),
  );
  const isPending = (one: (typeof all)[number]): boolean => !!one.waits && roll.waits.includes(one.sheet);
  if (!all.length && !roll.changes.length) return null;
  return (
    <div class="effects">
      {effects.length > 0 && (
        <ul class="row tight">
          {effects.map((one, n) => (
            <li key={n} class={`chip ${one.why ? "bad" : "brass"} ${isPending(one) ? "pending" : ""}`}>
              {doneSaid(one, table).replaceAll("_", " ")}
            </li>
          ))}
        </ul>
      )}
      {own.length > 0 && (
        <div class="row tight pends">
          <p class="small soft grow">
            <Icon name="hourglass" size={16} />
            {t("roll.waiting")}
          </p>
          {own.some((id) => table.mayLet(roll, id)) && (
            <button class="button small-button" onClick={() => decide(table, roll, "roll.apply", "")}>
              <Icon name="sheet" size={16} />
              {t("roll.apply")}
            </button>
          )}
        </div>
      )}
      {others.map((id) => (
        <Letting key={id} roll={roll} sheet={id} table={table} />
      ))}
      {roll.decided
        .filter(({ sheets }) => sheets.some((id) => table.isForeign(roll, id)))
        .map(({ by, let: happened, sheets }) => (
          <p key={sheets[0]} class="small soft">
            {t(happened ? "let.done" : "let.declined", { name: table.nameOf(by) })}
          </p>
        ))}
      {roll.changes.map((change) => (
        <div class="row tight" key={change.seq}>
          <button class="button quiet small-button" onClick={() => showSheet(change.sheet)}>
            <Icon name="sheet" size={16} />
            {sheetName(table, change.sheet)}
          </button>
          <Changes changes={change.fields} table={table} />
        </div>
      ))}
      {staged && roll.by === table.me.value?.seat && table.isPlaying.value && table.sheet(roll.sheet) && (
        <Onward roll={roll} table={table} />
      )}
    </div>
  );
}

type Thing = NonNullable<WidgetOf<"things">["rows"]>[number];

/** The things in the lists of a sheet. */
const thingsIn = (widgets: readonly Widget[]): Thing[] =>
  widgets.flatMap((one) =>
    one.widget === "things" ? [...(one.rows ?? [])] : one.widget === "group" ? thingsIn(one.show ?? []) : [],
  );

/** The next roll for things that this one has changed: a jam to be cleared. */
function Onward({ roll, table }: { roll: Roll; table: Table }): JSX.Element {
  const [next, setNext] = useState<readonly Thing[]>([]);
  const effects = roll.after?.step === "done" ? roll.after.effects : [];
  const things = effects.flatMap((one) => (one.applied && one.sheet === roll.sheet && one.target ? [one.target] : []));
  const values = JSON.stringify(table.sheet(roll.sheet)!.values);
  useEffect(() => {
    if (!things.length) return undefined;
    const stop = new AbortController();
    table.get<{ widgets: readonly Widget[] }>(`/sheets/${roll.sheet}/card`, stop.signal).then(
      ({ widgets }) => setNext(thingsIn(widgets)),
      () => undefined,
    );
    return () => stop.abort();
  }, [roll.id, values]);
  const other = next.filter(
    ({ key, begins }) => things.includes(key) && begins && begins.roll !== roll.what?.request?.roll,
  );
  const game = table.game.value;
  if (!game) return <></>;
  return (
    <>
      {other.map(({ key, title, begins }) => (
        <button key={key} class="button main onward" onClick={() => prepareRoll({ sheet: roll.sheet, start: begins! })}>
          <Icon name="die" size={18} />
          {rollName(game, begins!.roll)}: {table.said(title)}
        </button>
      ))}
    </>
  );
}

const decide = (table: Table, roll: Roll, command: "roll.apply" | "roll.decline", sheet: string): void =>
  void table.send({ do: command, roll: roll.id, ...(sheet ? { sheet } : {}) }).catch(showError);

/** A player's effect on somebody else's sheet: its owner, or a referee, approves or declines. */
function Letting({ roll, sheet, table }: { roll: Roll; sheet: string; table: Table }): JSX.Element {
  const text = t("let.would", changesOf(roll, sheet, table));
  const owner = table.sheet(sheet)!.owner;
  if (!table.mayLet(roll, sheet))
    return (
      <p class="small soft row tight lets">
        <Icon name="hourglass" size={16} />
        <span>
          {text} {t("let.waits", { who: table.nameOf(owner) })}
        </span>
      </p>
    );
  return (
    <div class="decision letting row tight" role="group" aria-label={text}>
      <p class="grow">
        <Icon name="hand" size={18} /> {text}
      </p>
      <button class="button main small-button" onClick={() => decide(table, roll, "roll.apply", sheet)}>
        <Icon name="check" size={16} />
        {t("let.yes")}
      </button>
      <button class="button small-button" onClick={() => decide(table, roll, "roll.decline", sheet)}>
        <Icon name="cross" size={16} />
        {t("let.no")}
      </button>
    </div>
  );
}
