// Commands without an answer yet, kept one by one, so that several tabs of a seat lose none of each other's.
import { writeStored, readStored, storedNames } from "../app/storage";
import type { Sent, Wire } from "./table_socket";

/** A command, and the bytes that were sent for it: a signed one is sent again as it is, or not at all. */
export interface PendingCommand {
  command: Sent;
  wire?: Wire;
}
interface Stored extends PendingCommand {
  at: number;
}

const place = (table: string, id = ""): string => `outbox.${table}.${id}`;

/** Commands that this browser still has to send to a table, the oldest first. */
export function pendingCommands(table: string): PendingCommand[] {
  const all = storedNames(place(table)).flatMap((id) => readStored<Stored | null>(place(table, id), null) ?? []);
  return all.sort((one, other) => one.at - other.at);
}

/** The stored form of a command now, by any tab; null once it has been answered. */
export const findPending = (table: string, id: string): PendingCommand | null =>
  readStored<Stored | null>(place(table, id), null);

export function storePending(table: string, { command, wire }: PendingCommand): void {
  const at =
    readStored<Stored | null>(place(table, command.id), null)?.at ?? performance.timeOrigin + performance.now();
  writeStored(place(table, command.id), { at, command, wire });
}

export const removePending = (table: string, id: string): void => writeStored(place(table, id), undefined);

export function clearOutbox(table: string): void {
  for (const id of storedNames(place(table))) removePending(table, id);
}
