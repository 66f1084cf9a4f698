// Checks of rolls without their rules: every entry in its place, from the beginning of a roll to its end.
import { canonical, toText } from "./bytes";
import type { SignedCall } from "./call_checker";
import type { LogReport, Tell } from "./verify_log";
import type { PeopleChecker } from "./people_checker";
import { groupsOf, sizeOf } from "./pools";
import type { Plain } from "../net/shapes";
import type { Body, LogEvent } from "../state/types";

/** After so many throws of one command a roll waits, and may then be gone on with by hand. */
const THROWS = 100;
/** So long may a roll be, and so many bytes have the faces of one command, before it waits. */
const ENTRIES_OF_ONE = 2000;
const BYTES = 64_000;
const DICE = 1000;
const ENTRIES = ["roll.thrown", "roll.chosen", "roll.taken_back"];
const ENDS = ["done", "stopped"];
/** The steps that events of rolls may lead to. */
const STEPS: Record<string, string[]> = {
  "roll.started": ["throw", "choice", "done"],
  "roll.thrown": ["throw", "choice", ...ENDS],
  "roll.chosen": ["throw", "choice", "done"],
  "roll.taken_back": ["throw", "choice"],
  "roll.waiting": ["choice"],
  "roll.called": ["throw"],
};
/** Kinds of events after which less of what a roll does waits. */
const DECIDING = ["roll.revealed", "roll.applied", "roll.declined"];
const SECRET = ["private", "blind", "hidden"];
const OVER = ["roll.cancelled", "roll.undone"];

interface Followed {
  count: number;
  ways: string[];
  /** How much could not be looked into by its last entry. */
  unseen: number;
  partial: boolean;
  over: boolean;
  settled: boolean;
  physical: boolean;
  /** Entries right before the last one which may be throws that are hidden from us. */
  skipped: number;
  /** Whether people throw the dice of it that are theirs. */
  each: boolean;
  /** The step that it waits for, as its last event says. */
  after: Body;
  /** The policy for its choices. */
  policy: string;
  by: string;
  /** Whether its beginning was seen. */
  known: boolean;
  visibility: Plain;
  /** Whether others were not shown it, and whether they do not even learn that it was rolled. */
  secret: boolean;
  silent: boolean;
  /** The event of its last throw. */
  threwAt: number;
  /** The sheets on which something waits that it does. */
  waits: unknown[];
}
/** A secret roll of which nothing is known but that somebody makes it. */
interface Heard {
  by: string;
  /** Whether it says that it waits for something. */
  open: boolean;
  dice: boolean;
  over: boolean;
  settled: boolean;
}
export interface EntryView {
  seq: number;
  kind: string;
  body: Body;
}

/** Whether a call has thrown so much, or its roll is so long, that the next dice wait. */
const isLong = ({ throws, weight }: Pick<SignedCall, "throws" | "weight">, entries: number, dice: number): boolean =>
  throws >= THROWS || weight > BYTES || entries >= ENTRIES_OF_ONE || dice > DICE;

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const hasDice = (ways: string[]): boolean => ways.some((way) => way === "fair" || way === "typed");

/** Whether a roll waits for nothing more. */
const isEnd = (after: unknown): boolean => ENDS.includes(toText((after as Body | null)?.step));

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The number in the name of a roll that is counted; 0 for others. */
const numberOf = (name: unknown): number => Number(/^r([1-9][0-9]{0,8})$/.exec(toText(name))?.[1] ?? 0);

export class EntryChecker {
  private rolls = new Map<string, Followed>();
  private begins = new Set<string>();
  private heard = new Map<string, Heard>();
  /** Who has shown secret rolls, with how many more nobody had heard of at the last. */
  private showing = new Map<string, number>();
  /** Events that were withheld or are missing: each may belong to any roll. */
  private unseen = 0;
  private missing = 0;
  /** The number of the last roll that began. */
  private last = 0;
  /** The last event that was withheld. */
  private withheldAt = 0;
  /** Places in the log at which rolls begin and entries occur, to tell wrong order from loss. */
  private places = new Map<string, number>();

