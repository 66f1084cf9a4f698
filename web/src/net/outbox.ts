// Commands without an answer yet, kept one by one, so that several tabs of a seat lose none of each other's.
import { keep, kept, keptNames } from "../app/kept";
import type { Sent } from "./line";

interface Posted { at: number; command: Sent }

const place = (table: string, id = ""): string => `outbox.${table}.${id}`;

/** What this browser still has to send to a table, the oldest first. */
export function posted(table: string): Sent[] {
  const all = keptNames(place(table)).flatMap((id) => kept<Posted | null>(place(table, id), null) ?? []);
  return all.sort((one, other) => one.at - other.at).map((one) => one.command);
}

export function putOut(table: string, command: Sent): void {
  // Offers of nonces are made anew when asked again; they need not outlive the page.
  if (command.do !== "witness.offer") keep(place(table, command.id), { at: performance.timeOrigin + performance.now(), command });
}

export const takeOut = (table: string, id: string): void => keep(place(table, id), undefined);

export function clearOutbox(table: string): void {
  for (const id of keptNames(place(table))) takeOut(table, id);
}
