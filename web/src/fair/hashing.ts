// SHA-256 and HMAC as the log uses them, at once: a page on plain http may not ask the browser for them.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { frame, hex, type Field } from "./bytes";

export { sha256 };

/** SHA-256 over fields, each behind its length. */
export const framedHash = (...fields: Field[]): Uint8Array => sha256(frame(...fields));
/** The same in hexadecimal digits. */
export const hashOf = (...fields: Field[]): string => hex(framedHash(...fields));
export const mac = (key: Uint8Array, message: Uint8Array): Uint8Array => hmac(sha256, key, message);
