// The faces of a fair throw, drawn again from the host's key, the call and the witness's number.
import type { Plain } from "../net/shapes";
import { frame, concat } from "./bytes";
import { framedHash, mac } from "./hashing";
import { endsOf, faceAt, totalOf, type DiceGroup } from "./pools";

/** A stream of bits out of blocks of 32 bytes, the first byte lowest. */
class Bits {
  private bits = 0n;
  private count = 0;
  private counter = 0n;

  constructor(
    private key: Uint8Array,
    private context: Uint8Array,
  ) {}

  below(n: bigint): bigint {
    const wanted = n > 1n ? (n - 1n).toString(2).length : 0;
    for (;;) {
      while (this.count < wanted) this.more();
      const drawFaces = this.bits & ((1n << BigInt(wanted)) - 1n);
      this.bits >>= BigInt(wanted);
      this.count -= wanted;
      if (drawFaces < n) return drawFaces;
    }
  }

  private more(): void {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, this.counter++);
    const block = mac(this.key, concat(this.context, counter));
    for (const [i, byte] of block.entries()) this.bits |= BigInt(byte) << BigInt(this.count + 8 * i);
    this.count += 8 * block.length;
  }
}

/** The inputs that settle the faces of a throw. */
export interface ThrowSource {
  key: Uint8Array;
  /** The hash of the call. */
  call: Uint8Array;
  /** The witness's number; empty without one. */
  witness: Uint8Array;
  /** Which throw of the call it is, from 0. */
  place: number;
}

export function contextOf({ call, witness, place }: ThrowSource): Uint8Array {
  return frame("rollwright/throw/2", call, witness, String(place));
}

/** The faces of the dice, in the order in which they are written. */
export function drawFaces(settled: ThrowSource, dice: DiceGroup[]): Plain[] {
  const bits = new Bits(settled.key, contextOf(settled));
  return dice.flatMap((group) => {
    const ends = endsOf(group);
    const total = totalOf(group, ends);
    return Array.from({ length: group.count }, () => faceAt(group, ends, bits.below(total)));
  });
}

/** The commitment to a key that is published before anybody can use it. */
export const slotOf = (key: Uint8Array): Uint8Array => framedHash("rollwright/slot/1", key);
/** The commitment to a witness's number that is published before it is asked for. */
export const offerOf = (number: Uint8Array): Uint8Array => framedHash("rollwright/witness/2", number);