  constructor(
    shown: EntryView[],
    private people: PeopleChecker,
    private report: LogReport,
  ) {
    for (const { seq, kind, body } of shown) {
      if (kind === "roll.started") this.places.set(toText(body.roll), seq);
      else if (kind === "roll.thrown" || kind === "roll.chosen")
        this.places.set(`${toText(body.roll)} ${toText(body.index)}`, seq);
    }
  }

  miss(events: number): void {
    this.unseen += events;
    this.missing += events;
  }

  /** Whether the beginning of a roll was shown. */
  hasBegun(roll: string): boolean {
    return this.begins.has(roll);
  }

  /** Whether a roll has ended. */
  isOver(roll: string): boolean {
    return !!this.rolls.get(roll)?.over;
  }

  /** How many throws right before its last entry may be hidden from us, of a roll that is not announced. */
  skipped(roll: string): number {
    return this.rolls.get(roll)?.skipped ?? 0;
  }

  /** Whether dice that were due by a call were kept back; a roll that has become long may wait for another call. */
  isCut({ roll: name, by, byHand, throws, weight }: SignedCall): boolean {
    const roll = this.rolls.get(name);
    if (!roll || roll.over || roll.partial || roll.after.step !== "throw") return false;
    // Of a roll that is not announced, nothing says of a throw that the rule hides which roll it is of.
    if (roll.silent && this.unseen > roll.unseen) return false;
    if (!throws && byHand) return true;
    const dice = groupsOf(roll.after.pool);
    const isShort = !throws || !isLong({ throws, weight }, roll.count, sizeOf(dice ?? []));
    const isTheirs = !roll.each || roll.after.by === by;
    return isShort && !roll.physical && isTheirs && !!dice;
  }

  /** Checks that a call throws the dice due by it and no others: no host may choose whether. */
  checkDue(called: SignedCall, { pool }: Body, fault: Tell): void {
    const roll = this.rolls.get(called.roll);
    if (!roll || roll.partial) return;
    if (called.throws && isLong(called, roll.count - 1, sizeOf(groupsOf(pool) ?? []))) fault("wrong order");
    else if (roll.physical && (called.throws || !called.byHand)) fault("forged call");
  }

  withhold({ seq, kind, open }: LogEvent, fault: Tell): void {
    this.unseen += 1;
    this.withheldAt = seq;
    const isNamed = typeof open.roll === "string" && open.roll !== `r${this.last + 1}`;
    if (kind === "roll.started" && this.people.isWhole && isNamed) fault("forged event");
    this.last = Math.max(this.last, numberOf(open.roll));
    const name = toText(open.roll);
    const roll = this.rolls.get(name);
    if (roll) roll.partial ||= ENTRIES.includes(kind);
    else if (typeof open.roll === "string") this.hear(name, kind, open, fault);
  }

  /** Takes note of what everybody may know of a secret roll. */
  private hear(name: string, kind: string, open: LogEvent["open"], fault: Tell): void {
    if (kind === "roll.started" && !this.heard.has(name))
      this.heard.set(name, { by: toText(open.by), open: false, dice: false, over: false, settled: false });
    const heard = this.heard.get(name);
    if (!heard) return;
    this.checkHeard(heard, kind, toText((open.after as Body | undefined)?.step), fault);
    heard.dice ||= kind === "roll.thrown";
    if (OVER.includes(kind)) {
      this.countOver(kind, heard.dice);
      heard.open = false;
    } else if ("after" in open) heard.open = !isEnd(open.after);
  }

