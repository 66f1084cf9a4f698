// A person as a round mark: in their colour, with the symbol they chose or the first letters of their name.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { Icon, isIcon } from "../ui/icons";

/** The colours of seats, by their names and in the order of places. */
export const HUES = {
  green: 162,
  orange: 28,
  violet: 262,
  olive: 95,
  blue: 210,
  red: 345,
  amber: 60,
  pink: 300,
} as const;
const PLACES = Object.values(HUES);

/** The colour of a seat: the one that was chosen, else that of its place. */
export function hueOf(table: Table, id: string): number {
  const colour = table.seat(id)?.look?.colour as keyof typeof HUES | undefined;
  return (colour && HUES[colour]) || PLACES[Number(/\d+/.exec(id)?.[0] ?? 0) % PLACES.length]!;
}

export function Avatar({ table, id, size = 34 }: { table: Table; id: string; size?: number }): JSX.Element {
  const name = table.nameOf(id);
  const letters = name
    .split(/\s+/)
    .map((word) => Array.from(word)[0] ?? "")
    .join("")
    .slice(0, 2)
    .toUpperCase();
  const symbol = table.seat(id)?.look?.symbol ?? "";
  return (
    <span
      class="avatar"
      data-npc={id.startsWith("n") || undefined}
      style={{
        "--hue": String(hueOf(table, id)),
        width: `min(${size / 16}rem, ${size * 1.3}px)`,
        height: `min(${size / 16}rem, ${size * 1.3}px)`,
      }}
      aria-hidden="true"
    >
      {isIcon(symbol) ? <Icon name={symbol} size={size * 0.6} /> : letters || <Icon name="person" size={size * 0.6} />}
    </span>
  );
}
