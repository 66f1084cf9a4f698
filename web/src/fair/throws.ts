// Checks of fair throws: numbers without gaps, keys that open what was promised, nonces, faces.
import { canonical, hex } from "./bytes";
import type { Fault, Tell } from "./check";
import { commitment, redraw, sizeOf, type Fair, type Plain } from "./stream";
import { Witnesses } from "./witnesses";
import type { Body, LogEvent } from "../state/types";

const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

/** The numbers, promises and keys of a table, followed from throw to throw. */
export class Throws {
  private next = 1;
  private missing = 0;
  private taken = 0;
  private used = new Set<number>();
  private promised = new Map<number, string>();
  private published = new Set<string>();
  /** The numbers of all throws in the order in which they stand. */
  private numbers: number[];
  readonly witnesses = new Witnesses();

  constructor(private table: string, events: LogEvent[]) {
    this.numbers = events.map(({ open }) => open.number).filter(isNumber);
  }

  /** Take note of the promise of the next key; a table that moves to another server makes it anew. */
  publish(event: LogEvent, fault: Tell): void {
    const promise = event.open.next;
    this.promised.delete(this.next);
    if (!isHash(promise)) return fault("missing commitment");
    if (this.published.has(promise)) fault("reused key");
    this.published.add(promise);
    this.promised.set(this.next, promise);
  }

  /** Take note of events that are missing, each of which may have been a throw. */
  miss(events: number): void {
    this.missing += events;
    this.witnesses.withhold(events);
  }

  /** A throw that is withheld has its number and its promise all the same. */
  withhold(event: LogEvent, fault: Tell): void {
    this.take(event, fault);
    this.witnesses.withhold(1);
  }

  /** Take the number of a throw: the promise that its key must keep, where it is known. */
  private take(event: LogEvent, fault: Tell): string | undefined {
    const number = event.open.number;
    if (!isNumber(number)) {
      fault("forged number");
      return undefined;
    }
    this.checkNumber(number, fault);
    this.taken += 1;
    this.used.add(this.next);
    const promise = this.promised.get(this.next);
    this.next += 1;
    this.publish(event, fault);
    return promise;
  }

  private checkNumber(number: number, fault: Tell): void {
    const ahead = number - this.next;
    if (ahead === 0) return;
    if (ahead > 0 && ahead <= this.missing) this.missing -= ahead;
    else if (this.used.has(number) || this.numbers[this.taken + 1] === this.next + 1) return fault("forged number");
    else fault(this.numbers.includes(this.next, this.taken + 1) ? "wrong order" : "dropped event");
    this.next = number;
  }

  /** Check a throw whose key is shown; whether it had a witness. `sound` says whether nothing else is wrong with it. */
  async check(event: LogEvent, body: Body, fault: Tell, sound: () => boolean): Promise<boolean> {
    const promise = this.take(event, fault);
    const fair = body.fair as unknown as Fair;
    const wrong = unproven(fair);
    if (wrong) {
      fault(wrong);
      return false;
    }
    if (fair.number !== event.open.number) fault("forged number");
    const faces = body.faces as Plain[];
    if (sizeOf(body.pool) !== faces.length) {
      fault("altered dice");
      return false;
    }
    const follows = canonical(await this.drawn(body, fair)) === canonical(faces);
    await this.open(fair.key, promise, follows, fault);
    const witnessed = await this.witnesses.check(String(body.by ?? ""), fair.witness, fault);
    if (!follows && sound()) fault("altered face or nonce");
    return witnessed;
  }

  private async open(key: string, promise: string | undefined, follows: boolean, fault: Tell): Promise<void> {
    const made = hex(await commitment(key));
    if (promise === undefined || promise === made) return;
    fault(this.published.has(made) ? "reused key" : follows ? "unopened commitment" : "altered key");
  }

  private drawn(body: Body, fair: Fair): Promise<Plain[]> {
    return redraw({ table: this.table, roll: String(body.roll), index: Number(body.index), fair, pool: body.pool });
  }
}

/** What keeps this from being the proof of a throw. */
function unproven(fair: Fair | null | undefined): Fault | null {
  if (!fair || !isNumber(fair.number)) return "malformed event";
  if (!isHash(fair.key)) return "altered key";
  if (fair.nonce !== "" && !isHash(fair.nonce)) return "altered nonce";
  const witness = fair.witness ?? null;
  return witness === null || (typeof witness.seat === "string" && isHash(witness.nonce)) ? null : "altered witness nonce";
}
