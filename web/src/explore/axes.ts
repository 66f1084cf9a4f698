/** The possible axes: the numbers, choices and switches of a request. */

import type { Draft } from "../form/draft";
import { capital, fieldName, valueName } from "../panel/names";
import { cardOf } from "../panel/Builder";
import type { FieldSchema, Plain } from "../state/types";

export interface Axis {
  readonly field: string;
  readonly title: string;
  readonly values: readonly Plain[];
}

const SKIPPED = new Set(["house", "game", "roll"]);
const MOST_VALUES = 11;

/** Every field that can be varied, with the values worth looking at. */
export function axesOf(form: Draft): Axis[] {
  const properties = form.schema.value?.properties ?? {};
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (SKIPPED.has(name)) return [];
    const inner = schema.properties ?? {};
    if (schema.type === "object")
      return Object.entries(inner).flatMap(([part, about]) =>
        axis(form, `${name}.${part}`, about, `${title(name, schema)}: ${title(part, about)}`),
      );
    return axis(form, name, schema, title(name, schema));
  });
}

const title = (name: string, schema: FieldSchema): string => fieldName(name, schema.title);

function axis(form: Draft, field: string, schema: FieldSchema, name: string): Axis[] {
  const known = cardOf(form).explore?.values?.[field];
  if (known) return [{ field, title: name, values: known }];
  const plain = schema.anyOf?.find((part) => part.type === "integer" || part.enum) ?? schema;
  if (plain.enum) return [{ field, title: name, values: plain.enum.filter((one) => one !== "") }];
  if (plain.type !== "integer") return [];
  const low = plain.minimum ?? schema.minimum ?? -5;
  const high = plain.maximum ?? schema.maximum ?? low + MOST_VALUES - 1;
  return [{ field, title: name, values: around(form.number(field, usual(schema, low)), low, high) }];
}

const usual = (schema: FieldSchema, low: number): number =>
  typeof schema.default === "number" ? schema.default : Math.max(0, low);

/** A row of whole numbers that begins at the low end where that is near, else around the value. */
export function around(now: number, low: number, high: number): number[] {
  const first = high - low < MOST_VALUES ? low : Math.max(low, Math.min(now - 5, high - MOST_VALUES + 1));
  const start = low >= 0 && now <= 6 ? low : first;
  const count = Math.min(MOST_VALUES, high - start + 1);
  return Array.from({ length: count }, (_, n) => start + n);
}

export const formatValue = (value: Plain): string =>
  typeof value === "number" ? String(value).replace("-", "−") : capital(valueName(String(value)));
