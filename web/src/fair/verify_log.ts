// Checks a log in the browser, as docs/table/verifier.md says: everything that can be known without the rules of a
// game.
import type { Body, LogEvent } from "../state/types";
import { canonical, isHash, isPlain, toText } from "./bytes";
import { type SignedCall, CallChecker } from "./call_checker";
import { chainHash, digestOf, firstHash, sealedIn, sealOf } from "./chain";
import { EntryChecker } from "./entry_checker";
import { isDeep } from "./json";
import { PeopleChecker } from "./people_checker";
import { isComplete, ThrowChecker } from "./throw_checker";

/** The faults, by the names of the document. */
export type Fault =
  | "not a log"
  | "unknown format"
  | "too large"
  | "malformed event"
  | "wrong order"
  | "repeated event"
  | "dropped event"
  | "forged event"
  | "broken chain"
  | "withheld event"
  | "altered event"
  | "altered text"
  | "unsealed text"
  | "missing commitment"
  | "unsigned call"
  | "forged signature"
  | "repeated call"
  | "other log"
  | "replaced slot"
  | "forged act"
  | "forged call"
  | "forged refusal"
  | "forbidden act"
  | "reused key"
  | "altered key"
  | "unopened commitment"
  | "unopened key"
  | "altered witness number"
  | "reused witness number"
  | "altered witness"
  | "witness passed over"
  | "altered face or number"
  | "altered dice"
  | "altered outcome"
  | "unproven throw";
export interface LogProblem {
  /** The event; 0 for the log as a whole. */
  seq: number;
  fault: Fault;
  roll: string;
}
/** The parts that were checked, with the findings, and those that could not be. */
export interface LogReport {
  events: number;
  /** Fair throws that were drawn again, and their faces. */
  throws: number;
  faces: number;
  typed: number;
  signatures: number;
  /** Throws with the number of a witness. */
  witnessed: number;
  /** Throws that rest on the host's word, and throws signed with a key that a bot holds. */
  unsigned: number;
  held: number;
  /** Devices that came by another way than by one of the same seat: signed by a referee, or by nobody. */
  replaced: number;
  replacedUnsigned: number;
  /** Times that another host, or the same one from a copy, has taken the table up. */
  imports: number;
  /** Choices that were made for the roller, as was agreed. */
  agreed: number;
  unanswered: number;
  /** Calls whose dice wait for a witness. */
  waiting: number;
  refused: number;
  cancelled: number;
  /** Those of them in which dice had been seen. */
  regretted: number;
  undone: number;
  /** Rolls that nobody has ended, and those of them in which dice were seen. */
  open: number;
  openSeen: number;
  /** Secret rolls that were not shown by people who showed others. */
  kept: number;
  /** Witnesses who were asked for other calls, between what a device had seen and its own. */
  inserted: number;
  silent: number;
  /** Events that are withheld, erased texts, kinds that nobody here knows, throws whose key is not open yet. */
  sealed: number;
  erased: number;
  unknown: number;
  closed: number;
  /** Whether it is of a format that is not known here: by that it may be true. */
  beyond: boolean;
  /** Events that were left unchecked, because somebody did not want to wait. */
  left: number;
  head: string;
  problems: LogProblem[];
}
export type Tell = (kind: Fault) => void;
export interface Log {
  table: string;
  for?: string;
  events: LogEvent[];
}
interface Checking {
  /** Called now and then with the progress. */
  told?: (share: number, signatures: number) => void;
  /** Stops it: what is left is said to be so. */
  signal?: AbortSignal;
}

const FORMAT = 3;
const MOST_EVENTS = 200_000;
/** So deep may lie what is left unread; parsers differ on more. */
const MOST_NESTED = 500;
/** So long the check goes on before the page may do something else. */
const SLICE = 40;

