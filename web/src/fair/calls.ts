// Calls: what a device sends for a roll, signed as a whole.
import type { SignedCommand } from "../net/shapes";
import { canonical, unhex } from "./bytes";
import { framedHash } from "./hashing";

/** How many digits of the hash of an event say what a device has seen. */
export const HEAD_DIGITS = 32;
/** Kinds of events that ask a witness: those behind which dice would be thrown. */
export const ASKING = ["roll.started", "roll.chosen", "roll.called", "witness.timed_out"];
/** The lane of rolls that are not announced, and of calls without a signature. */
export const TABLE_LANE = "table";

/**
 * The hash of a call without its signature: a device signs it, and dice follow from it. An unsigned one has no seat in
 * it.
 */
export function callHash(table: string, epoch: string, seat: string, call: SignedCommand): Uint8Array {
  const { signature: _, ...plain } = call;
  return framedHash("rollwright/call/1", table, unhex(epoch), seat, canonical(plain));
}

/** The hash that a device signs to take its seat again at another host. */
export function claimHash(table: string, epoch: string, device: string, tokenHash: string): Uint8Array {
  return framedHash("rollwright/claim/1", table, unhex(epoch), device, unhex(tokenHash));
}
