// Every word the page says comes from here, in the language of the reader.
import { computed, signal } from "@preact/signals";
import { others } from "i18n:languages";
import { en } from "./en";
import { en_rolling } from "./en_rolling";
import type { en_aside } from "./en_aside";
import type { en_sharing } from "./en_sharing";
import type { en_checking } from "./en_checking";
import type { en_choosing } from "./en_choosing";
import type { en_coming } from "./en_coming";
import type { en_docs } from "./en_docs";
import type { en_keys } from "./en_keys";
import type { en_overlay } from "./en_overlay";
import type { en_panel } from "./en_panel";
import type { en_python } from "./en_python";
import type { en_workbench } from "./en_workbench";

const english: Dictionary = { ...en, ...en_rolling };

/** Forms of a number by their category; a language has those it needs. */
export type Plural = { readonly other: string; readonly [category: string]: string };
export type Key =
  | keyof typeof en
  | keyof typeof en_rolling
  | keyof typeof en_panel
  | keyof typeof en_checking
  | keyof typeof en_aside
  | keyof typeof en_sharing
  | keyof typeof en_choosing
  | keyof typeof en_coming
  | keyof typeof en_keys
  | keyof typeof en_overlay
  | keyof typeof en_workbench
  | keyof typeof en_python
  | keyof typeof en_docs;
export type Values = Record<string, string | number>;
export type Dictionary = Record<string, string | Plural>;

/** Languages by code; each but English is a file of its own, loaded when it is wanted. */
export const languages: Record<string, { name: string; load: () => Promise<Dictionary> }> = {
  en: { name: "English", load: async () => english },
  ...others,
};

export const language = signal("en");
const dictionary = signal<Dictionary>(english);
const plurals = computed(() => new Intl.PluralRules(language.value));

/** English words that are fetched with the part that says them. */
export function bring(words: Dictionary): void {
  Object.assign(english, words);
}

/** The text of a key before anything is filled in, if there is such a key. */
export const template = (key: string): string | Plural | undefined => dictionary.value[key] ?? english[key];

/** The text of a key; `n` picks the plural, and `{name}` is replaced by its value. */
export function t(key: Key, values: Values = {}): string {
  const found: string | Plural = template(key) ?? key;
  const text = typeof found === "string" ? found : (found[plurals.value.select(Number(values.n ?? 0))] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? number(value) : value;
  });
}

/** A key made while running, such as one for each kind of event; `otherwise` where there is none. */
export function maybe(key: string, values: Values = {}, otherwise = ""): string {
  // English words of a part that is not here yet are still to come; those of another language came with it.
  return template(key) !== undefined ? t(key as Key, values) : otherwise;
}

/** How dates and numbers are written: as the reader's own browser does in this language. */
export const locale = (): string =>
  navigator.languages.find((code) => code.startsWith(language.value)) ?? language.value;

const writers = new Map<string, Intl.NumberFormat>();

/** A number as it is written somewhere; making the writer takes a thousand times as long as writing. */
export function written(value: number, digits: number, where: string): string {
  const key = `${where} ${digits}`;
  let writer = writers.get(key);
  if (!writer) writers.set(key, (writer = new Intl.NumberFormat(where, { maximumFractionDigits: digits })));
  return writer.format(value);
}

export const number = (value: number, digits = 0): string => written(value, digits, locale()).replace("-", "−");

/** The language somebody set, or the browser's first one that there is. */
export function preferred(set: string, browser: readonly string[]): string {
  const wanted = [set, ...browser].map((code) => code.slice(0, 2).toLowerCase());
  return wanted.find((code) => code in languages) ?? "en";
}

export async function speak(code: string): Promise<void> {
  const found = languages[code];
  if (!found) throw new RangeError(`no language ${code}`);
  dictionary.value = await found.load();
  language.value = code;
  document.documentElement.lang = code;
}