const emptyReport = (): LogReport => ({
  events: 0,
  throws: 0,
  faces: 0,
  typed: 0,
  signatures: 0,
  witnessed: 0,
  unsigned: 0,
  held: 0,
  replaced: 0,
  replacedUnsigned: 0,
  imports: 0,
  agreed: 0,
  unanswered: 0,
  waiting: 0,
  refused: 0,
  cancelled: 0,
  regretted: 0,
  undone: 0,
  open: 0,
  openSeen: 0,
  kept: 0,
  inserted: 0,
  silent: 0,
  sealed: 0,
  erased: 0,
  unknown: 0,
  closed: 0,
  beyond: false,
  left: 0,
  head: "",
  problems: [],
});

/** The fault for which this is no log that can be checked. */
export function notALog(plain: unknown): Fault | null {
  if (!isNamed(plain)) return "not a log";
  const { format, table, events } = plain as Body;
  if (format !== FORMAT) return "unknown format";
  if (typeof table !== "string" || !/^[\0-\x7f]{1,64}$/.test(table)) return "not a log";
  if (!Array.isArray(events) || !events.length) return "not a log";
  if (events.length > MOST_EVENTS) return "too large";
  return isDeep(unread(plain as Body), MOST_NESTED) ? "not a log" : null;
}

/** The fields of an event that are looked into. */
const READ = new Set(["seq", "at", "kind", "open", "digest", "hash", "body", "salt"]);

/** What stands in a log and is no part of it; texts, of which a part is none, as well. */
function unread({ events, ...beside }: Body): unknown[] {
  const left = (event: unknown): unknown[] =>
    isNamed(event)
      ? Object.entries(event as object).flatMap(([name, held]) => (READ.has(name) ? [] : [held]))
      : [event];
  return [...Object.values(beside), ...(events as unknown[]).flatMap(left)];
}

/** Everything that does not fit, each with its place. */
export async function verifyLog(plain: unknown, { told, signal }: Checking = {}): Promise<LogReport> {
  const report = emptyReport();
  const tell = (seq: number, fault: Fault, roll = ""): unknown => report.problems.push({ seq, fault, roll });
  const wrong = notALog(plain);
  if (wrong) {
    tell(0, wrong);
    report.beyond = wrong === "unknown format" && typeof (plain as Body).format === "number";
    return report;
  }
  const log = plain as Log;
  const events = inOrder(log.events, tell);
  report.events = events.length;
  const check = new Check(log, events, report, tell);
  let last = firstHash(log.table);
  let [seq, at, since] = [0, 0, performance.now()];
  for (const [place, event] of events.entries()) {
    if (performance.now() - since > SLICE) {
      told?.(place / events.length, report.signatures);
      await pause();
      since = performance.now();
    }
    if (signal?.aborted) {
      report.left = events.length - place;
      break;
    }
    const faults = new Set<Fault>();
    const fault: Tell = (kind) => {
      if (!faults.has(kind)) tell(event.seq, kind, toText(event.body?.roll ?? event.open.roll ?? ""));
      faults.add(kind);
    };
    const missing = event.seq - seq - 1;
    if (missing) {
      tell(seq + 1, "dropped event");
      check.miss(missing);
    } else if (chainHash(last, event) !== event.hash) fault("broken chain");
    if (event.at < at) fault("wrong order");
    try {
      checkContents(event, report, fault);
      check.follow(event, fault, () =>
        [...faults].every((kind) => kind === "altered event" || kind === "broken chain"),
      );
    } catch {
      fault("malformed event");
      check.lose();
    }
    seq = event.seq;
    at = Math.max(at, event.at);
    last = event.hash;
  }
  try {
    check.finish();
  } catch {
    tell(seq, "malformed event");
  }
  report.head = last;
  report.problems.sort((a, b) => a.seq - b.seq);
  return report;
}

/** Lets the page do what waits. */
const pause = (): Promise<void> => new Promise((go) => setTimeout(go));

/** The well-formed events, by their numbers; misplaced and doubled ones are reported. */
function inOrder(log: LogEvent[], tell: (seq: number, fault: Fault) => unknown): LogEvent[] {
  const formed = log.filter((event, place) => isFormed(event) || void tell(place + 1, "malformed event"));
  const sorted = [...formed].sort((a, b) => a.seq - b.seq);
  const moved = formed.findIndex((event, place) => event !== sorted[place]);
  if (moved >= 0) tell(formed[moved]!.seq, "wrong order");
  return sorted.filter(
    (event, place) => event.seq !== (sorted[place - 1]?.seq ?? 0) || void tell(event.seq, "repeated event"),
  );
}

