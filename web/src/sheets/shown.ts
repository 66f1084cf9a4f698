// Which sheet is looked at.
import { signal } from "@preact/signals";
import { show } from "../screens/views";

/** The sheet that is looked at; empty for one's own. */
export const shownSheet = signal("");

export function showSheet(id: string): void {
  shownSheet.value = id;
  show("sheet");
}
