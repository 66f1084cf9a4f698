// A game's texts in the reader's language: texts as they are, and messages of its own words or the page's.
import { signal } from "@preact/signals";
import type { Card, Message, Text } from "../state/card";
import { language, locale, number, template } from "./index";
import { say as voiced, type Compiled, type Value, type Voice } from "./say";

export type Catalog = Readonly<Record<string, Compiled>>;
/** Gives people their names: `@s3` is Ann. */
export type Naming = (ref: string) => string;

/** The game that the page is about now: its words and what it says of itself. */
export const front = signal<{
  readonly name: string;
  readonly title?: string;
  readonly words?: Catalog;
  readonly card?: Card;
  readonly languages?: readonly string[];
} | null>(null);

const asIs: Naming = (ref) => ref;
const wordsInFront = (): Catalog => front.value?.words ?? {};

/** A text of the page as the small lists that messages are said from. */
function listed(id: string): Compiled | undefined {
  const found = template(id);
  if (found === undefined) return undefined;
  const parts = (text: string): Compiled => text.split(/\{(\w+)\}/).map((part, n) => (n % 2 ? [part] : part));
  return typeof found === "string"
    ? parts(found)
    : [["n", "cardinal", Object.fromEntries(Object.entries(found).map(([form, text]) => [form, parts(text)]))]];
}

const voice = (words: Catalog, who: Naming): Voice => ({
  language: language.value,
  find: (id) => words[id] ?? listed(id),
  number,
  who,
});

/** A text in words. */
export function say(text: Text | null | undefined, naming: Naming = asIs, words: Catalog = wordsInFront()): string {
  if (!text) return "";
  if (typeof text === "string") return text.replace(/@[sn]\d+/g, naming);
  if ("all" in text)
    return text.all
      .map((one) => say(one, naming, words))
      .filter(Boolean)
      .join(" ");
  return voiced(text as Message as Value, voice(words, naming))
    .replace(/(^|[ (:])-(?= ?\d)/g, "$1−")
    .replace(/@[sn]\d+/g, naming);
}

/** A message that the game in front may have; else what is there anyway. */
export const worded = (id: string, otherwise: string, values?: Record<string, Value>): string =>
  id in wordsInFront() ? say(values ? [id, values] : [id]) : otherwise;

/** A name on a sheet: in the reader's words where the game knows it, else as somebody typed it. */
export const nameSaid = (name: string): string => worded(`name.${name}`, name);

/** The name that the game keeps what somebody typed by; what it does not know stays as it was typed. */
export function nameKept(typed: string): string {
  const words = wordsInFront();
  const id = Object.keys(words).find(
    (one) => one.startsWith("name.") && String(words[one]).toLowerCase() === typed.trim().toLowerCase(),
  );
  return id ? id.slice(5) : typed;
}

/** The game's text for a field: `label.weapons.rounds` for those of one list, else `label.rounds`. */
export const ofField = (
  kind: "label" | "help",
  name: string,
  otherwise = name.replaceAll("_", " "),
  within = "",
): string => worded(`${kind}.${within}.${name}`, worded(`${kind}.${name}`, otherwise));

/** The event of a chance that somebody pays with. */
export const riskOf = ({ name, title }: { readonly name: string; readonly title: string }): string =>
  say(front.value?.card?.prices?.[name]?.said) || worded(`outcome.${name}`, title);

/** Whether a price is counted, though its field may only say yes or no. */
export const isAmount = ({ name }: { readonly name: string }): boolean =>
  front.value?.card?.prices?.[name]?.unit === "amount";

/** A price with how much of it: an amount as the game says it, a chance by what it is the chance of. */
export function priced(
  { name, title }: { readonly name: string; readonly title: string },
  much: Value,
  shown = String(much),
): string {
  const price = front.value?.card?.prices?.[name];
  const said = price?.unit === "amount" && Array.isArray(price.said) ? (price.said as unknown as Message) : null;
  // A text that has no room for the number has it beside it.
  if (said && typeof wordsInFront()[said[0]] === "object")
    return say([said[0], { ...said[1], n: /^\d+$/.test(String(much)) ? Number(much) : much }]);
  return `${riskOf({ name, title })} ${shown}`;
}

/**
 * The language that a game speaks in place of the reader's, in the reader's own word for it; empty where it speaks
 * that.
 */
export function foreign(game: { readonly languages?: readonly string[] } | null): string {
  const spoken = game?.languages ?? [];
  if (!spoken.length || spoken.includes(language.value)) return "";
  return new Intl.DisplayNames(locale(), { type: "language" }).of(spoken.includes("en") ? "en" : spoken[0]!) ?? "";
}
