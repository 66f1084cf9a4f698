// Checks of calls: who signed them, with which slot, what they had seen, and what came of them.
import type { SignedCommand } from "../net/shapes";
import type { Body, LogEvent } from "../state/types";
import { hex, isHash, unhex, toText } from "./bytes";
import { ASKING, callHash, TABLE_LANE } from "./calls";
import type { LogReport, Tell } from "./verify_log";
import { keyFrom } from "./keys";
import type { PeopleChecker } from "./people_checker";
import { ActChecker } from "./act_checker";
import { slotOf } from "./stream";
import { WitnessChecker } from "./witness_checker";

/** Kinds of events that a signed command may be the act of. */
const ACTS: Record<string, string[]> = {
  "roll.start": ["roll.started"],
  "roll.repeat": ["roll.started"],
  "roll.throw": ["roll.thrown", "roll.called"],
  "roll.enter": ["roll.thrown"],
  "roll.choose": ["roll.chosen"],
  "roll.take_back": ["roll.taken_back"],
  "roll.cancel": ["roll.cancelled"],
  "witness.commit": ["witness.committed"],
  "witness.reveal": ["witness.revealed"],
  "seat.move": ["seat.moved"],
};
const SIGNED = new Set(Object.values(ACTS).flat());
const THROWING = ["roll.start", "roll.repeat", "roll.throw", "roll.choose"];
/** Kinds of events that may follow from a call beside its act. */
const FOLLOWING = [
  "roll.thrown",
  "roll.chosen",
  "roll.waiting",
  "sheet.changed",
  "roll_request.answered",
  "roll_request.closed",
];
/** Kinds of events by which a roll goes on. */
const ENTRIES = ["roll.thrown", "roll.chosen", "roll.taken_back", "roll.called"];
/** Kinds of events with which open rolls are given up. */
const ENDING = ["seat.removed", "session.ended"];
const FOUNDING = ["table.created", "table.imported"];
const BRINGING = ["seat.joined", "seat.moved"];

/** A call that is in the log, and what came of it so far. */
export interface SignedCall {
  seq: number;
  roll: string;
  by: string;
  hash: Uint8Array;
  slot: string;
  signed: boolean;
  /** The bot that holds the key. */
  held: string;
  /** The last event that its device had seen; null where nobody signed. */
  seen: number | null;
  /** Whether it asks for dice that are waited for, whatever the roll is thrown with otherwise. */
  byHand: boolean;
  throws: number;
  /** The bytes of their faces. */
  weight: number;
  /** Events among those that followed from it that may be throws, and say nothing of it. */
  sealed: number;
  /** Who typed faces in its roll since, without a call. */
  typer: string;
  /** The last event that followed from it without anything in between. */
  last: number;
  /** Whether dice were due by an event of its run that asked no witness. */
  due: boolean;
}

/** The removal of somebody, or the end of a session: open rolls are given up with it. */
interface Ending {
  by: string;
  /** Whose rolls; empty for everybody's. */
  seat: string;
  /** The last event that followed from it without anything in between. */
  last: number;
}

const fields = (value: unknown): Body =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Body) : {};
const isCounter = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const matches = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);

const FORM: Record<string, (value: unknown) => boolean> = {
  device: matches(/^d[1-9][0-9]{0,8}$/),
  lane: matches(/^(d[1-9][0-9]{0,8}|table)$/),
  counter: isCounter,
  seen: isCounter,
  head: matches(/^[0-9a-f]{32}$/),
  slot: matches(/^([0-9a-f]{64})?$/),
  number: matches(/^([0-9a-f]{64})?$/),
  command: (value) => typeof fields(value).do === "string",
  signature: matches(/^[0-9a-f]{128}$/),
};

const hasForm = (plain: Body): boolean =>
  Object.keys(plain).length === Object.keys(FORM).length &&
  Object.entries(FORM).every(([name, fits]) => Object.hasOwn(plain, name) && fits(plain[name]));

