// Edits of one sheet by one person, one right after the other, as one thing in the feed.
import { kindOf } from "../state/reducer";
import type { FeedItem, LogEvent } from "../state/types";

/** Edits this far apart are two occasions. */
const PAUSE = 10 * 60_000;

export interface EditGroup {
  key: string;
  place: number;
  at: number;
  edits: LogEvent[];
}
export type FeedRow = FeedItem | EditGroup;

/** An edit by hand: no roll did it, no session's end, and it takes nothing back. */
function edits(item: FeedRow | undefined): LogEvent[] {
  if (!item || "roll" in item) return [];
  if ("edits" in item) return item.edits;
  const cause = Object(item.event.body?.cause) as object;
  return kindOf(item.event) === "sheet.changed" && !("undo" in cause || "session" in cause || "roll" in cause)
    ? [item.event]
    : [];
}

/** The feed with each burst of edits as one item, which has the key of its first. */
export function groupEdits(items: readonly FeedItem[]): FeedRow[] {
  const shown: FeedRow[] = [];
  for (const item of items) {
    const held = edits(shown.at(-1));
    const [last, [next]] = [held.at(-1), edits(item)];
    const goesOn =
      last &&
      next &&
      last.body?.sheet === next.body?.sheet &&
      last.body?.by === next.body?.by &&
      next.at - last.at < PAUSE;
    if (goesOn) shown.push({ key: shown.pop()!.key, place: item.place, at: item.at, edits: [...held, next] });
    else shown.push(item);
  }
  return shown;
}
