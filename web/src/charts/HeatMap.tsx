/** Two fields against each other: a cell for each pair, its number written in it. */

import type { JSX } from "preact";
import { t } from "../i18n";
import { Chart } from "./Chart";
import { amount, percent } from "./scales";

export interface HeatMapProps {
  readonly title: string;
  readonly note?: string;
  readonly untitled?: boolean;
  readonly across: string;
  readonly acrossLabels: readonly string[];
  readonly down: string;
  readonly downLabels: readonly string[];
  /** `cells[row][column]`; null where there is none yet or ever. */
  readonly cells: readonly (readonly (number | null)[])[];
  readonly chance: boolean;
}

const WIDTH = 640;
const LEFT = 74;
const TOP = 40;
const LEAST_CELL = 28;
/** About how wide a small letter is. */
const LETTER = 5.6;
/** Letters of the longest chance, "> 99.9 %", with some room. */
const LONGEST = 10;
/** From here on letters are light by day and dark by night. */
const WARM = 0.65;

/** A heat map that can be read without its colours. */
export function HeatMap(props: HeatMapProps): JSX.Element {
  const { cells, acrossLabels, downLabels, across, down } = props;
  const said = (value: number | null | undefined): string =>
    value === null || value === undefined ? "–" : props.chance ? percent(value) : amount(value);
  const places = downLabels.flatMap((row, y) =>
    acrossLabels.map((column, x) => ({
      said: t("charts.cell", { across, column, down, row, value: said(cells[y]?.[x]) }),
    })),
  );
  const table = {
    head: [`${down} \\ ${across}`, ...acrossLabels],
    rows: downLabels.map((row, y) => [row, ...acrossLabels.map((_, x) => said(cells[y]?.[x]))]),
  };
  const high = downLabels.length > 8 ? 30 : 38;
  return (
    <Chart
      {...props}
      width={WIDTH}
      height={TOP + high * downLabels.length + 6}
      places={places}
      table={table}
      least={LEFT + 4 + LEAST_CELL * acrossLabels.length}
      draw={(at, width) => (
        <Drawn
          {...props}
          at={at}
          wide={(width - LEFT - 4) / Math.max(acrossLabels.length, 1)}
          high={high}
          said={said}
        />
      )}
    />
  );
}

/** A number as there is room for it: what is above 99.9 is above 99 too. */
function written(said: string, wide: number): string {
  const plain = wide < LONGEST * LETTER ? said.replace(/\s?%/, "") : said;
  return plain.length * LETTER < wide ? plain : plain.replace(/^> 99.*/, ">99").replace(/^< 0.*/, "<1");
}

/** A long word is set narrower, so that all of it is in sight. */
const fitted = (text: string): { textLength?: number; lengthAdjust?: "spacingAndGlyphs" } =>
  text.length * LETTER > LEFT - 8 ? { textLength: LEFT - 10, lengthAdjust: "spacingAndGlyphs" } : {};

interface DrawnProps extends HeatMapProps {
  readonly at: number;
  readonly wide: number;
  readonly high: number;
  readonly said: (value: number | null) => string;
}

function Drawn(props: DrawnProps): JSX.Element {
  const { cells, wide, high, acrossLabels, downLabels } = props;
  const all = cells.flat().filter((value): value is number => value !== null);
  const least = props.chance ? 0 : Math.min(0, ...all);
  const most = props.chance ? 1 : Math.max(0.0001, ...all);
  return (
    <g>
      <text class="chart-tick" x={LEFT} y={13}>{`${props.across} →`}</text>
      <text
        class="chart-tick"
        x={LEFT - 8}
        y={30}
        text-anchor="end"
        {...fitted(`${props.down} ↓`)}
      >{`${props.down} ↓`}</text>
      {acrossLabels.map((label, x) => (
        <text class="chart-label" x={LEFT + (x + 0.5) * wide} y={32} text-anchor="middle">
          {label}
        </text>
      ))}
      {downLabels.map((label, y) => (
        <g>
          <text class="chart-label" x={LEFT - 8} y={TOP + (y + 0.5) * high + 4} text-anchor="end">
            {label}
          </text>
          {acrossLabels.map((_, x) => {
            const value = cells[y]?.[x] ?? null;
            const warmth = value === null ? 0 : (value - least) / (most - least || 1);
            const place = y * acrossLabels.length + x;
            return (
              <g
                class="chart-cell"
                data-warm={warmth > WARM || undefined}
                data-read={place === props.at || undefined}
                style={`--warmth:${Math.round(warmth * 100)}%`}
              >
                <rect x={LEFT + x * wide + 1} y={TOP + y * high + 1} width={wide - 2} height={high - 2} rx="4" />
                <text x={LEFT + (x + 0.5) * wide} y={TOP + (y + 0.5) * high + 4}>
                  {written(props.said(value), wide)}
                </text>
              </g>
            );
          })}
        </g>
      ))}
    </g>
  );
}
