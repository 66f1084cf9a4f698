// A person as a round mark with the first letters of their name.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";

const HUES = [162, 28, 262, 95, 210, 345, 60, 300];

export function Avatar({ table, id, size = 34 }: { table: Table; id: string; size?: number }): JSX.Element {
  const name = table.nameOf(id);
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? "").join("").slice(0, 2).toUpperCase();
  const number = Number(/\d+/.exec(id)?.[0] ?? 0);
  return (
    <span class="avatar" data-npc={id.startsWith("n") || undefined} style={{ "--hue": String(HUES[number % HUES.length]), width: `min(${size / 16}rem, ${size * 1.3}px)`, height: `min(${size / 16}rem, ${size * 1.3}px)` }} aria-hidden="true">
      {letters || <Icon name="person" size={size * 0.6} />}
    </span>
  );
}
