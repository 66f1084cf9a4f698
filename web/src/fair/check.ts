// Checks a log in the browser, as docs/table/verifier.md says: everything that can be known without the rules of a game.
import { canonical, isPlain } from "./bytes";
import { chainHash, digestOf, firstHash, sealOf, sealedIn } from "./chain";
import { Entries } from "./entries";
import { due, type Given } from "./own";
import { Throws } from "./throws";
import type { Body, LogEvent } from "../state/types";

/** What can be wrong, by the names of the document; and a throw of ours made with another number than the one given. */
export type Fault =
  | "malformed event" | "wrong order" | "repeated event" | "dropped event" | "forged event" | "broken chain" | "withheld event" | "altered event"
  | "altered text" | "unsealed text" | "missing commitment" | "forged number" | "reused key" | "altered key" | "unopened commitment" | "altered nonce"
  | "altered witness nonce" | "reused witness nonce" | "altered witness" | "witness passed over" | "altered face or nonce" | "altered dice" | "unproven throw"
  | "another number";
export interface Found { seq: number; fault: Fault; roll: string }
export interface Report {
  events: number; throws: number; typed: number; sealed: number; faces: number; witnessed: number; erased: number;
  head: string; problems: Found[];
}
export type Tell = (kind: Fault) => void;
export interface Log { table: string; for?: string; events: LogEvent[] }
interface Checking { told?: (share: number) => void; own?: Given[] }

