// JSON of a log from its raw text, judged as the command line judges it.

/** Texts, and words and numbers whole: each sign is looked at once, also of what is no JSON. */
const TOKENS = /"[^"\\]*(?:\\[\s\S]?[^"\\]*)*(?:"|$)|[-+.\w]+/g;
/** Numbers written with a point, with an exponent, or as words: which a log never holds. */
const ODD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|NaN|-?Infinity)$/;
/** A placeholder for such a number: too large for any log, so its event is malformed. */
const NO_NUMBER = "9007199254740993";

/** The value of a text; throws if it is no JSON. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(TOKENS, (token) => (ODD.test(token) ? NO_NUMBER : token)));
}

const isHolder = (value: unknown): value is object => value !== null && typeof value === "object";

/** Whether anything lies deeper than so much in some values of JSON. */
export function isDeep(values: unknown[], most: number): boolean {
  let level = values.filter(isHolder);
  for (let depth = 0; depth < most && level.length; depth++)
    level = level.flatMap((one) => Object.values(one).filter(isHolder));
  return level.length > 0;
}

/** The text of a file, without a mark at its beginning; throws where its bytes are none. */
export const decodeUtf8 = (bytes: ArrayBuffer): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
