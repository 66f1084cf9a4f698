/** Curves: how a chance or an average moves along one field, for one or several rolls. */

import type { JSX } from "preact";
import { Chart } from "./Chart";
import { amount, labelsThatFit, percent, scale } from "./scales";
import { SeriesMark, Legend } from "./series_marks";
import { t } from "../i18n";

export interface Series {
  readonly name: string;
  /** One value for each label; null where there is none. */
  readonly values: readonly (number | null)[];
}

export interface LinesProps {
  readonly title: string;
  readonly note?: string;
  readonly untitled?: boolean;
  /** The values along the bottom. */
  readonly along: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Whether the values are chances. */
  readonly chance: boolean;
}

const WIDTH = 620;
const HEIGHT = 300;
const LEFT = 48;
const BOTTOM = HEIGHT - 42;

/** Several curves over the same values. */
export function Lines(props: LinesProps): JSX.Element {
  const { labels, series, along } = props;
  const said = (value: number | null | undefined): string =>
    value === null || value === undefined ? "–" : props.chance ? percent(value) : amount(value);
  const places = labels.map((label, n) => ({
    said: t("charts.point", {
      along,
      label,
      values: series
        .map((one) => (series.length > 1 ? `${one.name} ${said(one.values[n])}` : said(one.values[n])))
        .join(", "),
    }),
  }));
  const table = {
    head: [along, ...series.map((one) => one.name)],
    rows: labels.map((label, n) => [label, ...series.map((one) => said(one.values[n]))]),
  };
  return (
    <Chart
      {...props}
      width={WIDTH}
      height={HEIGHT}
      places={places}
      table={table}
      least={260}
      draw={(at, width) => <Drawn {...props} at={at} width={width} said={said} />}
      legend={series.length > 1 && <Legend names={series.map((one) => one.name)} lines />}
    />
  );
}

function Drawn(props: LinesProps & { at: number; width: number; said: (value: number) => string }): JSX.Element {
  const { labels, series, at, width, said } = props;
  const all = series.flatMap((one) => one.values).filter((value): value is number => value !== null);
  const axis = scale(all, BOTTOM, 12, props.chance);
  const room = (width - LEFT - 24) / Math.max(labels.length - 1, 1);
  const x = (n: number): number => LEFT + 12 + n * room;
  const shown = labelsThatFit(labels, room);
  return (
    <g>
      {axis.ticks.map((tick) => (
        <g>
          <line class="chart-grid" x1={LEFT} x2={width} y1={axis.at(tick)} y2={axis.at(tick)} />
          <text class="chart-tick" x={LEFT - 6} y={axis.at(tick) + 4} text-anchor="end">
            {said(tick)}
          </text>
        </g>
      ))}
      {at >= 0 && <line class="chart-cursor" x1={x(at)} x2={x(at)} y1={8} y2={BOTTOM} />}
      {labels.map(
        (label, n) =>
          shown.has(n) && (
            <text class="chart-tick" x={x(n)} y={BOTTOM + 17} text-anchor="middle">
              {label}
            </text>
          ),
      )}
      <text class="chart-tick" x={(LEFT + width) / 2} y={HEIGHT - 5} text-anchor="middle">
        {props.along}
      </text>
      {series.map((one, number) => {
        const points = one.values.flatMap((value, n) => (value === null ? [] : [[x(n), axis.at(value), n] as const]));
        return (
          <g class={`series-${number % 6}`}>
            <path class="chart-line" d={points.map(([px, py], n) => `${n ? "L" : "M"}${px} ${py}`).join("")} />
            {points.map(
              ([px, py, n]) =>
                (labels.length < 31 || n === at) && <SeriesMark number={number} x={px} y={py} large={n === at} />,
            )}
          </g>
        );
      })}
    </g>
  );
}
