// Checks of witnesses: asked in their turn, heard, or said to have been silent.
import type { Body, LogEvent } from "../state/types";
import { hex, isHash, unhex, written } from "./bytes";
import { ASKING } from "./calls";
import type { Report, Tell } from "./check";
import { countTo, type People } from "./people";
import { offerOf } from "./stream";

/** A call that dice follow from, and the last event that its device had seen; null where nobody signed. */
export interface Caller {
  seq: number;
  by: string;
  seen: number | null;
}

/** A call whose dice wait, by the event that asks. */
interface Asked {
  /** Null where the event is withheld. */
  caller: Caller | null;
  seat: string;
  offer: string;
}

export class Witnesses {
  /** Numbers that wait to be asked for, the oldest first, each with its seat and the event that offered it. */
  private offers = new Map<string, { seat: string; at: number }>();
  /** The same by their seats. */
  private ready = new Map<string, Map<string, number>>();
  private known = new Set<string>();
  private asked = new Map<number, Asked>();
  /** All events that asked. */
  private turns: number[] = [];
  private numbers = new Map<number, Uint8Array>();
  /** Calls that wait for a witness's number. */
  private due = new Set<number>();

  constructor(
    private people: People,
    private report: Report,
  ) {}

  /** The number that a witness gave for a call; empty if there was none. */
  numberOf(call: number): Uint8Array {
    return this.numbers.get(call) ?? new Uint8Array();
  }

  /** Whether dice of a call had to wait for a witness, and did not. */
  isDue(call: number): boolean {
    return this.due.has(call);
  }

  /** Starts the offers afresh, since another host goes on. Returns how many calls waited for a number. */
  lapse(): number {
    const waiting = new Set([...this.asked.values()].map(({ caller }) => caller?.seq)).size;
    this.offers.clear();
    this.ready.clear();
    this.asked.clear();
    return waiting;
  }

  offer({ seq }: LogEvent, { by, commitments }: Body, fault: Tell): void {
    for (const one of Array.isArray(commitments) ? commitments : [null]) {
      if (!isHash(one)) fault("malformed event");
      else if (this.known.has(one)) fault("reused witness number");
      else {
        this.known.add(one);
        const seat = written(by);
        this.offers.set(one, { seat, at: seq });
        if (!this.ready.has(seat)) this.ready.set(seat, new Map());
        this.ready.get(seat)!.set(one, seq);
      }
    }
  }

  /** Checks the witness that an unreadable event asks. */
  withhold({ seq, kind, open }: LogEvent, fault: Tell): void {
    const asked = open.witness as { seat?: unknown; offer?: unknown } | undefined;
    if (!asked || typeof asked !== "object" || !Object.keys(asked).length) return;
    const seat = written(asked.seat);
    const offer = written(asked.offer);
    if (kind !== "sealed" && !ASKING.includes(kind)) fault("witness passed over");
    else if (this.people.isWhole && !this.mayBeAsked(seat, offer)) fault("witness passed over");
    this.take(seq, { caller: null, seat, offer });
  }

  /** Takes note of an event that asks for a number which no dice follow from. */
  waste({ seq, open }: LogEvent): void {
    const { seat, offer } = (open.witness ?? {}) as { seat?: unknown; offer?: unknown };
    this.take(seq, { caller: null, seat: written(seat), offer: written(offer) });
  }

  private take(seq: number, asked: Asked): void {
    this.ready.get(this.offers.get(asked.offer)?.seat ?? "")?.delete(asked.offer);
    this.offers.delete(asked.offer);
    this.asked.set(seq, asked);
    this.turns.push(seq);
  }

  /** Checks that a call asks the witness that is due; whether its dice wait for one. */
  call(event: LogEvent, caller: Caller, fault: Tell): boolean {
    const { seen } = caller;
    if (seen !== null && this.people.hadWitnesses(seen))
      if ("witness" in event.open || (event.seq === caller.seq && !this.find(caller)))
        this.report.inserted += this.turns.length - countTo(this.turns, seen);
    return this.ask(event, caller, fault);
  }

