/** The roll panel of a table: what to roll, its odds, and the button. */

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Dice, useRolling } from "../dice";
import { Refused } from "../net/rest";
import type { Table } from "../state/table";
import type { Sheet } from "../state/types";
import { tellProblem } from "../ui/live";
import { Icon } from "../ui/icons";
import { maybe, t } from "../words";
import type { Preview } from "./asking";
import { Builder, makeBench, wrongOf, type Bench } from "./Builder";
import { Favourites, type Named } from "./favourites";
import { capital } from "./fields";
import { EXPRESSION, type Person } from "./form";
import { Chance, Strip } from "./Odds";
import { Options, USUAL, type Settings } from "./Options";
import { likelyDice } from "./pools";
import "./panel.css";

export interface RollPanelProps {
  readonly table: Table;
  /** Whose sheet fills in what it knows: an id, or the sheet; left out, one's own. */
  readonly sheet?: string | Sheet | undefined;
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

function Panel(props: RollPanelProps): JSX.Element {
  const { table } = props;
  const bench = useMemo(() => {
    const sheet = (): Sheet | undefined => (typeof props.sheet === "object" ? props.sheet : props.sheet ? table.sheet(props.sheet) : table.mySheet.value);
    return makeBench(table.game.value, sheet, (question, abort) => table.post<Preview>("/preview", question, abort), () => peopleAt(table), () => table.world.value.table.house);
  }, [table, props.sheet]);
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
  return (
    <div class="roll-panel">
      <div class="roll-scroll">
        <Builder bench={bench}>
          <Kept bench={bench} favourites={favourites} />
        </Builder>
        <Options settings={settings} referee={table.isReferee.value} />
      </div>
      <div class="dock">
        {thrown.value && <div class="felt-tray dock-tray"><Dice dice={thrown.value} faces={null} fresh game={table.game.value?.name ?? ""} /></div>}
        <Strip answer={bench.asking.answer.value} names={bench.layout.charts[bench.form.roll.value] ?? []} />
        <Chance answer={bench.asking.answer.value} waits={bench.asking.waits.value} />
        <StarButton bench={bench} favourites={favourites} />
        <button type="button" class="button main big roll-button" disabled={!bench.form.what.value} aria-keyshortcuts="Control+Enter" onClick={roll}>
          <Icon name="die" size={26} />
          {settings.value.physical ? t("panel.enter") : t("panel.roll")}
        </button>
      </div>
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
  if (!what || thrown.value) return;
  if (!settings.physical) thrown.value = likelyDice(what, bench.asking.answer.value?.request);
  const { visibility, announce, physical, note } = settings;
  const goal = bench.form.goal.value;
  const roles = bench.form.roles.value;
  try {
    await props.table.send({
      do: "roll.start", ...what, visibility,
      ...(announce ? {} : { announce }), ...(physical ? { physical } : {}), ...(note ? { note } : {}),
      ...(goal && bench.form.roll.value !== EXPRESSION ? { goal } : {}), ...(props.ask ? { ask: props.ask } : {}),
      ...(Object.keys(roles).length ? { roles } : {}),
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

/** A roll with the name it is found by again. */
export function named(bench: Bench): Named {
  const saved = bench.form.saved();
  const title = ofSheet(bench) || bench.asking.answer.value?.title.replace(`${bench.form.game?.title}, `, "");
  return { ...saved, name: capital((title || saved.expression || saved.roll).replace(/^an? /, "")) };
}

const TELLING = ["skill_name", "weapon", "attribute", "ability", "score_name", "skill", "item", "task"];

/** A roll from the sheet is known by what was picked there. */
function ofSheet(bench: Bench): string {
  if (!bench.form.fromSheet.value) return "";
  const { fields, roll } = bench.form.saved();
  const picked = TELLING.flatMap((name) => (typeof fields[name] === "string" && fields[name] ? [fields[name]] : []));
  const kind = maybe(`roll.${bench.form.game?.name}.${roll}`, {}, roll);
  return picked.length ? `${kind}: ${picked.join(" + ")}` : "";
}

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
