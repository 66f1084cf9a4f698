// Messages said from the small lists that `rollwright.i18n.parser` makes of ICU texts; Python's
// `rollwright.i18n.formatter` does the same, and `vectors/words.json` holds the two together.

/** A list is a message; how a value is written lies in it: 3, {signed: -2}, {percent: "11/16"}. */
export type Value = string | number | boolean | Message | Ways;
export type Message = [id: string, values?: Values];
export type Compiled = string | Part[];
type Ways = { readonly [way: string]: Value | Value[] };
type Values = Record<string, Value>;
type Part = string | [name: string, kind?: "cardinal" | "ordinal" | "select", forms?: Record<string, Compiled>];

/** A language: its texts, its way to write numbers, and the names of people. */
export interface Voice {
  readonly language: string;
  find(id: string): Compiled | undefined;
  number(value: number, digits: number): string;
  who(ref: string): string;
}

const rules: Record<string, Intl.PluralRules> = {};

/** The selector of texts: the number or word inside a value, a message's id, the length of a list. */
function bare(value: Value): string | number | boolean {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value[0];
  const [held] = Object.values(value) as [Value | Value[]];
  return Array.isArray(held) ? held.length : bare(held);
}

/** A chance with two or three telling digits, never rounded to nothing or to all. */
function percent(above: bigint, below: bigint, voice: Voice): string {
  let scale = 1;
  const rounded = (): number => Number((200n * above * BigInt(scale) + below) / (2n * below));
  let shown = rounded();
  while (
    above < below &&
    (shown < 10 || shown >= 100 * scale) &&
    scale < 1e5 &&
    BigInt(shown) * below !== 100n * above * BigInt(scale)
  ) {
    scale *= 10;
    shown = rounded();
  }
  const sign = above < below && shown >= 100 * scale ? ">" : above && !shown ? "<" : "";
  const n = voice.number((sign ? (shown ? shown - 1 : 1) : shown) / scale, 5);
  return sign + text("percent", { n }, `${n} %`, voice);
}

function text(id: string, values: Values, otherwise: string, voice: Voice): string {
  const told = (found: Compiled): string =>
    typeof found === "string"
      ? found
      : found
          .map((part) => {
            if (typeof part === "string") return part;
            const [name, kind, forms = {}] = part;
            const value = values[name];
            if (value === undefined) return `{${name}}`;
            if (!kind) return say(value, voice);
            const by = bare(value);
            const exact = `${kind === "select" ? "" : "="}${by}`;
            const chosen =
              kind === "select" || exact in forms || typeof by !== "number"
                ? exact
                : (rules[voice.language + kind] ??= new Intl.PluralRules(voice.language, {
                    type: kind as "ordinal",
                  })).select(by);
            return told(forms[chosen] ?? forms.other ?? "");
          })
          .join("");
  return told(voice.find(id) ?? otherwise);
}

/** The text of a value or a message. */
export function say(value: Value, voice: Voice): string {
  if (typeof value === "number") return voice.number(value, 0);
  if (typeof value !== "object") return `${value}`;
  if (Array.isArray(value)) return text(value[0], value[1] ?? {}, value[0], voice);
  const [[way, held]] = Object.entries(value) as [[string, Value | Value[]]];
  if (Array.isArray(held) && way in { and: 1, or: 1, row: 1 })
    return (held as Value[])
      .map((part) => say(part, voice))
      .reduce(
        (a, b, place) =>
          place ? text(`list.${place < held.length - 1 ? "row" : way}`, { a, b }, `${a}, ${b}`, voice) : b,
        "",
      );
  if (Array.isArray(held) && way in { clauses: 1, sentences: 1 })
    return (held as Value[])
      .map((part) => say(part, voice))
      .filter(Boolean)
      .reduce((a, b, place) => (place ? text(`list.${way}`, { a, b }, `${a} ${b}`, voice) : b), "");
  if (way === "who") return voice.who(`${held}`);
  if (way === "signed") return ((held as number) < 0 ? "−" : "+") + voice.number(Math.abs(held as number), 0);
  if (way === "die" && typeof held === "number") return text(way, { sides: held }, `d${held}`, voice);
  const [above = "", below = ""] = `${held}/1`.split("/");
  if (way === "percent") return percent(BigInt(above), BigInt(below), voice);
  if (way === "number") {
    const number = Number(above) / Number(below);
    return voice.number(number, 2 + Math.max(0, Math.ceil(-Math.log10(Math.abs(number) || 1))));
  }
  return text(`${way}.${held}`, {}, `${held}`, voice);
}
