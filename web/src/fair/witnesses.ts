// Checks of witnesses: asked in their turn, heard, or said to have been silent.
import type { Body, LogEvent } from "../state/types";
import { hex, isHash, unhex } from "./bytes";
import type { Report, Tell } from "./check";
import type { People } from "./people";
import { offerOf } from "./stream";

/** A call whose dice wait, by the event that asks. */
interface Asked {
  /** Null where the event is withheld. */
  call: number | null;
  by: string;
  seat: string;
  offer: string;
}

export class Witnesses {
  /** Numbers that wait to be asked for, the oldest first, each with its seat. */
  private offers = new Map<string, string>();
  private known = new Set<string>();
  private asked = new Map<number, Asked>();
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
    const waiting = new Set([...this.asked.values()].map(({ call }) => call)).size;
    this.offers.clear();
    this.asked.clear();
    return waiting;
  }

  offer({ by, commitments }: Body, fault: Tell): void {
    for (const one of Array.isArray(commitments) ? commitments : [null]) {
      if (!isHash(one)) fault("malformed event");
      else if (this.known.has(one)) fault("reused witness number");
      else {
        this.known.add(one);
        this.offers.set(one, String(by));
      }
    }
  }

  /** Checks the witness that an unreadable event asks. */
  withhold({ seq, open }: LogEvent, fault: Tell): void {
    const asked = open.witness as { seat?: unknown; offer?: unknown } | undefined;
    if (!asked || typeof asked !== "object" || !Object.keys(asked).length) return;
    const seat = String(asked.seat);
    const offer = String(asked.offer);
    // It is the second's turn where the first one called.
    const first = this.find("");
    const next = [first, first && this.find(first[1])];
    if (this.people.isWhole && !next.some((one) => one?.[0] === offer && one[1] === seat)) fault("witness passed over");
    this.offers.delete(offer);
    this.asked.set(seq, { call: null, by: "", seat, offer });
  }

  /** Checks that a call asks the witness that is due; whether its dice wait for one. */
  call({ seq, open }: LogEvent, by: string, call: number, fault: Tell): boolean {
    const due = this.find(by);
    const asked = open.witness as { seat?: unknown; offer?: unknown } | undefined;
    if (!asked || typeof asked !== "object" || !Object.keys(asked).length) {
      if (due) this.due.add(call); // unless no dice follow from it
      return false;
    }
    const seat = String(asked.seat);
    const offer = String(asked.offer);
    if (due?.[0] !== offer || due[1] !== seat) fault("witness passed over");
    this.offers.delete(offer);
    this.asked.set(seq, { call, by, seat, offer });
    this.due.add(call);
    return true;
  }

  /** The oldest offer of somebody else who is here. */
  private find(by: string): [string, string] | undefined {
    if (!this.people.witnesses) return undefined;
    for (const offer of this.offers) if (offer[1] !== by && this.people.isHere(offer[1])) return offer;
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
    if (waiting.call === null) return null;
    this.numbers.set(waiting.call, unhex(body.number));
    this.due.delete(waiting.call);
    return waiting.call;
  }

  /** Takes note of a witness who is said to have been silent; the call if dice follow now. */
  passOver(event: LogEvent, body: Body, fault: Tell): number | null {
    const waiting = this.waiting(body, fault);
    for (const [offer, seat] of this.offers) if (seat === body.seat) this.offers.delete(offer);
    this.report.silent += 1;
    if (waiting && waiting.seat !== body.seat) fault("altered witness");
    if (!waiting || waiting.call === null) {
      this.withhold(event, fault); // of a roll that is not shown, whose next witness is asked all the same
      return null;
    }
    this.due.delete(waiting.call);
    return this.call(event, waiting.by, waiting.call, fault) ? null : waiting.call;
  }

  private waiting({ asked }: Body, fault: Tell): Asked | undefined {
    const found = this.asked.get(asked as number);
    this.asked.delete(asked as number);
    if (!found && this.people.isWhole) fault("forged event");
    return found;
  }
}
