/** Dice as other tools write them: whose spelling it is, and what Roll20 asks for. */

import { signal } from "@preact/signals";
import { writeStored, readStored } from "../app/storage";
import { t } from "../i18n";

/** Our own spelling. */
export const OURS = "rollwright";

/** The tools whose spelling is known, by name. */
export const DIALECTS = [OURS, "roll20", "foundry", "avrae", "yearzero", "wod", "cofd"] as const;

/** The name of a tool; a newer one's id. */
export function dialectTitle(name: string): string {
  const known = DIALECTS.find((one) => one === name);
  return known ? t(`dialect.${known}`) : name;
}

/** The usual dialect on this device; empty if never set. */
export const lastDialect = signal(readStored("dialect", ""));

/** From now on dice are written so, in every field of this device. */
export function write(dialect: string): void {
  lastDialect.value = dialect;
  writeStored("dialect", dialect || undefined);
}

const QUERY = /\?\{([^}|]*)(?:\|([^}]*))?\}/g;
const NUMBER = /^\s*[-+]?\d+(?:\.\d+)?\s*$/;

export interface DialectPrompt {
  readonly prompt: string;
  /** The number that it begins with; empty where there is none. */
  readonly value: string;
  /** The options, if there is a list. */
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

const option = (text: string): DialectPrompt["options"][number] => {
  const comma = text.lastIndexOf(",");
  return comma < 0
    ? { label: text.trim(), value: text.trim() }
    : { label: text.slice(0, comma).trim(), value: text.slice(comma + 1).trim() };
};

/**
 * The questions of a Roll20 line, each prompt once; answers that are more than numbers are left to the server to
 * refuse.
 */
export function promptsIn(text: string): DialectPrompt[] {
  const found = new Map<string, DialectPrompt>();
  for (const [, prompt, rest] of text.matchAll(QUERY)) {
    const options = rest === undefined ? [] : rest.split("|").map(option);
    if (found.has(prompt!) || !options.every(({ value }) => NUMBER.test(value))) continue;
    found.set(prompt!, { prompt: prompt!, value: options[0]?.value ?? "", options: options.length > 1 ? options : [] });
  }
  return [...found.values()];
}

/** The line with another number for what is asked: it begins with it, and a list stays one. */
export function withAnswer(text: string, prompt: string, value: string): string {
  return text.replace(QUERY, (whole, name: string, rest: string | undefined) => {
    if (name !== prompt) return whole;
    const options = (rest ?? "").split("|");
    const first = options.length > 1 ? options.find((one) => option(one).value === value) : undefined;
    return first === undefined
      ? `?{${name}|${value}}`
      : `?{${name}|${[first, ...options.filter((one) => one !== first)].join("|")}}`;
  });
}
