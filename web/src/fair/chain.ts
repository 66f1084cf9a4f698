// The chain of a log: what each event's contents, its texts and its place in the log hash to.
import type { LogEvent } from "../state/types";
import { canonical, unhex } from "./bytes";
import { hashOf } from "./hashing";

/** Hash of the place before the first event of a table. */
export const firstHash = (table: string): string => hashOf("rollwright/log/1", table);
export const digestOf = (salt: string, body: unknown): string =>
  hashOf("rollwright/body/1", unhex(salt), canonical(body));
export const sealOf = (salt: string, text: string): string => hashOf("rollwright/text/1", unhex(salt), text);

export function chainHash(before: string, { seq, at, kind, open, digest }: LogEvent): string {
  return hashOf("rollwright/event/1", unhex(before), String(seq), String(at), kind, canonical(open), unhex(digest));
}

/** Every sealed text that a body refers to, by its name, with all seals beside the name. */
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
