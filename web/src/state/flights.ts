// Dice in the air: what of a roll nobody is shown until they lie.
import { kindOf, rollOf } from "./reducer";
import type { Body, LogEvent } from "./types";

/** A flight: throws of one roll that are in the air together. */
export interface Flight {
  readonly roll: string;
  /** The first of its throws: from there on nothing of the roll is shown. */
  readonly from: number;
  /** All of its throws, and those that have not come to rest. */
  readonly throws: ReadonlySet<number>;
  readonly up: ReadonlySet<number>;
  /** The place of the throw that comes after them; Infinity if there is none. */
  readonly next: number;
  /** How many flights of the same moment came before it. */
  readonly before: number;
}

/** Flights of one moment that are shown one after the other; later throws are shown at rest. */
export const MOST_FLIGHTS = 3;
/** Milliseconds after which dice lie, however slow a device is. */
export const MOST_IN_AIR = 8000;

const isThrow = (event: LogEvent): boolean => kindOf(event) === "roll.thrown" && !!event.body;
const whoseOf = (event: LogEvent): string => String((event.body as Body).whose ?? "");

/**
 * The first flight among the events of a roll: a throw, with those that other people make beside it; null without any.
 */
export function findFlight(roll: string, events: readonly LogEvent[], before = 0): Flight | null {
  const own = events.filter((event) => rollOf(event) === roll);
  const first = own.findIndex(isThrow);
  if (first < 0 || before >= MOST_FLIGHTS) return null;
  const together = [own[first]!];
  let at = first + 1;
  for (; at < own.length && isThrow(own[at]!); at += 1) {
    const whose = whoseOf(own[at]!);
    if (!whose || together.some((event) => whoseOf(event) === whose)) break;
    together.push(own[at]!);
  }
  const throws = new Set(together.map((event) => event.seq));
  const next = own.slice(at).find(isThrow)?.seq ?? Infinity;
  return { roll, from: own[first]!.seq, throws, up: throws, next, before };
}

/** The same flight once one of its throws has come to rest. */
export function landThrow(air: Flight, seq: number): Flight {
  return { ...air, up: new Set([...air.up].filter((one) => one !== seq)) };
}

/** The same flight with what has come since: others may have thrown beside it. */
export function addThrows(air: Flight, events: readonly LogEvent[]): Flight {
  const now = findFlight(
    air.roll,
    events.filter((event) => event.seq >= air.from),
    air.before,
  );
  if (!now) return air;
  return { ...now, up: new Set([...now.throws].filter((seq) => !air.throws.has(seq) || air.up.has(seq))) };
}

/** Whether an event reveals what dice in the air will show. */
export const isHeld = (event: LogEvent, air: Flight | null): boolean =>
  !!air && event.seq >= air.from && rollOf(event) === air.roll;