const kindOf = ({ kind, body }: LogEvent): string => (kind === "sealed" && body ? toText(body.kind) : kind);

/** Every call of a log, its signature and its slot, from event to event. */
export class CallChecker {
  readonly witnesses: WitnessChecker;
  private acts: ActChecker;
  private epoch = "0".repeat(64);
  /** The last event by which the table came to a host, and who brought it. */
  private brought = "";
  private lanes = new Map<string, { slot: string; at: number }>();
  /** Who did what the next change of a sheet may follow from; null if that is unknown. */
  private acted: string | null = null;
  private published = new Set<string>();
  /** The keys of all devices. */
  private keys = new Set<unknown>();
  /** The calls of a device in one lane, and how much was unreadable here by then. */
  private tallies = new Map<string, { counter: number; unseen: number }>();
  private unseen = 0;
  /** Number of unreadable events by the seat they are said to belong to, or of any. */
  private unseenOf = new Map<string, number>();
  private calls = new Map<number, SignedCall>();
  /** The call that the events right before followed from. */
  private run: SignedCall | null = null;
  private ending: Ending | null = null;
  /** Whether this event gives a roll up with that. */
  private letGo = false;
  /** The calls whose dice wait for a witness, by their rolls. */
  private waiting = new Map<string, SignedCall>();
  private hashes: Map<number, string>;
  private next: Map<number, LogEvent>;

  constructor(
    private table: string,
    events: LogEvent[],
    private people: PeopleChecker,
    private report: LogReport,
  ) {
    this.hashes = new Map(events.map(({ seq, hash }) => [seq, hash]));
    this.next = new Map(events.slice(1).map((event, place) => [events[place]!.seq, event]));
    this.witnesses = new WitnessChecker(people, report);
    this.acts = new ActChecker(people);
  }

  found(seq: unknown): SignedCall | undefined {
    return this.calls.get(seq as number);
  }

  /** Takes note of events that are missing, each of which may have been a call. */
  miss(events: number): void {
    this.acted = null;
    this.unseen += events;
    this.countUnseen("", events);
    this.lanes.clear();
    this.waiting.clear();
    this.run = null;
  }

  /** Follows the run of events that one call led to; the call whose run ends before this one. */
  begin(event: LogEvent): SignedCall | null {
    this.ending = endingAt(event, this.ending);
    this.letGo = this.isLetGo(event);
    const run = this.run;
    if (!run || event.seq !== run.last + 1 || !follows(event, run)) return this.end();
    run.last = event.seq;
    if (!event.body && event.kind === "roll.thrown") run.throws += 1;
    if (!event.body && event.kind === "sealed") run.sealed += 1;
    return null;
  }

  /** The run that goes on ends here. */
  end(): SignedCall | null {
    const run = this.run;
    this.run = null;
    return run;
  }

  /**
   * Whether a roll is given up with its roller, who was removed, or with the session. Not while its dice wait for a
   * witness: they were called for, and there is no way out.
   */
  private isLetGo(event: LogEvent): boolean {
    const { by, roll } = event.body ?? {};
    if (!this.ending || kindOf(event) !== "roll.cancelled" || by !== this.ending.by) return false;
    if (this.waiting.has(toText(roll))) return false;
    const roller = this.acts.rollerOf(roll);
    return !roller || !this.ending.seat || this.ending.seat === roller;
  }

  /** Whether an event follows from a call with nothing else in between. */
  isRunning(called: SignedCall): boolean {
    return this.run === called;
  }

  /** Goes on with a call whose witness has answered or was passed over: dice may follow from it. */
  resume(call: number | null, { seq }: LogEvent): void {
    const called = call === null ? undefined : this.calls.get(call);
    if (!called) return;
    this.run = called;
    this.waiting.delete(called.roll);
    called.last = seq;
  }

