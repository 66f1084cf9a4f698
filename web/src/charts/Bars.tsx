/** A distribution as bars: upright for numbers, lying for words. */

import type { JSX } from "preact";
import { t } from "../i18n";
import { Chart } from "./Chart";
import { labelsThatFit, percent, scale } from "./scales";

export interface Row {
  readonly label: string;
  readonly share: number;
  /** How the row is meant: what one hopes for, what one fears, or neither. */
  readonly tone?: "good" | "bad" | "plain";
}

export interface BarsProps {
  readonly title: string;
  readonly note?: string;
  readonly rows: readonly Row[];
  /** The meaning of the labels: successes, margin, outcome. */
  readonly of: string;
  readonly lying?: boolean;
  readonly bare?: boolean;
  readonly untitled?: boolean;
  /** Counts from the top: the chance of at least this much, as a second column of the table. */
  readonly atLeast?: boolean;
  /** The table, where somebody has a fuller one. */
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

const WIDTH = 340;
const LEAST = 200;

/** The bars of one distribution. */
export function Bars(props: BarsProps): JSX.Element {
  const { rows, of } = props;
  const lying = props.lying ?? rows.some((row) => !/^[-−]?\d+!?$/.test(row.label));
  const tails = rows.map((_, n) => rows.slice(n).reduce((sum, row) => sum + row.share, 0));
  const told = rows.map((row, n) => [
    row.label,
    percent(row.share),
    ...(props.atLeast ? [percent(Math.min(1, tails[n]!))] : []),
  ]);
  const head = [of, t("charts.chance"), ...(props.atLeast ? [t("charts.at_least")] : [])];
  const places = rows.map((row, n) => ({
    said: props.atLeast
      ? t("charts.bar_least", {
          of,
          label: row.label,
          chance: percent(row.share),
          least: percent(Math.min(1, tails[n]!)),
        })
      : t("charts.bar", { of, label: row.label, chance: percent(row.share) }),
  }));
  const height = lying ? rows.length * 26 + 6 : props.bare ? 104 : 190;
  const draw = (at: number, width: number): JSX.Element =>
    lying ? (
      <Lying rows={rows} at={at} width={width} />
    ) : (
      <Upright rows={rows} at={at} width={width} height={height} bare={!!props.bare} />
    );
  return (
    <Chart
      {...props}
      width={WIDTH}
      least={LEAST}
      height={height}
      places={places}
      table={props.table ?? { head, rows: told }}
      draw={draw}
    />
  );
}

function Upright(props: {
  rows: readonly Row[];
  at: number;
  width: number;
  height: number;
  bare: boolean;
}): JSX.Element {
  const { rows, at, width, height, bare } = props;
  const left = bare ? 4 : 38;
  const bottom = height - 20;
  const axis = scale(
    rows.map((row) => row.share),
    bottom,
    12,
    true,
  );
  const room = (width - left - 4) / rows.length;
  const shown = labelsThatFit(
    rows.map((row) => row.label),
    room,
  );
  const gap = Math.min(6, room * 0.18);
  return (
    <g>
      {!bare &&
        axis.ticks.map((tick) => (
          <g>
            <line class="chart-grid" x1={left} x2={width} y1={axis.at(tick)} y2={axis.at(tick)} />
            <text class="chart-tick" x={left - 5} y={axis.at(tick) + 4} text-anchor="end">
              {percent(tick)}
            </text>
          </g>
        ))}
      {rows.map((row, n) => {
        const x = left + n * room + gap / 2;
        const y = Math.min(axis.at(row.share), bottom - 1);
        return (
          <g>
            <rect
              class="chart-bar"
              data-tone={row.tone ?? "plain"}
              data-read={n === at || undefined}
              x={x}
              y={y}
              width={Math.max(room - gap, 1)}
              height={bottom - y}
              rx={Math.min(3, room / 4)}
            />
            {room > 27 && row.share >= 0.005 && (
              <text class="chart-number" x={x + (room - gap) / 2} y={y - 3}>
                {percent(row.share).replace(" %", "")}
              </text>
            )}
            {shown.has(n) && (
              <text class="chart-tick" x={x + (room - gap) / 2} y={height - 6} text-anchor="middle">
                {row.label}
              </text>
            )}
          </g>
        );
      })}
      <line class="chart-axis" x1={left} x2={width} y1={bottom} y2={bottom} />
    </g>
  );
}

const LONGEST = 22;

/** About how wide a label is drawn; digits and capitals take more room. */
const wide = (label: string): number =>
  [...label].reduce((sum, sign) => sum + (/[^a-zäöüß .,!]/.test(sign) ? 8.2 : 6.8), 0);

function Lying({ rows, at, width }: { rows: readonly Row[]; at: number; width: number }): JSX.Element {
  const left = Math.max(...rows.map((row) => wide(row.label.slice(0, LONGEST)))) + 12;
  const most = Math.max(...rows.map((row) => row.share), 0.0001);
  const room = width - left - 58;
  return (
    <g>
      {rows.map((row, n) => {
        const y = n * 26 + 4;
        const long = Math.max((row.share / most) * room, 1);
        const label = row.label.length > LONGEST ? `${row.label.slice(0, LONGEST - 1)}…` : row.label;
        return (
          <g>
            <text class="chart-label" x={left - 8} y={y + 15} text-anchor="end">
              {label}
            </text>
            <rect
              class="chart-bar"
              data-tone={row.tone ?? "plain"}
              data-read={n === at || undefined}
              x={left}
              y={y + 1}
              width={long}
              height={19}
              rx={3}
            />
            <text class="chart-number" x={left + long + 6} y={y + 15} style="text-anchor:start">
              {percent(row.share)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
