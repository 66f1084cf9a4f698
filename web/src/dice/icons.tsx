/** The marks on faces, drawn in a box of 24 by 24 around the middle. */

import type { JSX } from "preact";
import type { IconName } from "./readings";

function star(points: number, outer: number, inner: number): string {
  return Array.from({ length: points * 2 }, (_, n) => {
    const far = n % 2 ? inner : outer * (n % 4 ? 0.82 : 1);
    const angle = (n * Math.PI) / points - Math.PI / 2;
    return `${(Math.cos(angle) * far).toFixed(1)},${(Math.sin(angle) * far).toFixed(1)}`;
  }).join(" ");
}

const MARKS: Record<IconName, JSX.Element> = {
  crosshair: (
    <g fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round">
      <circle r="6.6" />
      <path d="M0-11V-4M0 11V4M-11 0H-4M11 0H4" />
      <circle r="1.2" fill="currentColor" stroke="none" />
    </g>
  ),
  burst: (
    <g>
      <polygon points={star(9, 12, 5.6)} fill="currentColor" />
      <circle r="2.6" class="die-hole" />
    </g>
  ),
  bullet: (
    <g fill="currentColor">
      <path d="M-4.2-2.6C-4.2-7.4-1.8-10.6 0-12 1.8-10.6 4.2-7.4 4.2-2.6Z" />
      <rect x="-4.2" y="-1.2" width="8.4" height="9" />
      <rect x="-5.2" y="9.2" width="10.4" height="2.8" rx="1" />
    </g>
  ),
  won: <path d="M-9 0.5-3 7 9-7" class="die-stroke" />,
  lost: <path d="M-7-7 7 7M7-7-7 7" class="die-stroke" />,
  plus: <path d="M0-9V9M-9 0H9" class="die-stroke" />,
  minus: <path d="M-9 0H9" class="die-stroke" />,
  crown: <path d="M-10 7V-6L-4.5-0.5 0-8.5 4.5-0.5 10-6V7Z" fill="currentColor" />,
};

/** One mark at a place. */
export function Icon(props: { name: IconName; x: number; y: number; size: number }): JSX.Element {
  const { name, x, y, size } = props;
  return <g transform={`translate(${x} ${y}) scale(${size / 24})`}>{MARKS[name]}</g>;
}
