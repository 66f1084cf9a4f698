// The random numbers that this browser gave to its own throws: so that nobody can put others in their place.
import { keep, kept } from "../app/kept";
import type { LogEvent } from "../state/types";
import { frame, hex, unhex } from "./bytes";
import { hashed } from "./sha256";

const MOST = 100;

/** A command of ours that may throw: its number, the events it led to, the hash of the last of them, and the last one known before. */
export interface Given { nonce: string; first: number; last: number; hash: string; seen: number }

export const given = (table: string): Given[] => kept(`own.${table}`, []);

export function remember(table: string, one: Given): void {
  keep(`own.${table}`, [...given(table), one].slice(-MOST));
}

/** The roller's number for one of the throws of a command. */
export async function nonceOf(nonce: string, place: number): Promise<string> {
  return nonce ? hex(await hashed(frame("rollwright/nonce/1", unhex(nonce), String(place)))) : "";
}

/** The numbers that throws must have because this browser gave them, by the events that tell the throws. */
export async function due(all: Given[], events: LogEvent[]): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const { nonce, first, last, hash } of all) {
    // A table that was taken up again from a copy may have other events in these places.
    if (!events.some((event) => event.seq === last && event.hash === hash)) continue;
    const throws = events.filter(({ seq, open }) => seq >= first && seq <= last && "number" in open);
    for (const [place, { seq }] of throws.sort((a, b) => a.seq - b.seq).entries()) found.set(seq, await nonceOf(nonce, place));
  }
  return found;
}

/** How many events that we may not see came in between what this browser knew when it sent a command and what came of it. */
export function between({ seen, first }: Given, events: LogEvent[]): number {
  return events.filter(({ seq, body }) => seq > seen && seq < first && !body).length;
}