  /** Checks that a roll which is hidden from us ends as others do, as far as everybody may know. */
  private checkHeard(heard: Heard, kind: string, step: string, fault: Tell): void {
    const isStep = kind in STEPS;
    const isPast = kind === "roll.taken_back" ? heard.settled : heard.over;
    const goesOn = (isStep && kind !== "roll.started") || kind === "roll.cancelled";
    const isAmiss = kind === "roll.undone" ? heard.settled || !heard.over : goesOn && isPast;
    if (isAmiss && !this.missing) fault("forged event");
    if (isStep) heard.over = ENDS.includes(step);
    heard.over ||= OVER.includes(kind);
    heard.settled ||= OVER.includes(kind) || step === "stopped";
  }

  /** Counts a roll that was given up, or undone. */
  private countOver(kind: string, hasDice: boolean): void {
    if (kind === "roll.undone") this.report.undone += 1;
    else {
      this.report.cancelled += 1;
      this.report.regretted += Number(hasDice);
    }
  }

  /** Checks that whoever shows one of many rolls that nobody heard of says how many there are. */
  private reveal(roll: Followed, { unshown }: Body, fault: Tell): void {
    const { by, silent, secret } = roll;
    const { people } = this;
    roll.secret = false;
    if (!this.showing.has(by)) this.showing.set(by, 0);
    if (!silent || !secret) return;
    const known = [...this.rolls.values()].filter((one) => one.by === by && one.secret && one.silent).length;
    const isTold = people.isWhole && people.seats.has(by) && people.seats.get(by)!.role !== "referee";
    if (isTold && !(isCount(unshown) && unshown >= known)) fault("forged event");
    this.showing.set(by, isCount(unshown) ? unshown : 0);
  }

  /** Counts what the rolls came to. */
  finish(): void {
    const rolls = [...this.rolls.values()];
    const heard = [...this.heard].filter(([name]) => !this.rolls.has(name)).map(([, one]) => one);
    const open = [
      ...rolls.filter(({ over }) => !over).map(({ ways }) => hasDice(ways)),
      ...heard.filter((one) => one.open).map(({ dice }) => dice),
    ];
    this.report.open = open.length;
    this.report.openSeen = open.filter(Boolean).length;
    for (const [seat, unshown] of this.showing) {
      const kept = [...rolls.filter(({ secret, silent }) => secret && !silent), ...heard];
      this.report.kept += kept.filter(({ by }) => by === seat).length + unshown;
    }
  }

  follow(event: LogEvent, kind: string, body: Body, fault: Tell): void {
    const { seq } = event;
    const name = toText(body.roll);
    if (typeof body.roll !== "string") return fault("malformed event");
    const after = (body.after ?? {}) as Body;
    const step = toText(after.step);
    const ends = ENDS.includes(step);
    const isStep = STEPS["roll.thrown"]!.includes(step);
    if (STEPS[kind] && !STEPS[kind].includes(step)) fault(isStep ? "forged event" : "malformed event");
    else if (step === "stopped" && body.how !== "fair") fault("forged event"); // only a rule at dice may fail
    const checkPlace = ({ count, partial, over }: Followed): void => {
      if (!partial && !over && !ends && (after.index ?? count) !== count) fault("altered outcome");
    };
    if (kind === "roll.started") {
      if (this.rolls.has(name)) return fault("repeated event");
      this.begins.add(name);
      this.checkName(name, seq, body, fault);
      const policy = typeof body.policy === "string" ? body.policy : "";
      const how = { physical: body.physical !== false, each: body.each === true, policy };
      const visibility = body.visibility ?? null;
      const isSecret = SECRET.includes(toText(visibility));
      const secrecy = { known: true, visibility, secret: isSecret, silent: isSecret && body.announce === false };
      const whose = { by: toText(body.by), ...secrecy };
      const roll = { ...this.begun(0), ...how, ...whose, over: ends, after, waits: listed(after.waits) };
      this.rolls.set(name, roll);
      this.checkSecrecy(roll, event, kind, fault);
      this.checkAsking(roll, event, kind, fault);
      return checkPlace(roll);
    }
    const roll = this.rolls.get(name) ?? this.unknown(seq, kind, body, fault);
    const isEntry = ENTRIES.includes(kind);
    const isTold = kind === "roll.waiting" || kind === "roll.called";
    this.checkSecrecy(roll, event, kind, fault);
    if (DECIDING.includes(kind)) this.decide(roll, kind, body, fault);
    const waited = roll.after;
    if (isEntry || isTold) roll.after = after;
    if (isEntry) this.enter(roll, seq, kind, body, waited, fault);
    // A roll ends once, by an entry or by being given up; only one with an outcome is undone.
    const isAmiss =
      kind === "roll.undone" ? roll.settled || !roll.over : (isTold || kind === "roll.cancelled") && roll.over;
    if (isAmiss && !roll.partial) fault("forged event");
    if (isTold) this.checkTold(roll, event, kind, fault);
    if (kind === "roll.revealed") this.reveal(roll, body, fault);
    if (isEntry) roll.waits = listed(after.waits);
    if (OVER.includes(kind)) {
      this.countOver(kind, hasDice(roll.ways));
      roll.waits = [];
    }
    if (OVER.includes(kind) || step === "stopped") roll.settled = true;
    if (OVER.includes(kind) || (ends && isEntry && kind !== "roll.taken_back")) roll.over = true;
    this.checkAsking(roll, event, kind, fault);
    if (isEntry) roll.unseen = this.unseen;
    if (isEntry || isTold) checkPlace(roll);
  }

