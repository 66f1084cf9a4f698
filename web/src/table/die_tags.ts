// The fate of each die on the table: it stays or is thrown again, counts or does not.
import { signal } from "@preact/signals";
import type { DieTag } from "../dice";
import type { Lies } from "../state/card";
import type { Roll, ThrowEntry } from "../state/types";

/** The option that somebody looks at, whose dice are marked while they do. */
export const highlight = signal<{ roll: string; number: number } | null>(null);

const LAID: Record<Lies[string], DieTag> = { kept: "stays", counts: "counts", dropped: "dropped", again: "again" };

/** The dice that would be thrown again: by the option that is looked at, or by the only one that throws any. */
function lifted(roll: Roll): readonly string[] | null {
  if (roll.status !== "open" || roll.after?.step !== "choice") return null;
  const throwing = roll.after.options.filter((option) => option.dice?.length);
  const looked = highlight.value?.roll === roll.id ? roll.after.options[highlight.value.number] : undefined;
  return looked?.dice ?? (throwing.length === 1 ? (throwing[0]?.dice ?? null) : null);
}

/** A tag for each die of a throw, where there is something to say of it. */
export function tagsOf(roll: Roll, thrown: ThrowEntry): (DieTag | undefined)[] {
  const lies =
    roll.entries.findLast((entry): entry is ThrowEntry => entry.kind === "thrown" && !entry.taken && !!entry.lies)
      ?.lies ?? {};
  const up = lifted(roll);
  const isOver = up && !up.some((place) => place.startsWith(`${thrown.index}.`));
  return thrown.faces.map((_, place) => {
    const at = `${thrown.index}.${place}`;
    if (!up || isOver) return lies[at] && LAID[lies[at]];
    return up.includes(at) ? "lifts" : lies[at] === "dropped" ? "dropped" : "stays";
  });
}
