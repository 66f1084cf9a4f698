/** The symbols of a series: its shape and its dashes identify it, its colour only helps. */

import type { JSX } from "preact";

const SHAPES = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
  "M-4.800 3.800H4.800L0-4.800Z",
  "M-3.600-3.600H3.600V3.600H-3.600Z",
  "M-5.200 0 0-5.200 5.200 0 0 5.200Z",
  "M-4.800-3.800H4.800L0 4.800Z",
  "M-4.500-1.800H4.500V1.800H-4.500Z",
];

/** The sign of one series. */
export function SeriesMark(props: { number: number; x: number; y: number; large?: boolean }): JSX.Element {
  const { number, x, y, large } = props;
  return (
    <path
      class="chart-sign"
      d={SHAPES[number % SHAPES.length]}
      transform={`translate(${x} ${y}) scale(${large ? 1.7 : 1})`}
    />
  );
}

/** Which series is which. */
export function Legend({ names, lines }: { names: readonly string[]; lines?: boolean }): JSX.Element {
  return (
    <ul class="chart-legend">
      {names.map((name, number) => (
        <li class={`series-${number % 6}`}>
          <svg viewBox="0 0 30 14" width="30" height="14" aria-hidden="true" focusable="false">
            {lines ? (
              <path class="chart-line" d="M1 7H29" />
            ) : (
              <rect class="chart-bar series" x="3" y="1" width="24" height="12" rx="3" />
            )}
            <SeriesMark number={number} x={15} y={7} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