const isNamed = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isFormed(event: LogEvent): boolean {
  return (
    isNamed(event) &&
    isCount(event.seq) &&
    isCount(event.at) &&
    typeof event.kind === "string" &&
    /^.{1,60}$/su.test(event.kind) &&
    isNamed(event.open) &&
    isHash(event.digest) &&
    isHash(event.hash) &&
    (event.body == null || (isNamed(event.body) && isHash(event.salt))) &&
    (event.texts === undefined || isNamed(event.texts)) &&
    isPlain([event.kind, event.open, event.body ?? null])
  );
}

function checkContents(event: LogEvent, report: LogReport, fault: Tell): void {
  if (!event.body) {
    report.sealed += 1;
    return;
  }
  if (digestOf(event.salt!, event.body) !== event.digest || contradicts(event.open as Held, event.body))
    fault("altered event");
  const texts = new Map(Object.entries(event.texts ?? {}));
  const named = sealedIn(event.body);
  for (const [name, seals] of named) {
    const held = texts.get(name);
    if (held == null) report.erased += 1;
    else if (!fits(held, seals)) fault("altered text");
  }
  if ([...texts.keys()].some((name) => !named.has(name))) fault("unsealed text");
}

type Held = Record<string, unknown>;

/** Whether what everybody may see of an event says otherwise than its body. */
function contradicts(open: Held, body: Held): boolean {
  const differs = (shown: Held, inside: Held, names: string[]): boolean =>
    names.some((name) => canonical(shown[name]) !== canonical(inside[name]));
  const after = open.after as Held;
  const inside = body.after as Held;
  const asked = isNamed(open.witness) ? (open.witness as Held).seat : null;
  return (
    differs(
      open,
      body,
      ["by", "roll", "visibility"].filter((name) => name in open && name in body),
    ) ||
    (isNamed(inside) && canonical(inside.witness ?? null) !== canonical(asked ?? null)) ||
    (isNamed(after) && isNamed(inside) && differs(after, inside, Object.keys(after)))
  );
}

function fits({ salt, text }: { salt: string; text: string }, seals: Set<unknown>): boolean {
  if (!isHash(salt) || typeof text !== "string" || !isPlain(text)) return false;
  return seals.size === 1 && seals.has(sealOf(salt, text));
}

/** The kind of an event; of a roll that was not announced, only its audience knows it. */
const kindOf = ({ kind, body }: LogEvent): string => (kind === "sealed" && body ? toText(body.kind) : kind);

const HIDEABLE = [
  "sealed",
  "sheet.created",
  "sheet.changed",
  "sheet.removed",
  "chat.sent",
  "roll_request.created",
  "roll_request.closed",
];
/** Every kind of event that there is. */
const KINDS = new Set(
  [
    "table.created table.changed table.imported link.changed",
    "seat.joined seat.admitted seat.removed seat.moved seat.renamed seat.role_changed seat.styled person.erased",
    "roll.started roll.thrown roll.chosen roll.waiting roll.called roll.refused",
    "roll.taken_back roll.revealed roll.applied",
    "roll.declined roll.undone roll.cancelled sheet.created sheet.changed sheet.removed",
    "roll_request.created roll_request.answered roll_request.closed",
    "chat.sent witness.committed witness.revealed witness.timed_out session.ended",
  ].flatMap((line) => line.split(" ")),
);

/** How secret a roll may be. */
const SECRET = ["private", "blind", "hidden"];
/** Kinds of events by the host, and by newcomers. */
const BY_NOBODY = new Set(["table.created", "table.imported", "witness.timed_out", "seat.joined"]);

