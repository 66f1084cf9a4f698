// A QR code, drawn here: what it leads to may be a secret that no server should see.
import type { JSX } from "preact";
import { encode } from "uqr";

const QUIET = 4;

/** The dark squares of each row as one stroke after the other. */
const strokes = (rows: boolean[][]): string =>
  rows.map((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")).join("")).join("");

export function QrCode({ text, label }: { text: string; label: string }): JSX.Element {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const whole = size + 2 * QUIET;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${whole} ${whole}`} shape-rendering="crispEdges">
      <rect width={whole} height={whole} fill="#fff" />
      <path d={strokes(data)} fill="#000" />
    </svg>
  );
}
