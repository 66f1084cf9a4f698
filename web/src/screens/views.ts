// Which part of the table is in front: one on a phone, one beside the stage on a wide screen.
import { signal } from "@preact/signals";

export type View = "stage" | "roll" | "sheet" | "feed" | "more";

/** The view on a phone. */
export const view = signal<View>("stage");
/** The view in the left column of a desktop; the feed is always at its right. */
export const left = signal<"sheet" | "roll" | "more">("sheet");
/** The last part that was asked for: all that a tablet has room for beside the stage. */
export const side = signal<Exclude<View, "stage">>("sheet");

/** Whether a roll lies on the sheet it was begun on; else it is made in the panel of all rolls. */
export const isSideOpen = signal(false);

/** The session that ended before one's eyes and lies on the stage to be looked back on; 0 for none. */
export const evening = signal(0);

/** Whether the stage is in sight whatever else is. */
const broad = matchMedia("(min-width: 760px)");
export const wide = signal(broad.matches);
broad.addEventListener("change", () => (wide.value = broad.matches));

/** Whether the feed is in sight whatever else is. */
const broadest = matchMedia("(min-width: 1180px)");
export const whole = signal(broadest.matches);
broadest.addEventListener("change", () => (whole.value = broadest.matches));

export function show(next: View): void {
  view.value = next;
  if (next === "roll") isSideOpen.value = false;
  if (next !== "stage") side.value = next;
  if (next !== "stage" && next !== "feed") left.value = next;
}

/** Whether the roll panel is in sight: on its own, or laid on a sheet. */
export function panelInSight(): boolean {
  const front = wide.value ? (whole.value ? left.value : side.value) : view.value;
  return front === "roll" || (front === "sheet" && isSideOpen.value);
}

/** How a table is found: at its stage, with what is most wanted beside it. */
export function begin(first: "sheet" | "roll" | "feed"): void {
  view.value = "stage";
  isSideOpen.value = false;
  evening.value = 0;
  side.value = first;
  left.value = first === "feed" ? "sheet" : first;
}
