// Ed25519: keys of devices, and who signed what, by the one strict rule of docs/table/verifier.md.
import { hashes, getPublicKey, Point, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat, unhex } from "./bytes";

hashes.sha512 = sha512;

/** The public key of a seed. */
export const keyOf = (seed: Uint8Array): Uint8Array => getPublicKey(seed);
export const signWith = (seed: Uint8Array, message: Uint8Array): Uint8Array => sign(message, seed);

const ORDER = Point.CURVE().n;
const WINDOW = 4;
const MASK = (1n << BigInt(WINDOW)) - 1n;
const WINDOWS = Math.ceil(256 / WINDOW);

const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** The multiples of a point that all others are sums of: made once, they save nine tenths of every signature. */
function multiplesOf(point: Point): Point[][] {
  const rows: Point[][] = [];
  for (let from = point; rows.length < WINDOWS; from = rows.at(-1)!.at(-1)!.add(from)) {
    const row = [Point.ZERO];
    while (row.length < 1 << WINDOW) row.push(row.at(-1)!.add(from));
    rows.push(row);
  }
  return rows;
}

function times(multiples: Point[][], n: bigint): Point {
  let sum = Point.ZERO;
  for (let place = 0; n; place++, n >>= BigInt(WINDOW)) sum = sum.add(multiples[place]![Number(n & MASK)]!);
  return sum;
}

let base: Point[][] | null = null;

/** A public key that can be somebody's: in its one encoding, of the group of prime order, not its neutral element. */
export class PublicKey {
  private multiples: Point[][];

  /** Throws for what is no such key. */
  constructor(private bytes: Uint8Array) {
    const point = Point.fromBytes(bytes);
    this.multiples = multiplesOf(point);
    if (point.is0() || !times(this.multiples, ORDER).is0()) throw new RangeError();
  }

  /** Whether the owner of the key has signed the message. */
  fits(message: Uint8Array, signature: Uint8Array): boolean {
    const r = signature.slice(0, 32);
    const s = numberOf(signature.slice(32));
    if (signature.length !== 64 || s < 1n || s >= ORDER) return false;
    const k = numberOf(sha512(concat(r, this.bytes, message))) % ORDER;
    base ??= multiplesOf(Point.BASE);
    const found = times(base, s).subtract(times(this.multiples, k)).toBytes();
    return found.every((byte, place) => byte === r[place]);
  }
}

/** Keys that were looked at before: each takes as long as many signatures. */
const known = new Map<string, PublicKey | null>();
const MOST_KNOWN = 500;

/** The key of these hexadecimal digits; null for what is none. */
export function keyFrom(digits: string): PublicKey | null {
  if (!known.has(digits)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(digits, made(digits));
  }
  return known.get(digits)!;
}

function made(digits: string): PublicKey | null {
  try {
    return new PublicKey(unhex(digits));
  } catch {
    return null;
  }
}
