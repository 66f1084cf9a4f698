// Commands without an answer yet, kept one by one, so that several tabs of a seat lose none of each other's.
import { keep, kept, keptNames } from "../app/kept";
import type { Sent, Wire } from "./line";

/** A command, and the bytes that were sent for it: a signed one is sent again as it is, or not at all. */
export interface Posted {
  command: Sent;
  wire?: Wire;
}
interface Stored extends Posted {
  at: number;
}

const place = (table: string, id = ""): string => `outbox.${table}.${id}`;

/** Commands that this browser still has to send to a table, the oldest first. */
export function posted(table: string): Posted[] {
  const all = keptNames(place(table)).flatMap((id) => kept<Stored | null>(place(table, id), null) ?? []);
  return all.sort((one, other) => one.at - other.at);
}

/** The stored form of a command now, by any tab; null once it has been answered. */
export const stillPosted = (table: string, id: string): Posted | null => kept<Stored | null>(place(table, id), null);

export function putOut(table: string, { command, wire }: Posted): void {
  const at = kept<Stored | null>(place(table, command.id), null)?.at ?? performance.timeOrigin + performance.now();
  keep(place(table, command.id), { at, command, wire });
}

export const takeOut = (table: string, id: string): void => keep(place(table, id), undefined);

export function clearOutbox(table: string): void {
  for (const id of keptNames(place(table))) takeOut(table, id);
}
