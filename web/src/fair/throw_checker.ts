// Checks of fair throws: that they follow from a call and its key, and the faces from both.
import type { Plain } from "../net/shapes";
import type { Body } from "../state/types";
import { canonical, hex, isHash, unhex, utf8 } from "./bytes";
import type { SignedCall, CallChecker } from "./call_checker";
import type { LogReport, Tell } from "./verify_log";
import { groupsOf, sizeOf } from "./pools";
import { drawFaces, slotOf } from "./stream";

/** A throw whose key is opened at the end of its roll. */
interface Closed {
  called: SignedCall;
  body: Body;
  place: number;
  fault: Tell;
  isSound: () => boolean;
}

/** Whether there is a face for each die of a throw. */
export function isComplete({ pool, faces }: Body): boolean {
  const groups = groupsOf(pool);
  return !!groups && Array.isArray(faces) && sizeOf(groups) === faces.length;
}

export class ThrowChecker {
  private closed = new Map<string, Closed[]>();

  constructor(
    private calls: CallChecker,
    private report: LogReport,
  ) {}

  /** Checks a throw with so many `skipped` before it; `isSound` says whether nothing else is wrong with it. */
  check(body: Body, skipped: number, fault: Tell, isSound: () => boolean): void {
    const fair = body.fair as Body | null;
    if (!isComplete(body)) return fault("altered dice");
    const called = this.calls.found(fair?.call);
    if (!called || called.roll !== body.roll) return fault("forged call");
    const place = placeOf(called, fair!.throw, skipped);
    called.weight += utf8(canonical(body.faces)).length;
    if (fair!.throw !== place || !this.calls.isRunning(called)) fault("wrong order");
    if (body.by !== called.by) fault("forged call");
    if (this.calls.witnesses.isDue(called.seq)) fault("witness passed over");
    const thrown = { called, body, place, fault, isSound };
    if ("key" in fair!) return this.draw(thrown, fair!.key);
    if (!this.closed.has(called.roll)) this.closed.set(called.roll, []);
    this.closed.get(called.roll)!.push(thrown);
  }

  /** Checks the throws of a roll whose keys its end opens. */
  open(roll: string, keys: unknown, fault: Tell): void {
    const told = (keys !== null && typeof keys === "object" ? keys : {}) as Body;
    for (const thrown of this.closed.get(roll) ?? []) {
      const name = String(thrown.called.seq);
      if (!Object.hasOwn(told, name)) fault("unopened key");
      else this.draw(thrown, told[name]);
    }
    this.closed.delete(roll);
  }

  /** Counts what nobody could check: keys of rolls that go on, or that stay with the host before. */
  lapse(): void {
    for (const all of this.closed.values()) this.report.closed += all.length;
    this.closed.clear();
  }

  private draw({ called, body, place, fault, isSound }: Closed, key: Plain | undefined): void {
    if (!isHash(key)) return fault("altered key");
    const witness = this.calls.witnesses.numberOf(called.seq);
    const faces = drawFaces({ key: unhex(key), call: called.hash, witness, place }, groupsOf(body.pool)!);
    const isDrawn = canonical(faces) === canonical(body.faces);
    if (hex(slotOf(unhex(key))) !== called.slot) fault(isDrawn ? "unopened commitment" : "altered key");
    if (!isSound()) return;
    if (!isDrawn) return fault("altered face or number");
    this.report.throws += 1;
    this.report.faces += faces.length;
    if (witness.length) this.report.witnessed += 1;
    if (!called.signed) this.report.unsigned += 1;
    else if (called.held) this.report.held += 1;
  }
}

/** Takes the next throw of a call in: the one that is written, or the one that is due. */
function placeOf(called: SignedCall, came: unknown, skipped: number): number {
  const due = called.throws;
  const hidden = Math.min(skipped, called.sealed);
  const place =
    Number.isSafeInteger(came) && (came as number) >= due && (came as number) <= due + hidden ? (came as number) : due;
  called.throws = place + 1;
  called.sealed -= place - due;
  return place;
}
