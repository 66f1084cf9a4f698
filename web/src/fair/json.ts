// JSON of a log from its raw text, judged as the command line judges it.

/** Texts, and numbers written with a point, with an exponent, or as words: which a log never holds. */
const TOKENS =
  /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|(?<![\w.+-])(?:NaN|-?Infinity)(?!\w)/g;
/** A placeholder for such a number: too large for any log, so its event is malformed. */
const NO_NUMBER = "9007199254740993";

/** The value of a text; throws if it is no JSON. */
export function parsed(text: string): unknown {
  return JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') ? token : NO_NUMBER)));
}

/** The text of a file; throws where its bytes are none. */
export const decoded = (bytes: ArrayBuffer): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
