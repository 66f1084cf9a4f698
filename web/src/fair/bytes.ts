// Bytes as the log writes them: hexadecimal, frames of fields, and JSON in one way only.
const text = new TextEncoder();

export const utf8 = (value: string): Uint8Array => text.encode(value);

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(digits: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(digits)) throw new RangeError(digits.slice(0, 80));
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Whether this is a hash as we write it: 64 small hexadecimal digits. */
export const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** The text of a value that should be one: what a stranger's log holds there may be anything. */
export const toText = (value: unknown): string =>
  value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);

export function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export type Field = Uint8Array | string;

/** The fields one after the other, each behind its length in four bytes. */
export function frame(...fields: Field[]): Uint8Array {
  return concat(
    ...fields.flatMap((field) => {
      const bytes = typeof field === "string" ? utf8(field) : field;
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}

/** Whether a log can hold this: whole numbers that every parser keeps, whole characters, nothing nested too deeply. */
export function isPlain(value: unknown, depth = 100): boolean {
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (value === null || typeof value === "boolean") return true;
  if (typeof value !== "object" || !depth) return false;
  return Object.entries(value).every(([name, part]) => isPlain(name) && isPlain(part, depth - 1));
}

/** JSON with keys sorted by code point and no spaces: the bytes that are hashed. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const named = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b));
    return `{${named.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

const codePoint = (sign: string): number => sign.codePointAt(0) ?? 0;

function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, codePoint);
  const right = Array.from(b, codePoint);
  for (const [i, one] of left.entries()) {
    const other = right[i];
    if (other === undefined) break;
    if (one !== other) return one - other;
  }
  return left.length - right.length;
}

export function random(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

export function fromBase64url(text: string): Uint8Array {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}
