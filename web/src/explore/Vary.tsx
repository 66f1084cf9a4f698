/** One field along a curve, or two against each other in a heat map. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { HeatMap, Lines } from "../charts";
import type { Cell, Preview } from "../panel/preview_query";
import { policiesOf, type RollEditor } from "../panel/Builder";
import { Select } from "../panel/controls";
import { capital } from "../panel/names";
import { aboutWorth, costName, goalName } from "../panel/names";
import { onlyOdds, problemOf, fieldErrorOf } from "../panel/field_errors";
import { language, t } from "../i18n";
import { axesOf, formatValue, type Axis } from "./axes";
import { nameOf, suggestionsOf } from "./suggestions";

/** The axis of a name, else any other. */
const axisOf = (axes: readonly Axis[], names: readonly (string | undefined)[], without?: Axis): Axis | undefined => {
  const left = axes.filter((axis) => axis !== without);
  return names.flatMap((name) => left.find((axis) => axis.field === name) ?? [])[0] ?? left[0];
};

/** The picture of a request over one or two of its fields. */
export function Vary({ bench, map }: { bench: RollEditor; map: boolean }): JSX.Element {
  const { form } = bench;
  const axes = axesOf(form);
  const across = useSignal("");
  const down = useSignal("");
  const found = useSignal<Preview | null>(null);
  const problem = useSignal("");
  const telling = suggestionsOf(bench);
  const first = axisOf(axes, [across.value, map ? telling.map?.[0] : telling.along, telling.along]);
  const second = axisOf(axes, [down.value, telling.map?.[1], telling.map?.[0]], first);
  const policies = policiesOf(form);
  const question = bench.question.value;
  const other = map
    ? second
    : policies.length > 1
      ? { field: "policy", title: "", values: policies.map((one) => one.value) }
      : null;
  const asked =
    question && first
      ? {
          ...question,
          vary: [first, ...(other ? [other] : [])].map(({ field, values }) => ({ field, values: [...values] })),
        }
      : null;
  const key = language.value + JSON.stringify(asked);
  useEffect(() => {
    if (!asked) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      bench.asking.once(asked).then(
        (answer) => current && ((found.value = answer), (problem.value = "")),
        (refused: Error) =>
          current &&
          ((found.value = null),
          (problem.value = onlyOdds(refused) ? t("panel.too_much_here") : problemOf(fieldErrorOf(refused)!).said)),
      );
    }, 150);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  if (!first) return <p class="empty">{t("explore.no_fields")}</p>;
  return (
    <div class="vary">
      <div class="two">
        <Select
          label={t("explore.across")}
          value={first.field}
          options={axes.map((axis) => ({ value: axis.field, label: axis.title }))}
          onSet={(name) => (across.value = name)}
        />
        {map && second && (
          <Select
            label={t("explore.down")}
            value={second.field}
            options={axes.filter((axis) => axis !== first).map((axis) => ({ value: axis.field, label: axis.title }))}
            onSet={(name) => (down.value = name)}
          />
        )}
      </div>
      {problem.value && (
        <p class="notice bad" role="alert">
          {problem.value}
        </p>
      )}
      {!found.value && !problem.value && <div class="skeleton explore-waits" aria-busy="true" />}
      {found.value?.vary && (
        <Drawn
          answer={found.value}
          note={nameOf(bench)}
          first={first}
          second={map ? second : undefined}
          names={policies.map((one) => one.label)}
        />
      )}
    </div>
  );
}

/** The measures that can be drawn: the goal, and everything the roll may cost. */
function measuresOf(cells: readonly Cell[]): { value: string; label: string; chance: boolean }[] {
  const worth = cells.find((cell) => cell.chance)?.chance;
  const goal = worth?.chance && worth.goal ? goalName(worth.goal) : worth ? aboutWorth(worth) : t("panel.average");
  const costs = new Map(cells.flatMap((cell) => cell.costs ?? []).map((cost) => [cost.name, cost]));
  return [
    { value: "", label: capital(goal), chance: worth?.chance ?? true },
    ...[...costs.values()].map((cost) => ({ value: cost.name, label: capital(costName(cost)), chance: cost.chance })),
  ];
}

function measured(cell: Cell | undefined, measure: string): number | null {
  if (!cell || cell.problem) return null;
  if (!measure) return cell.chance?.number ?? null;
  return cell.costs?.find((cost) => cost.name === measure)?.number ?? 0;
}

function Drawn(props: {
  answer: Preview;
  note: string;
  first: Axis;
  second: Axis | undefined;
  names: readonly string[];
}): JSX.Element {
  const { answer, first, second, names } = props;
  const wanted = useSignal("");
  const { axes, cells } = answer.vary!;
  if (axes[0]!.field !== first.field) return <></>;
  const measures = measuresOf(cells);
  const measure = measures.find((one) => one.value === wanted.value) ?? measures[0]!;
  const rows = axes[1]?.values ?? [null];
  const value = (x: number, y: number): number | null => measured(cells[x * rows.length + y], measure.value);
  const legal = axes[0]!.values.flatMap((_, x) => (rows.some((_, y) => value(x, y) !== null) ? [x] : []));
  const labels = legal.map((x) => formatValue(axes[0]!.values[x]!));
  const common = { note: props.note, chance: measure.chance };
  const isMap = second && axes[1]?.field === second.field;
  return (
    <>
      <Select
        label={t("explore.shows")}
        value={measure.value}
        options={measures}
        onSet={(name) => (wanted.value = name)}
      />
      {isMap ? (
        <HeatMap
          {...common}
          title={measure.label}
          across={first.title}
          acrossLabels={labels}
          down={second.title}
          downLabels={rows.map((one) => formatValue(one))}
          cells={rows.map((_, y) => legal.map((x) => value(x, y)))}
        />
      ) : (
        <Lines
          {...common}
          title={t("explore.curve_title", { goal: measure.label, field: first.title })}
          along={first.title}
          labels={labels}
          series={rows.map((_, y) => ({
            name: rows.length > 1 ? (names[y] ?? "") : measure.label,
            values: legal.map((x) => value(x, y)),
          }))}
        />
      )}
    </>
  );
}
