/** The marks on faces as lines and areas in a box of 24 by 24 around the middle, and where pips lie. */

export interface Mark {
  readonly area?: string;
  readonly line?: string;
  /** How thick the line is. */
  readonly width?: number;
  /** Cut out of the area. */
  readonly hole?: string;
}

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, n) => {
    const far = n % 2 ? inner : outer * (n % 4 ? 0.82 : 1);
    const angle = (n * Math.PI) / points - Math.PI / 2;
    return `${(Math.cos(angle) * far).toFixed(1)} ${(Math.sin(angle) * far).toFixed(1)}`;
  });
  return `M${corners.join("L")}Z`;
}

const circle = (r: number): string => `M${r} 0A${r} ${r} 0 1 1-${r} 0A${r} ${r} 0 1 1 ${r} 0Z`;

export const MARKS = {
  crosshair: { line: `${circle(6.6)}M0-11V-4M0 11V4M-11 0H-4M11 0H4`, width: 2.2, area: circle(1.2) },
  burst: { area: star(9, 12, 5.6), hole: circle(2.6) },
  bullet: {
    area: "M-4.2-2.6C-4.2-7.4-1.8-10.6 0-12 1.8-10.6 4.2-7.4 4.2-2.6ZM-4.2-1.2h8.4v9h-8.4zM-5.2 9.2h10.4v2.8h-10.4z",
  },
  won: { line: "M-9 0.5-3 7 9-7" },
  lost: { line: "M-7-7 7 7M7-7-7 7" },
  plus: { line: "M0-9V9M-9 0H9" },
  minus: { line: "M-9 0H9" },
  crown: { area: "M-10 7V-6L-4.5-0.5 0-8.5 4.5-0.5 10-6V7Z" },
} satisfies Record<string, Mark>;

export type IconName = keyof typeof MARKS;

/** Signs that games write for marks which the page draws itself. */
const SIGNS: Record<string, IconName> = {
  "⌖": "crosshair",
  "✹": "burst",
  "⁍": "bullet",
  "✓": "won",
  "✗": "lost",
  "+": "plus",
  "−": "minus",
  "♛": "crown",
};

/** The mark that a game's word or sign for an icon means, if the page has one. */
export const markOf = (icon: string): IconName | undefined =>
  Object.hasOwn(MARKS, icon) ? (icon as IconName) : SIGNS[icon];

/** Two opposite sides of a pip die never change places, so pips are listed per number. */
export const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

/** How large the number of a die is written, of 100. */
export const NUMBER_SIZE: Record<string, number> = { d4: 27, d6: 34, d8: 30, d10: 29, d12: 31, d20: 26, d100: 31 };
