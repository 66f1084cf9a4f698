// Which sheet is looked at, whether it is played or changed, and the roll that lies on it.
import { signal } from "@preact/signals";
import { isSideOpen, show, whole } from "../screens/views";
import type { Start } from "../state/card";
import type { SavedRoll } from "../form/draft";

/** The sheet that is looked at; empty for one's own. */
export const openSheet = signal("");

/** Sheets whose fields are being changed; all others are played with. */
export const changing = signal<ReadonlySet<string>>(new Set());

export function setChanging(sheet: string, on: boolean): void {
  const next = new Set(changing.value);
  if (on) next.add(sheet);
  else next.delete(sheet);
  changing.value = next;
}

/** A roll that was begun on a sheet, with what was tapped there, or as it was kept. */
export interface SheetRoll {
  readonly sheet: string;
  readonly start?: Start;
  readonly saved?: SavedRoll;
}

/** The roll that was begun; the roll panel takes it up. */
export const startedRoll = signal<SheetRoll | null>(null);

/** The roll that was laid out last, for as long as it is there. */
export const preparedRoll = signal<SheetRoll | null>(null);

/** Lays a roll out on the sheet that it was begun on. */
export function prepareRoll(roll: SheetRoll): void {
  startedRoll.value = preparedRoll.value = roll;
  isSideOpen.value = true;
  showSheet(roll.sheet);
}

export function showSheet(id: string): void {
  if (id === "table") return show(whole.value ? "feed" : "sheet"); // the shared sheet is there
  openSheet.value = id;
  show("sheet");
}
