// The reading of the faces of rolls: rolls name it by a hash, and each hash is asked for once.
import { signal } from "@preact/signals";
import { ask } from "../net/queries";
import type { Marks } from "./card";
import type { Roll } from "./types";

const known = signal<Readonly<Record<string, Marks>>>({});
const asked = new Set<string>();

/** The marks of a roll; none until they are known. */
export function marksOf({ marks, what }: Pick<Roll, "marks" | "what">): Marks | undefined {
  if (typeof marks !== "string") return marks ?? undefined;
  if (!asked.has(marks)) {
    asked.add(marks);
    // Who cannot ask now asks with the next roll that is drawn.
    ask<{ marks: Marks }>("marks", { request: what!.request! }).then(
      (found) => learn(marks, found.marks),
      () => asked.delete(marks),
    );
  }
  return known.value[marks];
}

/** Stores the marks of a hash. */
export function learn(hash: string, marks: Marks): void {
  asked.add(hash);
  if (!known.peek()[hash]) known.value = { ...known.peek(), [hash]: marks };
}
