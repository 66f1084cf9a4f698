/** The roll panel of a table: what to roll, its odds, and the button. */

import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Dice, useRolling } from "../dice";
import { Refused } from "../net/rest";
import type { Table } from "../state/table";
import type { Body, Sheet } from "../state/types";
import { tellProblem } from "../ui/live";
import { Icon } from "../ui/icons";
import { t } from "../words";
import type { Preview } from "./asking";
import { toAddress } from "../justroll/links";
import { Builder, makeBench, type Bench } from "./Builder";
import { Dock } from "./Dock";
import { Favourites, type Named } from "./favourites";
import { EXPRESSION, type Person, type Saved } from "./form";
import { requestSaid } from "./names";
import { Options, USUAL, type Settings } from "./Options";
import { likelyDice } from "./pools";
import { readyOf } from "./ready";
import { wrongOf } from "./refusals";
import "./panel.css";

export interface RollPanelProps {
  readonly table: Table;
  /** Whose sheet fills in what it knows: its id; left out, one's own. */
  readonly sheet?: string | undefined;
  /** Who it is rolled for, where there is a choice. */
  readonly who?: ComponentChildren;
  /** Called when a roll has been made. */
  readonly onDone?: () => void;
  /** An ask of the referee that this roll answers. */
  readonly ask?: string;
}

/** The panel, once the game of the table is known. */
export function RollPanel(props: RollPanelProps): JSX.Element {
  const { table } = props;
  const game = table.game.value;
  if (table.world.value.table.game && !game) return <div class="skeleton" aria-busy="true" />;
  return <Panel key={game?.name ?? ""} {...props} />;
}

/** How each panel was left, so that it is found again after a look at the pictures. */
const left = new Map<string, Saved>();

function Panel(props: RollPanelProps): JSX.Element {
  const { table } = props;
  const place = `${table.id} ${props.sheet ?? ""}`;
  const bench = useMemo(() => {
    const sheet = (): Sheet | undefined => (props.sheet ? table.sheet(props.sheet) : table.mySheet.value);
    const made = makeBench(table.game.value, sheet, (question, abort) => table.post<Preview>("/preview", question, abort), () => peopleAt(table), () => table.world.value.table.house);
    const before = left.get(place);
    if (before) made.form.load(before);
    return made;
  }, [place]);
  useEffect(() => () => void left.set(place, bench.form.saved()), [bench]);
  const settings = useMemo(() => signal<Settings>(USUAL), [table]);
  const favourites = useMemo(() => new Favourites(table.id), [table]);
  const thrown = useMemo(() => signal<readonly string[] | null>(null), [table]);
  const roll = (): Promise<void> => start(props, bench, settings.value, favourites, thrown);
  useShortcut(roll);
  useRolling();
  const online = table.standing.value === "open";
  useEffect(() => {
    if (online) bench.asking.again();
  }, [bench, online]);
  const explore = ({ game, roll: kind, ...fields }: Body): string => toAddress("/explore", { game: String(game), roll: String(kind), fields, expression: "", table: table.id });
  return (
    <div class="roll-panel">
      <div class="roll-scroll">
        {props.who}
        <Builder bench={bench} docked explore={explore}>
          <Kept bench={bench} favourites={favourites} />
        </Builder>
        <Options settings={settings} referee={table.isReferee.value} />
      </div>
      <Dock bench={bench} later physical={settings.value.physical} onRoll={roll}
        above={thrown.value && <div class="felt-tray dock-tray"><Dice dice={thrown.value} faces={null} fresh game={table.game.value?.name ?? ""} /></div>}>
        <StarButton bench={bench} favourites={favourites} />
      </Dock>
    </div>
  );
}

/** Whom a roll at this table may name. */
function peopleAt(table: Table): Person[] {
  const playing = table.here.value.filter((seat) => seat.role !== "spectator");
  return playing.map(({ id, role }) => ({ id, name: table.nameOf(id), player: role === "player", sheet: table.sheet(id) }));
}

async function start(props: RollPanelProps, bench: Bench, settings: Settings, favourites: Favourites, thrown: { value: readonly string[] | null }): Promise<void> {
  const what = bench.form.what.value;
  if (!what || thrown.value || !readyOf(bench, true).can) return;
  if (!settings.physical) thrown.value = likelyDice(what, bench.asking.answer.value?.request);
  const { visibility, announce, physical, note } = settings;
  const goal = bench.form.goal.value;
  const roles = bench.form.roles.value;
  try {
    await props.table.send({
      do: "roll.start", ...what, visibility,
      ...(announce ? {} : { announce }), ...(physical ? { physical } : {}), ...(note ? { note } : {}),
      ...(goal && bench.form.roll.value !== EXPRESSION ? { goal } : {}), ...(props.ask ? { ask: props.ask } : {}),
      ...(Object.keys(roles).length && bench.form.roll.value !== EXPRESSION ? { roles } : {}),
    });
    favourites.rolled(named(bench));
    props.onDone?.();
  } catch (problem) {
    if (problem instanceof Refused && problem.field) bench.form.wrong.value = wrongOf(problem);
    else tellProblem(problem);
  } finally {
    thrown.value = null;
  }
}

/** A roll with the name it is found by again: what was picked on the sheet, or all that was set. */
export function named(bench: Bench): Named {
  const { form } = bench;
  const saved = form.saved();
  const picked = form.fromSheet.value ? TELLING.flatMap((name) => saved.fields[name] || []) : [];
  const fields = picked.length || !form.game ? {} : saved.fields;
  const said = saved.roll && form.game ? requestSaid(form.game, fields, saved.roll) : saved.expression;
  return { ...saved, name: picked.length ? `${said}: ${picked.join(" + ")}` : said };
}

const TELLING = ["skill_name", "weapon", "attribute", "ability", "score_name", "skill", "item", "task"];

export function StarButton({ bench, favourites }: { bench: Bench; favourites: Favourites }): JSX.Element {
  const on = favourites.has(bench.form.saved());
  return (
    <button type="button" class="button round star" aria-pressed={on} aria-label={t("panel.favourite")} disabled={!bench.form.what.value} onClick={() => favourites.toggle(named(bench))}>
      <Icon name="star" />
    </button>
  );
}

/** Favourites first, then what was rolled last. */
export function Kept({ bench, favourites }: { bench: Bench; favourites: Favourites }): JSX.Element {
  const starred = favourites.starred.value;
  const recent = favourites.recent.value.filter((one) => !starred.some((other) => other.name === one.name && other.roll === one.roll));
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
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || (event.target as Element).closest("dialog")) return;
      event.preventDefault();
      roll();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