/** Everything that does not fit, each with its place; `own` is what this browser gave to its throws. */
export async function checkLog(log: Log, { told, own = [] }: Checking = {}): Promise<Report> {
  const report: Report = { events: log.events.length, throws: 0, typed: 0, sealed: 0, faces: 0, witnessed: 0, erased: 0, head: "", problems: [] };
  const tell = (seq: number, fault: Fault, roll = ""): unknown => report.problems.push({ seq, fault, roll });
  const events = inOrder(log.events, tell);
  const check = new Check(log, events, report);
  const numbers = await due(own, events);
  let last = await firstHash(log.table);
  let seq = 0, at = 0;
  for (const [place, event] of events.entries()) {
    const faults = new Set<Fault>();
    const fault: Tell = (kind) => {
      if (!faults.has(kind)) tell(event.seq, kind, String(event.body?.roll ?? event.open.roll ?? ""));
      faults.add(kind);
    };
    const missing = event.seq - seq - 1;
    if (missing) {
      tell(seq + 1, "dropped event");
      check.miss(missing);
    } else if ((await chainHash(last, event)) !== event.hash) fault("broken chain");
    if (event.at < at) fault("wrong order");
    try {
      await checkContents(event, report, fault);
      await check.follow(event, fault, () => [...faults].every((kind) => kind === "altered event" || kind === "broken chain"));
      if (isAnother(event, numbers.get(event.seq))) fault("another number");
    } catch {
      fault("malformed event");
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
  const formed = log.filter((event, place) => isFormed(event) || void tell(place + 1, "malformed event"));
  const sorted = [...formed].sort((a, b) => a.seq - b.seq);
  const moved = formed.findIndex((event, place) => event !== sorted[place]);
  if (moved >= 0) tell(formed[moved].seq, "wrong order");
  return sorted.filter((event, place) => event.seq !== (sorted[place - 1]?.seq ?? 0) || void tell(event.seq, "repeated event"));
}

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === "string" && pattern.test(value);
const isNamed = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isFormed(event: LogEvent): boolean {
  const hash = /^[0-9a-f]{64}$/;
  return (
    isNamed(event) && isCount(event.seq) && isCount(event.at) && isText(event.kind, /^.{1,60}$/su) && isNamed(event.open) &&
    isText(event.digest, hash) && isText(event.hash, hash) && (event.body == null || (isNamed(event.body) && isText(event.salt, hash))) &&
    (event.texts == null || isNamed(event.texts)) && isPlain([event.kind, event.open, event.body ?? null])
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
  if ((await digestOf(event.salt!, event.body)) !== event.digest || contradicts(event.open as Held, event.body)) fault("altered event");
  const texts = new Map(Object.entries(event.texts ?? {}));
  const named = sealedIn(event.body);
  for (const [name, seals] of named) {
    const held = texts.get(name);
    if (!held) report.erased += 1;
    else if (!(await fits(held, seals))) fault("altered text");
  }
  if ([...texts.keys()].some((name) => !named.has(name))) fault("unsealed text");
}

type Held = Record<string, unknown>;

/** Whether what everybody may see of an event says otherwise than its body. */
function contradicts(open: Held, body: Held): boolean {
  const differs = (shown: Held, inside: Held, names: string[]): boolean => names.some((name) => canonical(shown[name]) !== canonical(inside[name]));
  const after = open.after as Held, inside = body.after as Held;
  return differs(open, body, ["by", "roll", "visibility"].filter((name) => name in open && name in body)) || (isNamed(after) && isNamed(inside) && differs(after, inside, Object.keys(after)));
}

async function fits({ salt, text }: { salt: string; text: string }, seals: Set<unknown>): Promise<boolean> {
  if (!isText(salt, /^[0-9a-f]{64}$/) || !isPlain(text) || typeof text !== "string") return false;
  return seals.size === 1 && seals.has(await sealOf(salt, text));
}

/** Of a roll that was not announced, only those who may see it are told what the event is. */
const kindOf = ({ kind, body }: LogEvent): string => (kind === "sealed" && body ? String(body.kind) : kind);

const HIDEABLE = ["sealed", "sheet.made", "sheet.changed", "sheet.removed", "said", "ask.made", "ask.closed"];

/** A check under way: what each event must be, given those before it. */
class Check {
  private throws: Throws;
  private entries: Entries;
  private outside: boolean;

  constructor(private log: Log, events: LogEvent[], private report: Report) {
    this.throws = new Throws(log.table, events);
    this.entries = new Entries(events.filter(({ body }) => body).map((event) => ({ seq: event.seq, kind: kindOf(event), body: event.body! })));
    this.outside = isOutside(events, log.for ?? "");
  }

  miss(events: number): void {
    this.throws.miss(events);
    this.entries.miss(events);
  }

  async follow(event: LogEvent, fault: Tell, sound: () => boolean): Promise<void> {
    const { open, body } = event;
    const kind = kindOf(event);
    if (kind === "table.imported") this.throws.witnesses.forget();
    if (kind === "table.created" || kind === "table.imported") this.throws.publish(event, fault);
    if (!body) {
      this.entries.withhold(event);
      if ("number" in open) this.throws.withhold(event, fault);
      if (!this.outside && !HIDEABLE.includes(event.kind) && !(event.kind.startsWith("roll.") && "roll" in open)) fault("withheld event");
      return;
    }
    if ((event.seq === 1) !== (kind === "table.created")) fault("wrong order");
    else if (kind === "table.created" && body.table !== this.log.table) fault("altered event");
    if (kind === "table.imported" && body.from_seq !== event.seq - 1) fault("dropped event");
    if (kind.startsWith("roll.")) this.entries.follow({ seq: event.seq, kind, body }, fault);
    if (kind === "roll.thrown") await this.checkThrow(event, body, fault, sound);
    if (kind === "seat.removed") this.throws.witnesses.remove(String(body.seat));
    if (kind === "witness.offered") this.throws.witnesses.offer(String(body.by), body.commitments, fault);
  }

  private async checkThrow(event: LogEvent, body: Body, fault: Tell, sound: () => boolean): Promise<void> {
    this.report.throws += 1;
    this.report.faces += (body.faces as unknown[]).length;
    if (body.how === "fair") this.report.witnessed += Number(await this.throws.check(event, body, fault, sound));
    else if (body.how !== "typed" || body.fair || "number" in event.open) fault("unproven throw");
    else this.report.typed += 1;
  }
}

/** Whether this is the copy of somebody at the door, or who has left: nearly all of it is withheld. */
function isOutside(events: LogEvent[], seat: string): boolean {
  let status = "here";
  for (const { kind, body } of events) {
    if (!body) continue;
    if (body.seat !== seat || !kind.startsWith("seat.")) return false;
    status = kind === "seat.admitted" ? "here" : kind === "seat.removed" ? "removed" : String(body.status ?? status);
  }
  return status !== "here";
}

