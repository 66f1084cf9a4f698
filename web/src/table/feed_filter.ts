// Which part of the feed one wants to see.
import { signal } from "@preact/signals";
import type { FeedItem } from "../state/types";
import type { Table } from "../state/table";
import { textOf } from "../state/reducer";
import { whoRolls } from "./roll_owners";

export type Kind = "" | "rolls" | "said" | "sheets" | "people";
export interface Filter {
  who: string;
  kind: Kind;
  text: string;
}
const NOTHING: Filter = { who: "", kind: "", text: "" };
export const feedFilter = signal<Filter>(NOTHING);
/** Whether search and filters are in sight on a small screen; on a large one they always are. */
export const searching = signal(false);

export function showAll(): void {
  feedFilter.value = NOTHING;
  searching.value = false;
}

export const hasFilter = ({ who, kind, text }: Filter): boolean => !!(who || kind || text.trim());

export const kindOfItem = (item: FeedItem): Kind => {
  if ("roll" in item) return "rolls";
  if (item.event.kind === "chat.sent") return "said";
  if (item.event.kind.startsWith("sheet.")) return "sheets";
  return item.event.kind === "roll_request.created" ? "rolls" : "people";
};

/** Everything of an item that a reader could look for, in small letters. */
export function searchText(item: FeedItem, table: Table): string {
  if ("event" in item) {
    const { event } = item;
    const changes = JSON.stringify(event.body?.changes ?? "");
    return `${table.nameOf(byOf(item))} ${textOf(event, event.body?.text)} ${changes}`.toLowerCase();
  }
  const { roll } = item;
  const told = roll.after?.step === "done" ? table.said(roll.after.told) : "";
  const said = roll.entries.map((entry) => (entry.kind === "chosen" ? table.said(entry.said) : "")).join(" ");
  return `${whoRolls(roll, table)} ${table.said(roll.title)} ${roll.note} ${told} ${said} ${roll.id}`.toLowerCase();
}

export const byOf = (item: FeedItem): string =>
  "roll" in item ? item.roll.by : String(item.event.body?.by ?? item.event.body?.seat ?? item.event.open.by ?? "");

export function applyFilter(items: FeedItem[], filter: Filter, table: Table): FeedItem[] {
  if (!hasFilter(filter)) return items;
  const { who, kind } = filter;
  const text = filter.text.trim().toLowerCase();
  return items.filter(
    (item) =>
      (!who || byOf(item) === who) &&
      (!kind || kindOfItem(item) === kind) &&
      (!text || searchText(item, table).includes(text)),
  );
}
