// Checks one throw at an open table, from what the page has loaded of its log.
import { isOwn, offersOf } from "../net/device";
import type { SignedCommand, FairThrow } from "../net/shapes";
import { knownTable } from "../net/tokens";
import { callOf, kindOf } from "../state/reducer";
import type { Table } from "../state/table";
import type { Body, LogEvent, Roll, ThrowEntry } from "../state/types";
import { canonical, hex, unhex } from "./bytes";
import { callHash, TABLE_LANE } from "./calls";
import { digestOf } from "./chain";
import { keyFrom } from "./keys";
import { groupsOf } from "./pools";
import { publicKey } from "./signing";
import { drawFaces, slotOf } from "./stream";

/** Who called for a throw: this browser, somebody's device, a bot for them, nobody who signs; or it cannot be known. */
export type ThrowCaller = "you" | "device" | "held" | "unsigned" | "far";

/** The findings on a throw; null for what is unknown here. */
export interface ThrowCheck {
  entry: ThrowEntry;
  /** Whether the event is as it was chained. */
  body: boolean;
  /** Whether the host's key opens what was published before the call. */
  key: boolean | null;
  /** Whether the key stays closed until the roll ends. */
  closed: boolean;
  caller: ThrowCaller;
  /** The bot that holds the key. */
  held: string;
  /** Whether the call is as its device signed it. */
  signed: boolean | null;
  /** Whether this browser never signed what is there in its name. */
  forged: boolean;
  /** Calls of others in the lane of the table, between what the device had seen and its call. */
  between: number;
  /** The witness whose number was used; empty without one. */
  witness: string;
  /** Whether that was this browser. */
  mine: boolean;
  /** Witnesses who were asked and, as the host says, did not answer. */
  silent: string[];
  faces: boolean | null;
  numbers: { key: string; number: string; witness: string };
}

export function verifyThrow(entry: ThrowEntry, roll: Roll, table: Table): ThrowCheck {
  const event = table.event(entry.seq)!;
  const fair = entry.fair!;
  const key = fair.key ?? keyAtEnd(fair, roll, table);
  const asked = witnessesOf(entry, roll, table);
  const called = checkCall(fair.call, table);
  const settled = { witness: unhex(asked.number), place: fair.throw };
  const dice = groupsOf(entry.pool);
  return {
    entry,
    ...called.about,
    ...asked,
    body: digestOf(event.salt!, event.body) === event.digest,
    key: key && called.published ? hex(slotOf(unhex(key))) === called.published : null,
    closed: !key,
    faces:
      key && called.hash && dice
        ? canonical(drawFaces({ key: unhex(key), call: called.hash, ...settled }, dice)) === canonical(entry.faces)
        : null,
    numbers: { key, number: called.number, witness: asked.number },
  };
}

/** The key of a call where the end of the roll opens it; empty while it is closed. */
function keyAtEnd({ call }: FairThrow, roll: Roll, table: Table): string {
  const keys = table.rollEvents(roll.id).map(({ body }) => body?.keys as Body | undefined);
  return String(keys.find((one) => one && String(call) in one)?.[String(call)] ?? "");
}

interface CallChecked {
  about: Pick<ThrowCheck, "caller" | "held" | "signed" | "forged" | "between">;
  hash: Uint8Array | null;
  /** The slot that it names, if that had been published before. */
  published: string;
  number: string;
}

const FAR: CallChecked = {
  about: { caller: "far", held: "", signed: null, forged: false, between: 0 },
  hash: null,
  published: "",
  number: "",
};

function checkCall(seq: number, table: Table): CallChecked {
  const event = table.event(seq);
  const call = event && callOf(event);
  const epoch = table.epochAt(seq);
  const device = table.devices.value.find(({ id }) => id === call?.device);
  if (!call || !epoch || (call.device && !device)) return FAR;
  const hash = callHash(table.id, epoch, device?.seat ?? "", call);
  const found = { hash, published: publishedBefore(call, seq, table), number: call.number };
  if (!device) return { ...found, about: { caller: "unsigned", held: "", signed: null, forged: false, between: 0 } };
  const signed = keyFrom(device.key)?.fits(hash, unhex(call.signature!)) ?? false;
  const seed = knownTable(table.id)?.seed;
  const mine = !!seed && publicKey(seed) === device.key;
  const own = mine ? isOwn(table.id, device.key, call.lane!, call.counter!, hex(hash)) : null;
  const caller = own ? "you" : device.held ? "held" : "device";
  const between = betweenOf(call, seq, table);
  return { ...found, about: { caller, held: device.held ?? "", signed, forged: own === false, between } };
}

/** The slot of a call, where an event that its device had seen published it; empty where that lies further back. */
function publishedBefore({ slot, seen }: SignedCommand, seq: number, table: Table): string {
  const isIn = ({ seq: at, open }: LogEvent): boolean =>
    at <= (seen ?? seq - 1) && Object.values(open.slots ?? {}).includes(slot);
  return table.known().some(isIn) ? slot : "";
}

function betweenOf({ lane, seen }: SignedCommand, seq: number, table: Table): number {
  if (lane !== TABLE_LANE) return 0;
  return table.known().filter(({ seq: at, open }) => at > seen! && at < seq && open.slots?.[TABLE_LANE]).length;
}

/** The witnesses that were asked for a call: who gave a number, and who is said to have been silent. */
function witnessesOf(
  { seq, fair }: ThrowEntry,
  roll: Roll,
  table: Table,
): Pick<ThrowCheck, "witness" | "mine" | "silent"> & { number: string } {
  const silent: string[] = [];
  const since = table.rollEvents(roll.id).filter((event) => event.seq >= fair!.call && event.seq < seq);
  const asked = new Set(since.filter(({ open }) => open.witness).map((event) => event.seq));
  for (const event of table.known()) {
    const { body } = event;
    if (!body || !asked.has(Number(body.asked))) continue;
    if (kindOf(event) === "witness.timed_out") {
      silent.push(String(body.seat));
      asked.add(event.seq);
    }
    if (kindOf(event) === "witness.revealed") {
      const number = String(body.number);
      return { witness: String(body.by), mine: Object.values(offersOf(table.id)).includes(number), silent, number };
    }
  }
  return { witness: "", mine: false, silent, number: "" };
}

export const holds = (one: ThrowCheck): boolean =>
  one.body && one.key !== false && one.faces !== false && one.signed !== false && !one.forged;

/** Whether nothing is wrong with the dice of a roll, as far as that is known here. */
export function isFair(roll: Roll, table: Table): boolean {
  const throws = roll.entries.filter((entry): entry is ThrowEntry => entry.kind === "thrown" && !!entry.fair);
  try {
    return throws.every((entry) => holds(verifyThrow(entry, roll, table)));
  } catch {
    return false;
  }
}
