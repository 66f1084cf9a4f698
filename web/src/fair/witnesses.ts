// Checks of witnesses: nonces that were offered before, used once, the oldest first.
import { hex } from "./bytes";
import type { Fault, Tell } from "./check";
import { witnessCommitment, type Fair } from "./stream";

export class Witnesses {
  /** Offers that wait, the oldest first, each with the seat that made it. */
  private waiting = new Map<string, string>();
  private owners = new Map<string, string>();
  private told = new Set<string>();
  /** Throws nobody here can look into; each may have used an offer that still seems to wait. */
  private unseen = 0;
  private removed = new Set<string>();

  offer(seat: string, commitments: unknown, fault: Tell): void {
    const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
    if (!Array.isArray(commitments) || !commitments.every(isHash)) return fault("malformed event");
    for (const one of commitments as string[]) {
      if (this.owners.has(one)) fault("reused witness nonce");
      else {
        this.owners.set(one, seat);
        this.waiting.set(one, seat);
      }
    }
  }

  withhold(throws: number): void {
    this.unseen += throws;
  }

  remove(seat: string): void {
    this.removed.add(seat);
  }

  /** Another host does not have the nonces behind the offers so far. */
  forget(): void {
    this.waiting.clear();
  }

  async check(roller: string, witness: Fair["witness"], fault: Tell): Promise<boolean> {
    if (!witness) {
      this.passOver(roller, null, fault);
      return false;
    }
    const made = hex(await witnessCommitment(witness.nonce));
    const wrong = this.wrong(made, witness.seat, roller);
    if (wrong) {
      fault(wrong);
      this.spend(this.older(roller, null).slice(0, 1)); // most likely it was meant
      return false;
    }
    this.passOver(roller, made, fault);
    this.spend([made]);
    return true;
  }

  private wrong(made: string, seat: string, roller: string): Fault | null {
    const owner = this.owners.get(made);
    if (owner === undefined) return "altered witness nonce";
    if (!this.waiting.has(made)) return "reused witness nonce";
    return owner !== seat || seat === roller || this.removed.has(seat) ? "altered witness" : null;
  }

  /** Every older offer that was not taken must have been used by a throw that is withheld. */
  private passOver(roller: string, taken: string | null, fault: Tell): void {
    const passed = this.older(roller, taken);
    if (passed.length <= this.unseen) {
      this.unseen -= passed.length;
      this.spend(passed);
      return;
    }
    this.told.add(passed[0]);
    fault("witness passed over");
  }

  private older(roller: string, taken: string | null): string[] {
    const found: string[] = [];
    for (const [offer, seat] of this.waiting) {
      if (offer === taken) break;
      if (seat !== roller && !this.removed.has(seat) && !this.told.has(offer)) found.push(offer);
    }
    return found;
  }

  private spend(offers: string[]): void {
    for (const one of offers) this.waiting.delete(one);
  }
}
