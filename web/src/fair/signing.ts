// Calls signed by this browser: fetched once a table is in sight, since nobody rolls before.
import type { SignedCommand, Plain, TextData } from "../net/shapes";
import { fromBase64url, hex, random, unhex } from "./bytes";
import { callHash, claimHash } from "./calls";
import { sealOf } from "./chain";
import { keyOf, signWith } from "./keys";
import { offerOf } from "./stream";

const keys = new Map<string, string>();

/** The public key of a seed. */
export function publicKey(seed: string): string {
  return keys.get(seed) ?? keys.set(seed, hex(keyOf(fromBase64url(seed)))).get(seed)!;
}

/** Everything that a call names but the command. */
export interface Place {
  table: string;
  epoch: string;
  seat: string;
  device: string;
  lane: string;
  counter: number;
  seen: number;
  head: string;
  slot: string;
}

export interface Signature {
  call: SignedCommand;
  texts: Record<string, TextData>;
  /** The hash of the call. */
  hash: string;
}

/** The fields of a command that hold what people write: they are signed as seals. */
const TEXTS = ["note"];

/** A command as a call, with a fresh number where it spends a slot. */
export function signCall(seed: string, { table, epoch, seat, ...place }: Place, command: object): Signature {
  const texts: Record<string, TextData> = {};
  const plain = JSON.parse(JSON.stringify(command)) as Record<string, Plain>;
  for (const name of TEXTS) {
    if (typeof plain[name] !== "string") continue;
    const text = plain[name].trim(); // as it will be written down
    plain[name] = text;
    if (!text) continue;
    const salt = hex(random(32));
    const seal = sealOf(salt, text);
    texts[seal] = { salt, text };
    plain[name] = { seal };
  }
  const call: SignedCommand = { ...place, number: place.slot && hex(random(32)), command: plain };
  const hash = callHash(table, epoch, seat, call);
  return { call: { ...call, signature: hex(signWith(fromBase64url(seed), hash)) }, texts, hash: hex(hash) };
}

/** The hash of a call as in the log. */
export const hashOfCall = (table: string, epoch: string, seat: string, call: SignedCommand): string =>
  hex(callHash(table, epoch, seat, call));

/** Proves that a seat is ours, where a table was taken up from its log. */
export const signClaim = (seed: string, table: string, epoch: string, device: string, tokenHash: string): string =>
  hex(signWith(fromBase64url(seed), claimHash(table, epoch, device, tokenHash)));

/** Fresh numbers for throws of others, by their commitments. */
export function newOffers(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, () => hex(random(32)));
  return Object.fromEntries(numbers.map((number) => [hex(offerOf(unhex(number))), number]));
}
