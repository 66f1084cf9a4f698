// The whole work in a link: in the fragment, which no server sees, packed so that a page of code stays short.
import type { Plain } from "../state/types";

export type View = "each" | "at_least" | "at_most";
export interface Shared {
  readonly text: string;
  readonly arguments: Record<string, Record<string, Plain>>;
  readonly view: View;
}

const MARK = "w=";
/** A link can hold what would fill the memory; no program is so long. */
const LONGEST = 300_000;
const VIEWS: readonly View[] = ["each", "at_least", "at_most"];

const letters = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

/** A fragment that holds all of it. */
export async function packed({ text, arguments: given, view }: Shared): Promise<string> {
  const plain = JSON.stringify({
    t: text,
    ...(Object.keys(given).length ? { a: given } : {}),
    ...(view === "each" ? {} : { v: view }),
  });
  const whole = await new Response(
    new Blob([plain]).stream().pipeThrough(new CompressionStream("deflate-raw")),
  ).arrayBuffer();
  return MARK + letters(new Uint8Array(whole));
}

/** Whether a fragment means to hold a work. */
export const isPacked = (fragment: string): boolean => fragment.startsWith(MARK);

/** The content of a fragment; null if it holds no work, or none that can be read. */
export async function unpacked(fragment: string): Promise<Shared | null> {
  if (!isPacked(fragment) || fragment.length > LONGEST) return null;
  try {
    const held = JSON.parse(await bounded(bytesOf(fragment.slice(MARK.length)))) as {
      t?: unknown;
      a?: Shared["arguments"];
      v?: View;
    };
    if (typeof held.t !== "string") return null;
    return {
      text: held.t,
      arguments: typeof held.a === "object" && held.a ? held.a : {},
      view: VIEWS.find((view) => view === held.v) ?? "each",
    };
  } catch {
    return null;
  }
}

async function bounded(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > LONGEST) throw new RangeError("too long");
  }
}