  /** Checks that an entry is what the roll waits for, as the event before says: the dice are due that it names. */
  private checkEntry(roll: Followed, waited: Body, kind: string, body: Body, fault: Tell): void {
    if (!roll.known || roll.partial || kind === "roll.taken_back") return;
    const isThrow = kind === "roll.thrown";
    if (waited.step !== (isThrow ? "throw" : "choice")) fault("forged event");
    else if (isThrow && canonical(waited.pool ?? null) !== canonical(body.pool ?? null)) fault("altered dice");
  }

  /** Checks that what a roll does is let happen, or not, only where it waits. */
  private decide(roll: Followed, kind: string, body: Body, fault: Tell): void {
    const sheets = listed(body.sheets);
    const isRevealed = kind === "roll.revealed";
    const isRight = sheets.every((sheet) => roll.waits.includes(sheet)) && (isRevealed || sheets.length > 0);
    if (roll.known && !this.missing && (!isRight || (isRevealed && !roll.secret))) fault("forged event");
    roll.waits = roll.waits.filter((sheet) => !sheets.includes(sheet));
  }

  /**
   * Checks that an event is just as secret as its roll, but for dice that the rule hides: nothing of an open one can
   * be kept from anybody, and that a roll is revealed is for all to see.
   */
  private checkSecrecy(roll: Followed, { kind: outside, open }: LogEvent, kind: string, fault: Tell): void {
    if (!roll.known) return;
    const isSecret = roll.secret && kind !== "roll.revealed";
    const isSilent = isSecret && roll.silent;
    const isTold = isSecret && !isSilent;
    const isMarked = "roll" in open && (isSecret || kind !== "roll.thrown");
    const saysWho = "by" in open && (kind !== "roll.started" || "visibility" in open);
    const isWrongly = "visibility" in open && (!isTold || open.visibility !== roll.visibility);
    const isRight = (outside === "sealed") === isSilent && isMarked === isTold && !isWrongly;
    if (!isRight || (isTold && !saysWho)) fault("forged event");
  }

  /** Checks an event that says whom hidden dice wait for, or that dice wait for a witness. */
  private checkTold({ threwAt }: Followed, { seq, open }: LogEvent, kind: string, fault: Tell): void {
    const isBehind = [threwAt, this.withheldAt].includes(seq - 1) || this.missing > 0;
    if (!(kind === "roll.called" ? "witness" in open : isBehind)) fault("forged event");
  }