  private ask({ seq, open }: LogEvent, caller: Caller, fault: Tell): boolean {
    const due = this.find(caller);
    const asked = open.witness as { seat?: unknown; offer?: unknown } | undefined;
    if (!asked || typeof asked !== "object" || !Object.keys(asked).length) {
      if (due) this.due.add(caller.seq); // unless no dice follow from it
      return false;
    }
    const seat = written(asked.seat);
    const offer = written(asked.offer);
    if (due?.[0] !== offer || due[1] !== seat) fault("witness passed over");
    this.take(seq, { caller, seat, offer });
    this.due.add(caller.seq);
    return true;
  }

  /**
   * The oldest offer of somebody else who was here. Offers and people count as the device which called had seen them,
   * and so does whether dice wait for a witness: the host could choose among them once it knows the call's number.
   */
  private find({ by, seen }: Caller): [string, string] | undefined {
    const until = seen ?? this.people.head;
    if (!this.people.hadWitnesses(until)) return undefined;
    let [oldest, due]: [number, [string, string] | undefined] = [until + 1, undefined];
    for (const [seat, ready] of this.ready)
      for (const [offer, at] of ready) {
        if (at < oldest && seat !== by && this.people.wasHere(seat, until)) [oldest, due] = [at, [offer, seat]];
        break;
      }
    return due;
  }

  /**
   * Whether it may be the turn of a witness where nobody knows who called, and had seen what. It is the second's turn
   * if the first called; who came or left since their offer may have been away, or still here.
   */
  private mayBeAsked(seat: string, offer: string): boolean {
    const offered = this.offers.get(offer);
    if (offered?.seat !== seat || !this.people.mayHaveWitnesses(offered.at)) return false;
    const isHere = this.people.isHereSince(seat, offered.at);
    if (isHere === false || (isHere && this.firstOf(seat)?.[0] !== offer)) return false;
    const isBefore = (one: string): boolean => one !== seat && (this.firstOf(one)?.[1] ?? Infinity) < offered.at;
    return [...this.ready.keys()].filter(isBefore).length < 2;
  }

  /** The oldest offer of a seat that has surely been here ever since, and where it stands. */
  private firstOf(seat: string): [string, number] | undefined {
    for (const [offer, at] of this.ready.get(seat) ?? []) if (this.people.isHereSince(seat, at)) return [offer, at];
    return undefined;
  }

  /** Checks the number that a witness gives; returns the call whose dice follow then. */
  open(body: Body, fault: Tell): number | null {
    const waiting = this.waiting(body, fault);
    if (!waiting) return null;
    if (body.by !== waiting.seat) fault("altered witness");
    if (!isHash(body.number) || hex(offerOf(unhex(body.number))) !== waiting.offer) {
      fault("altered witness number");
      return null;
    }
    const { caller } = waiting;
    if (!caller) return null;
    this.numbers.set(caller.seq, unhex(body.number));
    this.due.delete(caller.seq);
    return caller.seq;
  }

  /** Takes note of a witness who is said to have been silent; the call if dice follow now. */
  passOver(event: LogEvent, body: Body, fault: Tell): number | null {
    const waiting = this.waiting(body, fault);
    const seat = written(body.seat);
    for (const offer of this.ready.get(seat)?.keys() ?? []) this.offers.delete(offer);
    this.ready.delete(seat);
    this.report.silent += 1;
    if (waiting && waiting.seat !== body.seat) fault("altered witness");
    if (!waiting?.caller) {
      this.withhold(event, fault); // of a roll that is not shown, whose next witness is asked all the same
      return null;
    }
    const { caller } = waiting;
    this.due.delete(caller.seq);
    return this.ask(event, caller, fault) ? null : caller.seq;
  }

  private waiting({ asked }: Body, fault: Tell): Asked | undefined {
    const found = this.asked.get(asked as number);
    this.asked.delete(asked as number);
    if (!found && this.people.isWhole) fault("forged event");
    return found;
  }
}
