// Checks of fair throws: numbers without gaps, keys that open what was promised, nonces, faces.
import { canonical, hex } from "./bytes";
import { commitment, redraw, sizeOf, type Fair, type Plain } from "./stream";
import { Witnesses, type WitnessFault } from "./witnesses";
import type { Body, LogEvent } from "../state/types";

export type ThrowFault = WitnessFault | "promise" | "number" | "used" | "missing" | "again" | "key" | "faces" | "dice" | "form";
type Tell = (kind: ThrowFault) => void;

const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** The numbers, promises and keys of a table, followed from throw to throw. */
export class Throws {
  private next = 1;
  private missing = 0;
  private used = new Set<number>();
  private promised = new Map<number, string>();
  private published = new Set<string>();
  readonly witnesses = new Witnesses();

  constructor(private table: string) {}

  /** Take note of the promise of the next key; a table that moves to another server makes it anew. */
  publish(event: LogEvent, fault: Tell): void {
    const promise = event.open.next;
    this.promised.delete(this.next);
    if (!isHash(promise)) return fault("promise");
    if (this.published.has(promise)) fault("again");
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
    if (typeof number !== "number" || !Number.isInteger(number)) {
      fault("number");
      return undefined;
    }
    this.checkNumber(number, fault);
    this.used.add(this.next);
    const promise = this.promised.get(this.next);
    this.next += 1;
    this.publish(event, fault);
    return promise;
  }

  private checkNumber(number: number, fault: Tell): void {
    const ahead = number - this.next;
    if (ahead === 0) return;
    if (this.used.has(number)) return fault("used");
    if (ahead < 0) return fault("number");
    if (ahead <= this.missing) this.missing -= ahead;
    else fault("missing");
    this.next = number;
  }

  /** Check a throw whose key is shown; whether it had a witness. */
  async check(event: LogEvent, body: Body, fault: Tell): Promise<boolean> {
    const promise = this.take(event, fault);
    const fair = body.fair as Fair | null;
    if (!isWellMade(fair)) {
      fault("form");
      return false;
    }
    if (fair.number !== event.open.number) fault("number");
    if (promise !== undefined && promise !== hex(await commitment(fair.key))) fault("key");
    const witnessed = await this.witnesses.check(String(body.by ?? ""), fair.witness, fault);
    const faces = body.faces as Plain[];
    if (sizeOf(body.pool) !== faces.length) fault("dice");
    else if (canonical(await this.drawn(body, fair)) !== canonical(faces)) fault("faces");
    return witnessed;
  }

  private drawn(body: Body, fair: Fair): Promise<Plain[]> {
    return redraw({ table: this.table, roll: String(body.roll), index: Number(body.index), fair, pool: body.pool });
  }
}

function isWellMade(fair: Fair | null): fair is Fair {
  if (!fair || !Number.isInteger(fair.number) || !isHash(fair.key)) return false;
  if (fair.nonce !== "" && !isHash(fair.nonce)) return false;
  return fair.witness === null || (typeof fair.witness?.seat === "string" && isHash(fair.witness.nonce));
}