  /** Takes note of an event that cannot be looked into: slots are shown all the same. */
  withhold(event: LogEvent, fault: Tell): void {
    this.acted = null;
    this.unseen += 1;
    if (FOUNDING.includes(event.kind)) this.epoch = event.hash;
    if (event.kind.startsWith("roll.")) this.countUnseen(toText(event.open.by ?? ""), 1);
    this.publish(event, event.kind, null, fault);
    this.witnesses.withhold(event, fault);
  }

  private countUnseen(seat: string, events: number): void {
    this.unseenOf.set(seat, (this.unseenOf.get(seat) ?? 0) + events);
  }

  /**
   * How many events there were so far that may hold a call of a device in a lane. What is not announced is called
   * for in the lane of the table. Anything else says whose it is, but where a referee had a roll made again.
   */
  private unseenBy(device: string, lane: string): number {
    const seat = this.people.devices.get(device)?.seat;
    if (lane === TABLE_LANE || seat === undefined || this.people.isReferee(seat)) return this.unseen;
    return (this.unseenOf.get(seat) ?? 0) + (this.unseenOf.get("") ?? 0);
  }

  /** Checks the call of an event, or that it needs none. */
  check(event: LogEvent, kind: string, body: Body, fault: Tell): void {
    if (FOUNDING.includes(kind)) {
      this.epoch = event.hash;
      this.brought = `${event.seq} ${toText(body.by)}`;
      this.report.unanswered += this.witnesses.lapse();
      this.waiting.clear();
    }
    if (BRINGING.includes(kind)) this.checkDevice(event, fields(body.device), fault);
    this.checkFollower(event, kind, body, fault);
    let made: SignedCall | null = null;
    if (body.call != null) made = this.called(event, kind, body, fields(body.call), fault);
    else if (this.mustBeSigned(event, kind, body)) fault("unsigned call");
    this.publish(event, kind, made, fault);
    if ("witness" in event.open && kind !== "witness.timed_out") this.checkAsked(event, kind, body, made, fault);
    if (this.run?.last === event.seq && waitsForDice(body)) this.run.due = true;
    if (kind === "seat.moved") this.countMove(body, made);
    if (kind.startsWith("roll.")) this.acts.follow(event.seq, kind, body);
  }

  /** Checks that what follows from a call is said to be done by who called. */
  private checkFollower({ seq }: LogEvent, kind: string, body: Body, fault: Tell): void {
    const { run } = this;
    const isFollower = !!run && run.seq < seq && seq === run.last;
    const cause = fields(body.cause);
    // Whom nobody signs for types faces without a call.
    if (isFollower && kind === "roll.thrown" && body.how === "typed") run.typer = toText(body.by);
    const by = isFollower ? run.typer || run.by : this.acted;
    let isTold = isFollower && (kind === "roll.waiting" || kind === "roll_request.answered");
    if (kind === "sheet.changed" && !("hand" in cause)) isTold = by !== null && !("undo" in cause);
    else this.acted = toText(body.by);
    if (isTold && body.by !== by) fault("forged act");
  }

  /**
   * Checks an event that asks a witness: dice follow from its call, or from that of its run. It asks where the first
   * of them are due, neither before nor behind that.
   */
  private checkAsked(event: LogEvent, kind: string, body: Body, made: SignedCall | null, fault: Tell): void {
    const run = made ? null : this.run;
    if (run) {
      // There is one number for each call.
      if (!this.witnesses.isDue(run.seq) || run.due) fault("witness passed over");
      this.askWitness(event, run, fault);
    }
    if (run || (made?.slot && kind !== "roll.refused")) {
      if (!ASKING.includes(kind) || !waitsForDice(body)) fault("witness passed over");
      return;
    }
    this.witnesses.waste(event);
    if (this.people.isWhole) fault("witness passed over");
  }