  /** Checks that dice which wait for a witness are the table's. */
  private checkAsking({ known, partial, physical }: Followed, { open }: LogEvent, kind: string, fault: Tell): void {
    if ("witness" in open && kind !== "roll.called" && known && !partial && physical) fault("witness passed over");
  }

  private begun(count: number): Followed {
    const none = { ways: [], partial: false, over: false, settled: false, after: {}, policy: "" };
    const unknown = { known: false, visibility: null, threwAt: 0, waits: [] };
    const whose = { by: "", secret: false, silent: false };
    return {
      ...none,
      ...unknown,
      ...whose,
      physical: true,
      each: false,
      skipped: 0,
      count,
      unseen: this.unseen,
    };
  }

  /** Rolls are numbered one after the other; one that is not announced, by its event. */
  private checkName(name: string, seq: number, { announce }: Body, fault: Tell): void {
    const due = announce === false ? `r0${seq}` : `r${this.last + 1}`;
    if (name !== due && !this.missing) fault("forged event");
    this.last = Math.max(this.last, numberOf(name));
  }

  /** A roll whose beginning was not seen. */
  private unknown(seq: number, kind: string, body: Body, fault: Tell): Followed {
    const roll = this.begun((isCount(body.index) ? body.index : 0) + Number(kind === "roll.taken_back"));
    this.rolls.set(toText(body.roll), roll);
    if (this.missing) roll.partial = true;
    else if (this.unseen) {
      roll.partial = true;
      fault("withheld event");
    } else fault((this.places.get(toText(body.roll)) ?? 0) > seq ? "wrong order" : "dropped event");
    return roll;
  }

  private enter(roll: Followed, seq: number, kind: string, body: Body, waited: Body, fault: Tell): void {
    const back = Number(kind === "roll.taken_back");
    roll.skipped = 0;
    // The choice by which a roll ended may be taken back where it was agreed: then it goes on.
    if (back && !roll.settled && roll.ways.at(-1) === "agreed") roll.over = false;
    if (!isCount(body.index)) fault("malformed event");
    else if (roll.over) fault("forged event");
    else if (body.index === roll.count - back) this.checkEntry(roll, waited, kind, body, fault);
    else this.place(roll, seq, toText(body.roll), body.index, back, fault);
    if (back) {
      roll.count = Math.max(0, roll.count - 1);
      const way = roll.ways.pop();
      const taken = way === "chosen" || way === "agreed" ? "choice" : "faces";
      if (way === "fair" || ((way || !roll.partial) && body.taken !== taken)) fault("forged event");
      return;
    }
    if (kind === "roll.thrown") roll.threwAt = seq;
    if (kind === "roll.thrown" && body.how !== "fair" && (body.faces as unknown[]).length && !this.mayType(roll))
      fault("unproven throw");
    if (kind === "roll.chosen" && body.agreed === true && !roll.policy && !roll.partial) fault("forged event");
    roll.count += 1;
    roll.ways.push(kind !== "roll.chosen" ? toText(body.how) : body.agreed === true ? "agreed" : "chosen");
  }

  private place(roll: Followed, seq: number, name: string, index: number, back: number, fault: Tell): void {
    const due = roll.count - back;
    roll.count = index + back;
    if (index > due && this.unseen > roll.unseen) {
      roll.partial = true;
      roll.skipped = roll.silent ? index - due : 0;
    } else fault((this.places.get(`${name} ${due}`) ?? 0) > seq ? "wrong order" : "dropped event");
  }

  private mayType({ physical, partial, ways }: Followed): boolean {
    if (physical || partial) return true;
    let since = 0;
    for (let place = ways.length - 1; place >= 0 && since < THROWS && ways[place] !== "chosen"; place--)
      since += Number(ways[place] !== "agreed");
    return since >= THROWS;
  }
}
