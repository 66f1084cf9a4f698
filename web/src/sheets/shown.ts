// Which sheet is looked at.
import { signal } from "@preact/signals";
import { show } from "../screens/views";
import type { Start } from "../state/card";

/** The sheet that is looked at; empty for one's own. */
export const shownSheet = signal("");

/** The roll that was begun on a sheet; the roll panel takes it up. */
export const begun = signal<{ readonly sheet: string; readonly start: Start } | null>(null);

export function showSheet(id: string): void {
  if (id === "table") return show("feed"); // what the table shares lies there
  shownSheet.value = id;
  show("sheet");
}