  /** The call whose dice wait for a witness, and are left for those of another. */
  left(kind: string, body: Body): SignedCall | null {
    const roll = toText(body.roll);
    const waiting = this.waiting.get(roll);
    const ends = kind === "roll.cancelled" || kind === "roll.undone";
    if (!waiting || !(ends || (ENTRIES.includes(kind) && body.call != null))) return null;
    this.waiting.delete(roll);
    return ends ? null : waiting;
  }

  /** Counts the calls whose dice nobody has seen yet. */
  finish(): void {
    this.report.waiting += this.waiting.size;
  }

  /** Checks that a device that comes is the next one, with a key and a slot of its own. */
  private checkDevice({ open }: LogEvent, device: Body, fault: Tell): void {
    const { devices, isWhole } = this.people;
    if (!Object.keys(device).length || !isWhole) return;
    const { id, key } = device;
    const isKnown = this.keys.has(key);
    this.keys.add(key);
    if (id !== `d${devices.size + 1}` || isKnown || !isHash(key) || !keyFrom(key)) fault("forged event");
    if (Object.keys(fields(open.slots)).join() !== id) fault("missing commitment");
  }

  /** Whether an event that cannot be looked into may spend a slot of a lane. */
  private maySpend({ kind, open }: LogEvent, lane: string): boolean {
    if (lane === TABLE_LANE || !this.people.isWhole) return true;
    const device = this.people.devices.get(lane);
    if (kind === "sealed" || !device) return false;
    return device.seat === open.by || this.people.isReferee(device.seat);
  }

  private publish(event: LogEvent, kind: string, made: SignedCall | null, fault: Tell): void {
    const { seq, open, body } = event;
    const { isWhole } = this.people;
    const listed = fields(open.slots);
    if (open.slots !== undefined && listed !== open.slots) fault("missing commitment");
    if (kind === "table.imported") this.lanes.clear();
    if (FOUNDING.includes(kind) && this.lanesDue().some((lane) => !Object.hasOwn(listed, lane)))
      fault("missing commitment");
    const brought = BRINGING.includes(kind) ? fields(body?.device).id : undefined;
    for (const [lane, slot] of Object.entries(listed)) {
      if (!isHash(slot)) {
        fault("missing commitment");
        continue;
      }
      if (this.published.has(slot)) fault("reused key");
      const known = this.lanes.get(lane);
      const isNew = FOUNDING.includes(kind) || (lane === brought && !known);
      const isSpent = body ? !!known && made?.slot === known.slot : this.maySpend(event, lane);
      if (!isNew && !isSpent && (isWhole || known)) fault("replaced slot");
      this.published.add(slot);
      this.lanes.set(lane, { slot, at: seq });
    }
  }

  /** The lanes that whoever takes the table up commits to. */
  private lanesDue(): string[] {
    const signing = this.people.isWhole ? [...this.people.devices.values()].filter(({ gone }) => !gone) : [];
    return [TABLE_LANE, ...signing.map(({ id }) => id)];
  }

  /** Whether an event is the act of somebody who signs, and nothing that follows from one. */
  private mustBeSigned(event: LogEvent, kind: string, body: Body): boolean {
    if (kind === "roll.refused") return true;
    if (!SIGNED.has(kind) || !this.people.isWhole) return false;
    if (!this.people.devicesOf(body.by).length) return kind === "roll.started"; // whose dice nothing could follow from
    if (kind === "roll.thrown") return body.how === "typed" && !!(body.faces as unknown[] | null)?.length;
    if (kind === "roll.chosen") return body.agreed !== true;
    // At another host nobody's page has a key.
    if (kind === "seat.moved" && body.seat === body.by) return this.brought !== `${event.seq - 1} ${toText(body.by)}`;
    return kind !== "roll.cancelled" || !(this.isRolledAgain(event, body) || this.letGo);
  }

