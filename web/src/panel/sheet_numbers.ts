/** Numbers of a sheet by name, so that an expression can say `1d20 + @agility`. */

import type { FieldDescription, Plain, Values } from "../state/types";

const MOST = 40;
const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");

/** Every whole number on the sheet: fields by their names, things of a list by theirs. */
export function numbersOf(values: Values | undefined, fields: readonly FieldDescription[]): Map<string, number> {
  const found = new Map<string, number>();
  if (!values) return found;
  const put = (name: string, value: number): void => {
    if (plain(name) && !found.has(plain(name)) && found.size < MOST) found.set(plain(name), value);
  };
  const usual = fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default] as const]));
  for (const [name, held] of Object.entries({ ...Object.fromEntries(usual), ...values })) {
    if (isWhole(held)) put(name, held);
    else if (Array.isArray(held)) for (const thing of held) named(thing, put);
  }
  return found;
}

const isWhole = (value: Plain | undefined): value is number => typeof value === "number" && Number.isInteger(value);

/** A thing with a name and a number, such as a skill with its rank. */
function named(thing: Plain, put: (name: string, value: number) => void): void {
  if (thing === null || typeof thing !== "object" || Array.isArray(thing) || typeof thing.name !== "string") return;
  const numbers = Object.values(thing).filter(isWhole);
  if (numbers.length) put(thing.name, numbers[0]!);
}

/** An expression with numbers in the place of names; a name that the sheet does not have stays, and is refused. */
export function withNumbers(text: string, numbers: ReadonlyMap<string, number>): string {
  if (!numbers.size) return text;
  return text.replace(/@([\p{L}\p{N}_]+)/gu, (whole, name: string) => {
    const value = numbers.get(name.toLowerCase());
    return value === undefined ? whole : value < 0 ? `(${value})` : String(value);
  });
}
