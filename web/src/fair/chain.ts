// The chain of a log: what each event's contents, its texts and its place in the log hash to.
import { canonical, frame, hex, unhex } from "./bytes";
import { hashed } from "./sha256";
import type { LogEvent } from "../state/types";

/** Hash of the place before the first event of a table. */
export async function firstHash(table: string): Promise<string> {
  return hex(await hashed(frame("rollwright/log/1", table)));
}

export async function digestOf(salt: string, body: unknown): Promise<string> {
  return hex(await hashed(frame("rollwright/body/1", unhex(salt), canonical(body))));
}

export async function sealOf(salt: string, text: string): Promise<string> {
  return hex(await hashed(frame("rollwright/text/1", unhex(salt), text)));
}

export async function chainHash(before: string, event: LogEvent): Promise<string> {
  const { seq, at, kind, open, digest } = event;
  return hex(await hashed(frame("rollwright/event/1", unhex(before), String(seq), String(at), kind, canonical(open), unhex(digest))));
}

/** Every sealed text that a body refers to, by its name, with all seals that stand beside the name. */
export function sealedIn(value: unknown, found = new Map<string, Set<unknown>>()): Map<string, Set<unknown>> {
  if (Array.isArray(value)) for (const part of value) sealedIn(part, found);
  else if (value !== null && typeof value === "object") {
    const { text } = value as Record<string, unknown>;
    const isSealed = Object.keys(value).length === 2 && typeof text === "string" && "seal" in value;
    if (isSealed) found.set(text, (found.get(text) ?? new Set()).add(value.seal));
    for (const part of Object.values(value)) sealedIn(part, found);
  }
  return found;
}