  /** Whether a roll was cancelled to be rolled again: the next event was called for. */
  private isRolledAgain({ seq }: LogEvent, { roll }: Body): boolean {
    const after = this.next.get(seq);
    // The new one may still be hidden where this one is not, because only the old roll was revealed.
    if (after && !after.body) return this.acts.mayHide(roll, after.kind);
    const command = fields(fields(after?.body?.call).command);
    return command.do === "roll.repeat" && command.roll === roll;
  }

  private called(event: LogEvent, kind: string, body: Body, plain: Body, fault: Tell): SignedCall | null {
    const made = hasForm(plain)
      ? this.signed(event, kind, body, plain as unknown as Required<SignedCommand>, fault)
      : this.unsigned(event, kind, body, plain, fault);
    if (made?.slot && kind !== "roll.refused") {
      this.calls.set(event.seq, made);
      this.run = made;
      this.askWitness(event, made, fault);
    }
    return made;
  }

  private askWitness(event: LogEvent, made: SignedCall, fault: Tell): void {
    if (!this.witnesses.call(event, made, fault)) return;
    this.run = null;
    this.waiting.set(made.roll, made);
  }

  private unsigned(event: LogEvent, kind: string, body: Body, call: Body, fault: Tell): SignedCall | null {
    const { slot, number, seat } = call;
    if (kind === "roll.refused") fault("unsigned call"); // which is written of signed calls alone
    if (
      Object.keys(call).length !== 3 ||
      !isHash(slot) ||
      typeof seat !== "string" ||
      !(number === "" || isHash(number))
    ) {
      fault("malformed event");
      return null;
    }
    const isAgain = kind === "roll.started" && body.again != null;
    this.checkCaller(body, seat, isAgain, fault);
    if (isAgain && this.acts.repeatDiffers(body)) fault("forged act");
    if (this.people.isWhole && this.people.devicesOf(seat).length) fault("unsigned call");
    this.checkSlot(event, TABLE_LANE, slot, null, fault);
    const made = this.made(event, body, seat, "", call as unknown as SignedCommand, false, "");
    return { ...made, byHand: ACTS["roll.throw"]!.includes(kind) };
  }

  private made(
    { seq }: LogEvent,
    body: Body,
    by: string,
    seat: string,
    call: SignedCommand,
    signed: boolean,
    held: string,
  ): SignedCall {
    const hash = callHash(this.table, this.epoch, seat, call);
    const byHand = fields(call.command).do === "roll.throw";
    const none = { throws: 0, weight: 0, sealed: 0, typer: "", last: seq, due: false };
    const seen = signed ? call.seen! : null;
    return { seq, roll: toText(body.roll ?? ""), by, hash, slot: call.slot, signed, held, seen, byHand, ...none };
  }

  private signed(
    event: LogEvent,
    kind: string,
    body: Body,
    call: Required<SignedCommand>,
    fault: Tell,
  ): SignedCall | null {
    const device = this.people.devices.get(call.device);
    if (!device) {
      if (this.people.isWhole) fault("forged signature");
      return null;
    }
    if (device.gone) fault("forbidden act");
    if (!call.slot !== !call.number) fault("malformed event");
    const made = this.made(event, body, device.seat, device.seat, call, true, device.held);
    this.report.signatures += 1;
    if (!keyFrom(device.key)?.fits(made.hash, unhex(call.signature))) fault("forged signature");
    this.checkCaller(body, device.seat, call.command.do === "roll.repeat" && kind === "roll.started", fault);
    const isSilent = event.kind === "sealed";
    if (kind.startsWith("roll.") && isSilent !== (call.lane === TABLE_LANE)) fault("forged event");
    this.checkCounter(call, fault);
    if (call.seen >= event.seq || !(this.hashes.get(call.seen) ?? call.head).startsWith(call.head)) fault("other log");
    this.checkAct(kind, body, call, fault);
    if (call.lane !== device.id && call.lane !== TABLE_LANE) fault("replaced slot");
    else if (call.slot && kind === "roll.refused") this.checkRefusal(event, body, call, fault);
    else if (call.slot) this.checkSlot(event, call.lane, call.slot, call.seen, fault);
    return made;
  }

