// Which part of the table is in front.
import { signal } from "@preact/signals";

export type View = "roll" | "table" | "sheet" | "more";
export const view = signal<View>("table");

export function show(next: View): void {
  view.value = next;
}
