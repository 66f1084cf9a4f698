// Checks a log in the browser: chain, contents, promises, witnesses, faces. Rules are replayed by the server or offline.
import { chainHash, digestOf, firstHash, sealOf, sealedIn } from "./chain";
import { due, type Given } from "./own";
import { Throws, type ThrowFault } from "./throws";
import type { Body, LogEvent } from "../state/types";

export type Fault = ThrowFault | "gap" | "twice" | "order" | "chain" | "body" | "text" | "stray" | "unproven" | "nonce" | "other";
export interface Found { seq: number; fault: Fault; roll: string }
export interface Report {
  events: number; throws: number; typed: number; sealed: number; faces: number; witnessed: number; erased: number;
  head: string; problems: Found[];
}
type Tell = (kind: Fault) => void;

/** Everything that does not fit, each with its place; `own` is what this browser gave to its throws. */
export async function checkLog(table: string, log: LogEvent[], told?: (share: number) => void, own: Given[] = []): Promise<Report> {
  const report: Report = { events: log.length, throws: 0, typed: 0, sealed: 0, faces: 0, witnessed: 0, erased: 0, head: "", problems: [] };
  const tell = (seq: number, fault: Fault, roll = ""): unknown => report.problems.push({ seq, fault, roll });
  const events = inOrder(log, tell);
  const throws = new Throws(table);
  const numbers = await due(own, events);
  let last = await firstHash(table);
  let seq = 0, at = 0;
  for (const [place, event] of events.entries()) {
    const fault: Tell = (kind) => tell(event.seq, kind, String(event.body?.roll ?? event.open.roll ?? ""));
    const missing = event.seq - seq - 1;
    if (missing) {
      fault("gap");
      throws.miss(missing);
    } else if ((await chainHash(last, event)) !== event.hash) fault("chain");
    if (event.at < at) fault("order");
    try {
      await checkContents(event, report, fault);
      await checkFairness(table, event, throws, report, fault);
      if (isAnother(event, numbers.get(event.seq))) fault("nonce");
    } catch {
      fault("form");
    }
    seq = event.seq;
    at = Math.max(at, event.at);
    last = event.hash;
    if (told && place % 200 === 0) told(place / events.length);
  }
  report.head = last;
  report.problems.sort((a, b) => a.seq - b.seq);
  return report;
}

/** The events that have the form of one, by their numbers; those in another place or there twice are told. */
function inOrder(log: LogEvent[], tell: (seq: number, fault: Fault) => unknown): LogEvent[] {
  const formed = log.filter((event, place) => isFormed(event) || void tell(place + 1, "form"));
  const sorted = [...formed].sort((a, b) => a.seq - b.seq);
  const moved = formed.findIndex((event, place) => event !== sorted[place]);
  if (moved >= 0) tell(formed[moved].seq, "order");
  return sorted.filter((event, place) => event.seq !== sorted[place - 1]?.seq || void tell(event.seq, "twice"));
}

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value);
const isNamed = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isFormed(event: LogEvent): boolean {
  const hash = /^[0-9a-f]{64}$/;
  return (
    isNamed(event) && isCount(event.seq) && isCount(event.at) && isText(event.kind, /^.{1,60}$/s) && isNamed(event.open) &&
    isText(event.digest, hash) && isText(event.hash, hash) && (event.body == null || (isNamed(event.body) && isText(event.salt, hash)))
  );
}

/** Whether a throw was made with another number than the one that this browser gave. */
function isAnother({ body }: LogEvent, due: string | undefined): boolean {
  const fair = body?.fair as { nonce: string } | null | undefined;
  return due !== undefined && !!fair && fair.nonce !== due;
}

async function checkContents(event: LogEvent, report: Report, fault: Tell): Promise<void> {
  if (!event.body) {
    report.sealed += 1;
    return;
  }
  if ((await digestOf(event.salt!, event.body)) !== event.digest) fault("body");
  const texts = new Map(Object.entries(event.texts ?? {}));
  for (const [name, seal] of sealedIn(event.body)) {
    const held = texts.get(name);
    texts.delete(name);
    if (!held) report.erased += 1;
    else if ((await sealOf(held.salt, held.text)) !== seal) fault("text");
  }
  if (texts.size) fault("stray");
}

async function checkFairness(table: string, event: LogEvent, throws: Throws, report: Report, fault: Tell): Promise<void> {
  const { open, body } = event;
  // Of a roll that was not announced, only those who may see it are told what the event is.
  const kind = event.kind === "sealed" && body ? String(body.kind) : event.kind;
  if (kind === "table.created" && body && (event.seq !== 1 || body.table !== table)) fault("other");
  if (kind === "table.imported") throws.witnesses.forget();
  if (kind === "table.created" || kind === "table.imported") throws.publish(event, fault);
  if (!body) {
    if ("number" in open) throws.withhold(event, fault);
    return;
  }
  if (kind === "seat.removed") throws.witnesses.remove(String(body.seat));
  if (kind === "witness.offered") throws.witnesses.offer(String(body.by), body.commitments as string[], fault);
  if (kind === "roll.thrown") await checkThrow(event, body, throws, report, fault);
}

async function checkThrow(event: LogEvent, body: Body, throws: Throws, report: Report, fault: Tell): Promise<void> {
  report.throws += 1;
  report.faces += (body.faces as unknown[]).length;
  if (body.how === "fair") {
    report.witnessed += Number(await throws.check(event, body, fault));
  } else if (body.how !== "typed" || body.fair || "number" in event.open) fault("unproven");
  else report.typed += 1;
}
