// SHA-256 and HMAC, by the browser where it may, and by hand where a page without TLS may not ask it.
import { joined } from "./bytes";

const K = new Uint32Array(64);
const START = new Uint32Array(8);
for (let n = 2, found = 0; found < 64; n++) {
  if ([...Array(n).keys()].slice(2).some((d) => d * d <= n && n % d === 0)) continue;
  const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  if (found < 8) START[found] = fraction(Math.sqrt(n));
  K[found++] = fraction(Math.cbrt(n));
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 by hand. */
export function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** SHA-256 by the browser where it may be asked. */
export async function hashed(message: Uint8Array): Promise<Uint8Array> {
  if (!globalThis.crypto?.subtle) return sha256(message);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", message as BufferSource));
}

export async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  if (globalThis.crypto?.subtle) {
    const made = await crypto.subtle.importKey("raw", key as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", made, message as BufferSource));
  }
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}
