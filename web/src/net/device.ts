// This browser's memory of what it signed at a table, so that nobody can sign in its name, or let a call vanish.
import { writeStored, readStored } from "../app/storage";

const MOST_CALLS = 1000;
/** So many digits of the hash of a call are remembered. */
const DIGITS = 32;

/** One of the device's own calls: the event that holds it, once it is known. */
interface Remembered {
  hash: string;
  seq?: number;
  /** Whether it was given up: the server took it as it was never sent, or refused it. */
  burnt?: true;
  /** Whether the event that holds it may be hidden from us. */
  unseen?: true;
}

interface Memory {
  /** The public key that signed: another one starts afresh. */
  key: string;
  /** The last counter of each lane. */
  counters: Record<string, number>;
  /** By lane and counter. */
  calls: Record<string, Remembered>;
}

/** The last event that was seen of a table. */
export interface Head {
  seq: number;
  hash: string;
}

const place = (table: string): string => `device.${table}`;
/** Memory of an open page in a browser that stores nothing. */
const held = new Map<string, Memory>();

function memoryOf(table: string, key: string): Memory {
  const stored = readStored<Memory | null>(place(table), null);
  const found = stored?.key === key ? stored : held.get(table);
  return found?.key === key ? found : { key, counters: {}, calls: {} };
}

function remember(table: string, memory: Memory): void {
  const calls = Object.entries(memory.calls).slice(-MOST_CALLS);
  const whole = { ...memory, calls: Object.fromEntries(calls) };
  held.set(table, whole);
  writeStored(place(table), whole);
}

const nameOf = (lane: string, counter: number): string => `${lane}.${counter}`;

/** The counter of the next call in a lane, taken before anything is signed with it: nobody takes it twice. */
export function takeCounter(table: string, key: string, lane: string, known: number): number {
  const memory = memoryOf(table, key);
  const counter = Math.max(memory.counters[lane] ?? 0, known) + 1;
  remember(table, { ...memory, counters: { ...memory.counters, [lane]: counter } });
  return counter;
}

/** The last counter that this browser has signed with in a lane. */
export const lastCounter = (table: string, key: string, lane: string): number =>
  memoryOf(table, key).counters[lane] ?? 0;

/** Takes note of a call that is about to be sent. */
export function rememberCall(
  table: string,
  key: string,
  lane: string,
  counter: number,
  hash: string,
  unseen = false,
): void {
  const memory = memoryOf(table, key);
  const call: Remembered = { hash: hash.slice(0, DIGITS), ...(unseen && { unseen }) };
  remember(table, { ...memory, calls: { ...memory.calls, [nameOf(lane, counter)]: call } });
}

/** Takes note of what became of a call: the event that holds it, or that it was given up. */
export function settleCall(table: string, key: string, lane: string, counter: number, seq: number | null): void {
  const memory = memoryOf(table, key);
  const name = nameOf(lane, counter);
  const call = memory.calls[name];
  if (!call || call.seq === seq) return;
  const { burnt: _, ...rest } = call;
  const settled: Remembered = seq === null ? { ...call, burnt: true } : { ...rest, seq };
  remember(table, { ...memory, calls: { ...memory.calls, [name]: settled } });
}

/** Whether this browser has signed a call; null where it remembers nothing that far back. */
export function isOwn(table: string, key: string, lane: string, counter: number, hash: string): boolean | null {
  const { calls } = memoryOf(table, key);
  const call = calls[nameOf(lane, counter)];
  if (call) return call.hash === hash.slice(0, DIGITS);
  const first = Object.keys(calls).filter((name) => name.startsWith(`${lane}.`))[0];
  return first === undefined || counter < Number(first.slice(lane.length + 1)) ? null : false;
}

/** Calls of ours that events held when we saw them, with those events. */
export function settledCalls(table: string, key: string): { lane: string; counter: number; seq: number }[] {
  return Object.entries(memoryOf(table, key).calls).flatMap(([name, { seq }]) => {
    const [lane = "", counter] = name.split(".");
    return seq === undefined ? [] : [{ lane, counter: Number(counter), seq }];
  });
}

/** Calls that we were to be shown in the log, and that were in no event that we saw. */
export function lostCalls(table: string, key: string): { lane: string; counter: number }[] {
  return Object.entries(memoryOf(table, key).calls).flatMap(([name, { seq, unseen }]) => {
    const [lane = "", counter] = name.split(".");
    return seq === undefined && !unseen ? [{ lane, counter: Number(counter) }] : [];
  });
}

const headPlace = (table: string): string => `head.${table}`;
export const lastHead = (table: string): Head | null => readStored<Head | null>(headPlace(table), null);
export const rememberHead = (table: string, head: Head): void => writeStored(headPlace(table), head);

const offersPlace = (table: string): string => `offers.${table}`;
const MOST_OFFERS = 64;
/** The numbers that this browser has ready as a witness, by their commitments; the latest last. */
export const offersOf = (table: string): Record<string, string> => readStored(offersPlace(table), {});

export function rememberOffers(table: string, offers: Record<string, string>): void {
  writeStored(
    offersPlace(table),
    Object.fromEntries(Object.entries({ ...offersOf(table), ...offers }).slice(-MOST_OFFERS)),
  );
}

const answeredPlace = (table: string): string => `answered.${table}`;
const MOST_ANSWERED = 100;
/** The events that asked for a number of ours and were answered. */
export const answeredRequests = (table: string): number[] => readStored(answeredPlace(table), []);

/** Takes the number that an event asks for; none if it or the event was answered before, by another tab too. */
export function answer(table: string, asked: number, offer: string): string | undefined {
  const { [offer]: number, ...left } = offersOf(table);
  if (number === undefined || answeredRequests(table).includes(asked)) return undefined;
  writeStored(answeredPlace(table), [...answeredRequests(table), asked].slice(-MOST_ANSWERED));
  writeStored(offersPlace(table), left);
  return number;
}