/** A check under way: what each event must be, given those before it. */
class Check {
  private people: PeopleChecker;
  private calls: CallChecker;
  private throws: ThrowChecker;
  private entries: EntryChecker;
  private outside: boolean;
  /** The role of the owner of the copy at its end; empty if they are not at the table then. */
  private role: string;
  /** The last event by which the table came from elsewhere. */
  private brought: number;

  constructor(
    private log: Log,
    events: LogEvent[],
    private report: LogReport,
    private tell: (seq: number, fault: Fault, roll: string) => unknown,
  ) {
    this.outside = isOutside(events, log.for ?? "");
    const told = events.filter(({ kind, body }) => body && kind === "roll.revealed");
    this.people = new PeopleChecker(!this.outside, new Set(told.map(({ body }) => toText(body!.roll))));
    this.role = roleOf(events, log.for ?? "");
    this.brought = events.findLast(({ kind }) => kind === "table.imported")?.seq ?? 0;
    this.calls = new CallChecker(log.table, events, this.people, report);
    this.throws = new ThrowChecker(this.calls, report);
    this.entries = new EntryChecker(
      events.filter(({ body }) => body).map((event) => ({ seq: event.seq, kind: kindOf(event), body: event.body! })),
      this.people,
      report,
    );
  }

  miss(events: number): void {
    this.calls.miss(events);
    this.entries.miss(events);
    this.lose();
  }

  /** Something of the table is not known from here on. */
  lose(): void {
    this.people.isWhole = false;
  }

  finish(): void {
    if (!this.report.left) this.checkCut(this.calls.end());
    this.entries.finish();
    this.calls.finish();
    this.throws.lapse();
  }

  /** All dice were thrown that were due by a call: none is kept for a better one. */
  private checkCut(called: SignedCall | null): void {
    if (called && this.entries.isCut(called)) this.tell(called.last, "dropped event", called.roll);
  }

  follow(event: LogEvent, fault: Tell, isSound: () => boolean): void {
    const { body } = event;
    const kind = kindOf(event);
    this.checkCut(this.calls.begin(event));
    if (!body) return this.withhold(event, fault);
    if (!KINDS.has(kind)) this.report.unknown += 1;
    else if (event.kind === "sealed" && !/^(roll\.|roll_request\.|sheet\.|chat\.)/.test(kind)) fault("forged event");
    if (this.people.isWhole && !BY_NOBODY.has(kind) && !this.people.seats.has(toText(body.by))) fault("forbidden act");
    // Another host takes a table up for a referee of it, or the same one from a copy, for nobody.
    if (kind === "table.imported" && body.by !== "" && this.people.isWhole && !this.people.isReferee(toText(body.by)))
      fault("forbidden act");
    if (kind === "seat.joined" && this.people.isWhole && !this.people.isNext(body)) fault("forbidden act");
    if (this.people.isWhole && this.people.comesToNothing(kind, body)) fault("forged event");
    const left = this.calls.left(kind, body);
    if (left) this.tell(left.last, "dropped event", left.roll);
    this.calls.check(event, kind, body, fault);
    if ((event.seq === 1) !== (kind === "table.created")) fault("wrong order");
    else if (kind === "table.created" && body.table !== this.log.table) fault("altered event");
    if (kind === "roll.refused") this.report.refused += 1;
    else if (kind.startsWith("roll.")) this.followRoll(event, kind, body, fault, isSound);
    if (kind.startsWith("witness.")) this.followWitness(event, kind, body, fault);
    if (kind === "session.ended" && this.people.isWhole && body.number !== this.people.session) fault("forged event");
    if (kind === "table.imported") {
      this.report.imports += 1;
      if (body.from_seq !== event.seq - 1) fault("dropped event");
      this.throws.lapse();
    }
    this.people.follow(event.seq, kind, body);
  }

