// A comparison of what this browser remembers of a table with a whole log of it.
import { isOwn, lastHead, placedCalls } from "../net/device";
import { knownTable } from "../net/tokens";
import { protestsOf, type Protest } from "../state/calling";
import { callOf } from "../state/folding";
import type { DeviceSaid } from "../net/shapes";
import type { LogEvent } from "../state/types";
import { hashOfCall, publicKey } from "./signing";

/** The differences between the log and this browser's memory. */
export function remembered(table: string, events: LogEvent[]): Protest[] {
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

function ofCalls(table: string, key: string, events: LogEvent[]): Protest[] {
  const found: Protest[] = [];
  const places = new Map<string, number>();
  let epoch = "";
  let device = "";
  let seat = "";
  for (const event of events) {
    const { seq, kind, hash, body } = event;
    if (kind === "table.created" || kind === "table.imported") epoch = hash;
    const brought = body?.device as unknown as DeviceSaid | undefined;
    if (brought?.key === key) [device, seat] = [brought.id, String(body!.seat)];
    const call = callOf(event);
    if (!device || call?.device !== device || !call.lane || !call.counter || !epoch) continue;
    places.set(`${call.lane} ${call.counter}`, seq);
    if (isOwn(table, key, call.lane, call.counter, hashOfCall(table, epoch, seat, call)) === false)
      found.push({ what: "unsigned", seq });
  }
  const last = events.at(-1)?.seq ?? 0;
  for (const { lane, counter, seq } of placedCalls(table, key))
    if (seq <= last && places.get(`${lane} ${counter}`) !== seq) found.push({ what: "vanished", seq });
  return found;
}
