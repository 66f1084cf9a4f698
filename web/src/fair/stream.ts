// The faces of a fair throw, drawn again from its key and nonces exactly as the server drew them.
import { frame, joined, unhex } from "./bytes";
import { hashed, hmac } from "./sha256";
import type { FairThrow, Plain } from "../net/shapes";

export type { FairThrow as Fair, Plain };
interface DieShape { faces: Plain[]; weights: number[]; total: bigint }

interface Pooled { pool: [{ die: number | [Plain, number][] }, number][] }

/** How many dice a pool has, without laying them out: a stranger's log may claim any number. -1 for what is no pool. */
export function sizeOf(pool: Plain): number {
  const groups = (pool as unknown as Pooled | null)?.pool;
  if (!Array.isArray(groups) || !groups.every((group) => Array.isArray(group) && isDie(group[0]?.die) && isSome(group[1]))) return -1;
  return groups.reduce((sum, [, count]) => sum + count, 0);
}

const isSome = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

function isDie(die: unknown): boolean {
  return isSome(die) || (Array.isArray(die) && die.length > 0 && die.every((one) => Array.isArray(one) && one.length === 2 && isSome(one[1])));
}

/** The dice of a pool as it is written down, one by one in the pool's order. */
export function diceOf(pool: Plain): DieShape[] {
  return (pool as unknown as Pooled).pool.flatMap(([die, count]) => Array<DieShape>(count).fill(shape(die.die)));
}

function shape(die: number | [Plain, number][]): DieShape {
  if (typeof die === "number") {
    return { faces: Array.from({ length: die }, (_, i) => i + 1), weights: Array<number>(die).fill(1), total: BigInt(die) };
  }
  const weights = die.map(([, weight]) => weight);
  return { faces: die.map(([face]) => face), weights, total: weights.reduce((sum, weight) => sum + BigInt(weight), 0n) };
}

/** The face that has a number: each has as many as its weight, in the order in which they are written. */
function faceAt({ faces, weights, total }: DieShape, drawn: bigint): Plain {
  if (total === BigInt(faces.length)) return faces[Number(drawn)];
  return faces[weights.findIndex((weight) => (drawn -= BigInt(weight)) < 0n)];
}

/** A stream of bits out of blocks of 32 bytes, the first byte lowest. */
class Bits {
  private bits = 0n;
  private count = 0;
  private counter = 0;

  constructor(private key: Uint8Array, private context: Uint8Array) {}

  async below(n: bigint): Promise<bigint> {
    const wanted = n > 1n ? (n - 1n).toString(2).length : 0;
    for (;;) {
      while (this.count < wanted) await this.more();
      const drawn = this.bits & ((1n << BigInt(wanted)) - 1n);
      this.bits >>= BigInt(wanted);
      this.count -= wanted;
      if (drawn < n) return drawn;
    }
  }

  private async more(): Promise<void> {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(this.counter++));
    const block = await hmac(this.key, joined(this.context, counter));
    block.forEach((byte, i) => (this.bits |= BigInt(byte) << BigInt(this.count + 8 * i)));
    this.count += 8 * block.length;
  }
}

export interface Throw { table: string; roll: string; index: number; fair: FairThrow; pool: Plain }

/** The faces that key, nonces and place in the log settle. */
export async function redraw({ table, roll, index, fair, pool }: Throw): Promise<Plain[]> {
  const witness = fair.witness ? unhex(fair.witness.nonce) : new Uint8Array();
  const context = frame("rollwright/throw/1", table, roll, String(index), String(fair.number), unhex(fair.nonce), witness);
  const bits = new Bits(unhex(fair.key), context);
  const faces: Plain[] = [];
  for (const die of diceOf(pool)) faces.push(faceAt(die, await bits.below(die.total)));
  return faces;
}

/** What was published of a key before it was used. */
export async function commitment(key: string): Promise<Uint8Array> {
  return hashed(frame("rollwright/commit/1", unhex(key)));
}

export async function witnessCommitment(nonce: string): Promise<Uint8Array> {
  return hashed(frame("rollwright/witness/1", unhex(nonce)));
}