  private withhold(event: LogEvent, fault: Tell): void {
    const { kind, open } = event;
    this.people.hasSecrets = true;
    if (kind === "roll.refused" && "by" in open) this.report.refused += 1;
    this.calls.withhold(event, fault);
    this.entries.withhold(event, fault);
    const isTold = kind !== "roll.started" || SECRET.includes(toText(open.visibility));
    const isRolls = kind.startsWith("roll.") && "roll" in open && "by" in open && isTold && !this.isForOwner(event);
    const marked = kind === "roll.refused" ? "by" in open : isRolls;
    if (!this.outside && !HIDEABLE.includes(kind) && !marked) fault("withheld event");
    if ((event.seq === 1) !== (kind === "table.created")) fault("wrong order");
  }

  /**
   * Whether a withheld event of a roll is for the owner of the copy all the same: who sees how a roll begins sees all
   * of it, but for dice that the rule hides. What came before the table was brought from elsewhere may be lost.
   */
  private isForOwner({ seq, kind, open }: LogEvent): boolean {
    if (kind === "roll.thrown") return false;
    if (this.entries.hasBegun(toText(open.roll))) return true;
    if (seq < this.brought || !this.role) return false;
    const visibility = toText(open.visibility);
    if (this.role === "referee" && ["private", "blind"].includes(visibility)) return true;
    return open.by === this.log.for && kind === "roll.started" && ["private", "hidden"].includes(visibility);
  }

  private followRoll(event: LogEvent, kind: string, body: Body, fault: Tell, isSound: () => boolean): void {
    const name = toText(body.roll);
    if (kind === "roll.started") this.checkStart(body, fault);
    this.entries.follow(event, kind, body, fault);
    if (kind === "roll.chosen" && body.agreed === true) this.report.agreed += 1;
    if (kind === "roll.thrown") this.followThrow(name, body, fault, isSound);
    if (this.entries.isOver(name)) this.throws.open(name, body.keys, fault);
  }

  /** Checks that a roll is one of the table's game, and that it says who may see it. */
  private checkStart({ what, visibility, announce }: Body, fault: Tell): void {
    const { request } = (what ?? {}) as Body;
    const { game } = this.people;
    if (request != null && game !== null && (request as Body).game !== game) fault("forged act");
    if (![...SECRET, "open"].includes(toText(visibility)) || typeof announce !== "boolean") fault("malformed event");
  }

  private followThrow(name: string, body: Body, fault: Tell, isSound: () => boolean): void {
    if (body.how === "fair") {
      const called = this.calls.found((body.fair as Body | null)?.call);
      if (called && called.roll === body.roll) this.entries.checkDue(called, body, fault);
      this.throws.check(body, this.entries.skipped(name), fault, isSound);
    } else if (body.how !== "typed" || body.fair !== null) fault("unproven throw");
    else if (!isComplete(body)) fault("altered dice");
    else this.report.typed += 1;
  }

  private followWitness(event: LogEvent, kind: string, body: Body, fault: Tell): void {
    const { witnesses } = this.calls;
    if (kind === "witness.committed") witnesses.offer(event, body, fault);
    else if (kind === "witness.revealed") this.calls.resume(witnesses.open(body, fault), event);
    else if (kind === "witness.timed_out") this.calls.resume(witnesses.passOver(event, body, fault), event);
  }
}

/** The role of a seat at the end of a log; empty if it is not at the table then. */
function roleOf(events: LogEvent[], seat: string): string {
  let [role, status] = ["", ""];
  for (const { kind, body } of events) {
    if (!body || !kind.startsWith("seat.") || body.seat !== seat) continue;
    status = kind === "seat.admitted" ? "here" : kind === "seat.removed" ? "removed" : toText(body.status ?? status);
    if (kind === "seat.joined" || kind === "seat.role_changed") role = toText(body.role);
  }
  return status === "here" ? role : "";
}

/** Whether this is the copy of somebody at the door, or who has left: nearly all of it is withheld. */
function isOutside(events: LogEvent[], seat: string): boolean {
  let status = "here";
  for (const { kind, body } of events) {
    if (!body) continue;
    if (body.seat !== seat || !kind.startsWith("seat.")) return false;
    status = kind === "seat.admitted" ? "here" : kind === "seat.removed" ? "removed" : toText(body.status ?? status);
  }
  return status !== "here";
}
