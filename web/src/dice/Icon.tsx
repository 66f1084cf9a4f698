/** The marks on faces as they are drawn on the page. */

import type { JSX } from "preact";
import { pictureOf } from "./game_icons";
import { MARKS, markOf, type Mark } from "./marks";

/** One mark at a place: one of the page's own, or the game's own sign as it is written. */
export function Icon(props: { name: string; x: number; y: number; size: number }): JSX.Element {
  const { name, x, y, size } = props;
  const known = markOf(name);
  const picture = known ? undefined : pictureOf(name);
  if (picture) return <image href={picture} x={x - size / 2} y={y - size / 2} width={size} height={size} />;
  if (!known)
    return (
      <text class="die-sign" x={x} y={y} font-size={(size * 0.95) / Math.max(1, [...name].length * 0.6)} dy="0.35em">
        {name}
      </text>
    );
  const { area, line, width, hole }: Mark = MARKS[known];
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 24})`}>
      {area && <path d={area} fill="currentColor" />}
      {line && <path d={line} class="die-stroke" style={width ? { strokeWidth: width } : undefined} />}
      {hole && <path d={hole} class="die-hole" />}
    </g>
  );
}
