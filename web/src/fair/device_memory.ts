// A comparison of what this browser remembers of a table with a whole log of it.
import { isOwn, lastHead, lostCalls, settledCalls } from "../net/device";
import { knownTable } from "../net/tokens";
import { protestsOf, type Protest } from "../state/calling";
import { callOf } from "../state/reducer";
import type { DeviceData } from "../net/shapes";
import type { LogEvent } from "../state/types";
import { hashOfCall, publicKey } from "./signing";

/** The differences between the log and this browser's memory. */
export function compareMemory(table: string, events: LogEvent[]): Protest[] {
  const found = [...protestsOf(table), ...rewritten(table, events)];
  const seed = knownTable(table)?.seed;
  if (seed) found.push(...ofCalls(table, publicKey(seed), events));
  return found.filter(
    (one, place) => place === found.findIndex((other) => other.what === one.what && other.seq === one.seq),
  );
}

/** A head that this browser saw must be in every later copy. */
function rewritten(table: string, events: LogEvent[]): Protest[] {
  const head = lastHead(table);
  const there = events.find(({ seq }) => seq === head?.seq);
  return head && there && there.hash !== head.hash ? [{ what: "rewritten", seq: head.seq }] : [];
}

/** Where each call of ours stands in a log, by lane and counter; `see` is shown each with its hash. */
function placesOf(table: string, key: string, events: LogEvent[], see: (own: Own) => void = () => {}): Places {
  const places: Places = { seat: "", seqs: new Map(), last: new Map() };
  let epoch = "";
  let device = "";
  for (const event of events) {
    const { seq, kind, hash, body } = event;
    if (kind === "table.created" || kind === "table.imported") epoch = hash;
    const brought = body?.device as unknown as DeviceData | undefined;
    if (brought?.key === key) [device, places.seat] = [brought.id, String(body!.seat)];
    const call = callOf(event);
    if (!device || call?.device !== device || !call.lane || !call.counter || !epoch) continue;
    const { lane, counter } = call;
    places.seqs.set(`${lane} ${counter}`, seq);
    places.last.set(lane, Math.max(counter, places.last.get(lane) ?? 0));
    see({ lane, counter, seq, hash: hashOfCall(table, epoch, places.seat, call) });
  }
  return places;
}

interface Own {
  lane: string;
  counter: number;
  seq: number;
  hash: string;
}
interface Places {
  /** The seat whose device we are. */
  seat: string;
  seqs: Map<string, number>;
  /** The highest counter in each lane. */
  last: Map<string, number>;
}

function ofCalls(table: string, key: string, events: LogEvent[]): Protest[] {
  const found: Protest[] = [];
  const { seqs } = placesOf(table, key, events, ({ lane, counter, seq, hash }) => {
    if (isOwn(table, key, lane, counter, hash) === false) found.push({ what: "unsigned", seq });
  });
  const last = events.at(-1)?.seq ?? 0;
  for (const { lane, counter, seq } of settledCalls(table, key))
    if (seq <= last && seqs.get(`${lane} ${counter}`) !== seq) found.push({ what: "vanished", seq });
  return found;
}

/**
 * How many of our calls were never answered, as this browser remembers it. In a log the gap that they leave in our
 * counter can be filled by secret events of nothing. Only our own copy shows what was answered.
 */
export function neverAnswered(table: string, whose: unknown, events: LogEvent[]): number {
  const seed = knownTable(table)?.seed;
  if (!seed) return 0;
  const key = publicKey(seed);
  const { seat, seqs, last } = placesOf(table, key, events);
  if (!seat || whose !== seat) return 0;
  const lost = lostCalls(table, key).filter(({ lane, counter }) => counter < (last.get(lane) ?? 0));
  return lost.filter(({ lane, counter }) => !seqs.has(`${lane} ${counter}`)).length;
}
