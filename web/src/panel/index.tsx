/** The roll panel of a table: what to roll, its odds, and the button. */

import { signal, useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { readStored } from "../app/storage";
import { Dice, useRolling } from "../dice";
import { RequestError } from "../net/http";
import type { Table } from "../state/table";
import type { FormAnswer, Start } from "../state/card";
import type { Body, Sheet } from "../state/types";
import { announce as readOut, showError } from "../ui/announcer";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import type { Preview } from "./preview_query";
import { toAddress } from "../justroll/roll_links";
import { begin } from "../form/FormView";
import { startedRoll } from "../sheets/open_sheet";
import { policyInAdvance, Builder, createEditor, formatIn, type RollEditor } from "./Builder";
import { Dock } from "./Dock";
import { favouritesOf, type Favourites, type NamedRoll } from "./favourites";
import { PreparedRoll } from "./PreparedRoll";
import { EXPRESSION, type SavedRoll } from "../form/draft";
import { rollName } from "./names";
import { Each, Options, othersIn, USUAL, WhoSees, type Settings } from "./Options";
import { Plays } from "./Odds";
import { firstDice } from "./pools";
import { readinessOf } from "./readiness";
import { fieldErrorOf } from "./field_errors";
import "./panel.css";

export interface RollPanelProps {
  readonly table: Table;
  /** Whose sheet fills in what it knows: its id; left out, one's own. */
  readonly sheet?: string | undefined;
  /** Who it is rolled for, where there is a choice. */
  readonly who?: ComponentChildren;
  /** Which ask of the referee it answers; scrolled with the rest, so that the button keeps its place. */
  readonly answers?: ComponentChildren;
  /** Called when a roll has been made. */
  readonly onDone?: () => void;
  /** An ask of the referee that this roll answers. */
  readonly ask?: string;
  /** Puts the roll away, where it lies on a sheet: what was tapped there is not asked again. */
  readonly onClose?: (() => void) | undefined;
}

/** The panel, once the game of the table is known. */
export function RollPanel(props: RollPanelProps): JSX.Element {
  const { table } = props;
  const game = table.game.value;
  if (table.world.value.table.game && !game) return <div class="skeleton" aria-busy="true" />;
  return <Panel key={game?.name ?? ""} {...props} />;
}

/** Marks a saved roll in place of a tap. */
const LOADED: Start = { roll: "" };

/** How each panel was left, so that it is found again after a look at the pictures. */
const left = new Map<string, SavedRoll>();

function Panel(props: RollPanelProps): JSX.Element {
  const { table } = props;
  const place = `${table.id} ${props.sheet ?? ""}`;
  const state = useComputed(() =>
    JSON.stringify([
      table.world.value.sheets.map(({ id, values }) => [id, values]),
      table.here.value,
      table.world.value.table.house,
      table.world.value.table.dialect,
    ]),
  );
  const bench = useMemo(() => {
    const sheet = (): Sheet | undefined => (props.sheet ? table.sheet(props.sheet) : table.mySheet.value);
    const made = createEditor(table.game.value, {
      sheet,
      preview: (question, abort) => table.post<Preview>("/preview", question, abort),
      form: (question) => table.post<FormAnswer>("/form", question),
      state: () => state.value,
      dialect: () => table.world.value.table.dialect,
      naming: (ref) => table.said(ref),
      act: (kind, amount, target) =>
        void table
          .send({
            do: "sheet.apply_effect",
            sheet: sheet()!.id,
            kind,
            ...(amount === undefined ? {} : { amount }),
            ...(target ? { target } : {}),
          })
          .catch(showError),
    });
    const before = left.get(place);
    if (before) made.form.load(before);
    return made;
  }, [place]);
  useEffect(() => () => void left.set(place, bench.form.saved()), [bench]);
  const taken = startedRoll.value;
  const tapped = useMemo(() => signal<Start | null>(null), [bench]);
  useEffect(() => {
    if (!taken || taken.sheet !== (props.sheet ?? table.me.value?.seat)) return;
    if (taken.start) begin(bench.form, taken.start);
    else if (taken.saved) bench.form.load(taken.saved);
    tapped.value = taken.start ?? null;
    startedRoll.value = null;
  }, [taken, bench]);
  const settings = useMemo(() => signal<Settings>({ ...USUAL, each: readStored("each", true) }), [table]);
  const others = othersIn(bench.form.request.value, bench.form.parts.value.roles as Body, seatsBeside(props));
  const favourites = favouritesOf(table.id);
  const thrown = useMemo(() => signal<readonly string[] | null>(null), [table]);
  const roll = (): Promise<void> => start(props, bench, settings.value, favourites, thrown);
  useShortcut(roll);
  useRolling();
  const online = table.standing.value === "open";
  useEffect(() => {
    if (!online) return;
    bench.asking.again();
    bench.lane.again();
  }, [bench, online]);
  const explore = ({ game, roll: kind, ...fields }: Body): string =>
    toAddress("/explore", {
      game: String(game),
      roll: String(kind),
      fields,
      expression: "",
      table: table.id,
      goal: bench.form.goal.value,
      policy: bench.form.policy.value,
    });
  const { onClose } = props;
  return (
    <div class="roll-panel" data-laid={onClose ? true : undefined}>
      {onClose && <PreparedRoll bench={bench} onClose={onClose} />}
      <div class="roll-scroll">
        {props.answers}
        {!onClose && props.who}
        <Builder bench={bench} docked explore={explore} tapped={onClose && (tapped.value ?? LOADED)}>
          {!onClose && <FavouriteList bench={bench} favourites={favourites} />}
        </Builder>
        {others.length > 0 && <Each settings={settings} />}
        <Options settings={settings} referee={table.isReferee.value} />
      </div>
      <Dock
        bench={bench}
        later
        physical={settings.value.physical}
        onRoll={roll}
        above={
          <>
            {onClose && <Plays bench={bench} beside />}
            {thrown.value && (
              <div class="felt-tray dock-tray">
                <Dice
                  dice={thrown.value}
                  faces={null}
                  fresh
                  game={table.game.value?.name ?? ""}
                  marks={bench.lane.answer.value?.marks}
                  pool={bench.lane.answer.value?.pool}
                />
              </div>
            )}
          </>
        }
      >
        <StarButton bench={bench} favourites={favourites} />
        <WhoSees settings={settings} />
      </Dock>
    </div>
  );
}

/** The people at the table beside the roller. */
const seatsBeside = ({ table }: RollPanelProps): string[] =>
  table.here.value
    .filter((seat) => seat.role !== "spectator" && seat.id !== table.me.value?.seat)
    .map((seat) => seat.id);

async function start(
  props: RollPanelProps,
  bench: RollEditor,
  settings: Settings,
  favourites: Favourites,
  thrown: { value: readonly string[] | null },
): Promise<void> {
  const what = bench.form.what.value;
  const ready = readinessOf(bench, true);
  if (ready.why && !ready.can) readOut(ready.why.said);
  if (!what || thrown.value || !ready.can) return;
  if (!settings.physical) thrown.value = firstDice(bench);
  const { visibility, announce, physical, note } = settings;
  // People who are there throw their own dice; for the others, the table does.
  const beside =
    settings.each && !physical
      ? othersIn(bench.form.request.value, bench.form.parts.value.roles as Body, seatsBeside(props))
      : [];
  const away = beside.filter((seat) => !props.table.connected.value.includes(seat));
  const each = beside.length > away.length;
  const goal = bench.form.goal.value;
  const policy = policyInAdvance(bench.form);
  try {
    await props.table.send({
      do: "roll.start",
      ...what,
      visibility,
      ...(announce || visibility === "open" ? {} : { announce }),
      ...(physical ? { physical } : {}),
      ...(note ? { note } : {}),
      ...(each ? { each, ...(away.length ? { away } : {}) } : {}),
      ...(goal && bench.form.roll.value !== EXPRESSION ? { goal } : {}),
      ...(policy ? { policy } : {}),
      ...(props.ask ? { ask: props.ask } : {}),
    });
    favourites.rolled(withName(bench));
    props.onDone?.();
  } catch (problem) {
    if (problem instanceof RequestError && problem.field) bench.form.wrong.value = fieldErrorOf(problem);
    else showError(problem);
  } finally {
    thrown.value = null;
  }
}

/** A roll with the name it is found by again. */
export function withName(bench: RollEditor): NamedRoll {
  const { form, lane } = bench;
  const saved = form.saved();
  if (form.roll.value === EXPRESSION || !form.game) return { ...saved, name: saved.expression };
  return { ...saved, name: formatIn(bench, lane.answer.value?.title) || rollName(form.game, saved.roll) };
}

export function StarButton({ bench, favourites }: { bench: RollEditor; favourites: Favourites }): JSX.Element {
  const on = favourites.has(bench.form.saved());
  return (
    <button
      type="button"
      class="button round star"
      aria-pressed={on}
      aria-label={t("panel.favourite")}
      disabled={!bench.form.what.value}
      onClick={() => favourites.toggle(withName(bench))}
    >
      <Icon name="star" />
    </button>
  );
}

/** Favourites first, then what was rolled last. */
export function FavouriteList({ bench, favourites }: { bench: RollEditor; favourites: Favourites }): JSX.Element {
  const starred = favourites.starred.value;
  const recent = favourites.recent.value.filter(
    (one) => !starred.some((other) => other.name === one.name && other.roll === one.roll),
  );
  if (!starred.length && !recent.length) return <></>;
  return (
    <ul class="kept" aria-label={t("panel.kept")}>
      {[...starred, ...recent].map((one, n) => (
        <li>
          <button type="button" class="button" onClick={() => bench.form.load(one)}>
            <Icon name={n < starred.length ? "star" : "again"} size={16} />
            <span>{one.name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Control and Enter roll from anywhere. */
export function useShortcut(roll: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || (event.target as Element).closest("dialog"))
        return;
      event.preventDefault();
      roll();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