  /** Checks that the seat that acts called for it; a referee may have a roll made again. */
  private checkCaller({ by }: Body, caller: string, isAgain: boolean, fault: Tell): void {
    if (by !== caller && !(isAgain && this.people.isReferee(caller))) fault("forged act");
  }

  private checkCounter({ device, lane, counter }: Required<SignedCommand>, fault: Tell): void {
    const name = `${device} ${lane}`;
    const known = this.tallies.get(name) ?? { counter: 0, unseen: 0 };
    const gap = counter - known.counter - 1;
    if (gap < 0) return fault("repeated call");
    const unseen = this.unseenBy(device, lane);
    this.report.unanswered += gap - Math.max(0, Math.min(gap, unseen - known.unseen));
    this.tallies.set(name, { counter, unseen });
  }

  private checkSlot({ open }: LogEvent, lane: string, slot: string, seen: number | null, fault: Tell): void {
    const known = this.lanes.get(lane);
    if (!known) {
      if (this.people.isWhole) fault("missing commitment");
      return;
    }
    if (known.slot !== slot || (seen !== null && known.at > seen)) fault("replaced slot");
    if (Object.keys(fields(open.slots)).join() !== lane) fault("missing commitment");
  }

  /** A refusal opens the key, so that nobody can use it for another call. */
  private checkRefusal(event: LogEvent, body: Body, { lane, slot, seen }: SignedCommand, fault: Tell): void {
    if (body.code === "stale_slot") {
      const known = this.lanes.get(lane!);
      if (known?.slot === slot && known.at <= seen!) fault("forged refusal");
      return;
    }
    this.checkSlot(event, lane!, slot, null, fault);
    if (!isHash(body.key) || hex(slotOf(unhex(body.key))) !== slot) fault("altered key");
  }

  /** Checks that an event is what was signed, as far as it holds that. */
  private checkAct(kind: string, body: Body, call: Required<SignedCommand>, fault: Tell): void {
    const what = toText(call.command.do);
    if (kind === "roll.refused") {
      if (!THROWING.includes(what)) fault("forged act");
    } else if (!ACTS[what]?.includes(kind) || this.acts.differs(kind, body, call)) fault("forged act");
  }

  /** Counts devices that came by another way than by one of the same seat. */
  private countMove({ seat, device }: Body, made: SignedCall | null): void {
    const isNew = device !== undefined || this.people.devicesOf(seat).length > 0;
    if (isNew && made?.by !== seat) this.report[made ? "replaced" : "replacedUnsigned"] += 1;
  }
}

/** Whether a roll waits for dice after an event of it. */
const waitsForDice = ({ after }: Body): boolean => fields(after).step === "throw";

function follows(event: LogEvent, { roll }: SignedCall): boolean {
  const { body, open } = event;
  // What publishes a slot is a call of its own.
  if (!body) return (open.roll === roll || event.kind === "sealed") && !("slots" in open);
  const kind = kindOf(event);
  if (!FOLLOWING.includes(kind) || "call" in body) return false;
  if (kind === "sheet.changed") return fields(body.cause).roll === roll;
  if (kind === "roll.chosen" && body.agreed !== true) return false;
  return kind === "roll_request.closed" || body.roll === roll;
}

/** What open rolls are given up with, as far as this event belongs to it. */
function endingAt(event: LogEvent, before: Ending | null): Ending | null {
  const { seq, body } = event;
  const kind = kindOf(event);
  if (body && ENDING.includes(kind)) return { by: toText(body.by), seat: toText(body.seat ?? ""), last: seq };
  if (!before || seq !== before.last + 1 || (body && "call" in body)) return null;
  const isRenewed = kind === "sheet.changed" && (!body || "session" in fields(body.cause));
  return event.kind === "roll.cancelled" || isRenewed ? { ...before, last: seq } : null;
}
