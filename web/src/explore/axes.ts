/** What can run along an axis: the numbers, choices and switches of a request. */

import type { Form } from "../panel/form";
import { capital, fieldName } from "../panel/fields";
import { valueName } from "../panel/names";
import type { FieldSchema, Plain } from "../state/types";
import { VALUES } from "./telling";

export interface Axis {
  readonly field: string;
  readonly title: string;
  readonly values: readonly Plain[];
}

const SKIPPED = new Set(["house", "game", "roll", "track", "locations", "item_tier", "checks_before", "attempt"]);
const MOST_VALUES = 11;

/** Every field that can be varied, with the values worth looking at. */
export function axesOf(form: Form): Axis[] {
  const properties = form.schema.value?.properties ?? {};
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (SKIPPED.has(name)) return [];
    const inner = schema.properties ?? {};
    if (schema.type === "object")
      return Object.entries(inner).flatMap(([part, about]) => axis(form, `${name}.${part}`, about, `${title(form, name, schema)}: ${title(form, part, about)}`));
    return axis(form, name, schema, title(form, name, schema));
  });
}

const title = (form: Form, name: string, schema: FieldSchema): string => fieldName(form.game?.name ?? "", name, schema);

function axis(form: Form, field: string, schema: FieldSchema, name: string): Axis[] {
  const known = VALUES[`${form.game?.name}.${field}`];
  if (known) return [{ field, title: name, values: known }];
  const plain = schema.anyOf?.find((part) => part.type === "integer" || part.enum) ?? schema;
  if (plain.enum) return [{ field, title: name, values: plain.enum.filter((one) => one !== "") }];
  if (plain.type !== "integer") return [];
  const low = plain.minimum ?? schema.minimum ?? -5;
  const high = plain.maximum ?? schema.maximum ?? low + MOST_VALUES - 1;
  return [{ field, title: name, values: around(form.number(field, usual(schema, low)), low, high) }];
}

const usual = (schema: FieldSchema, low: number): number => (typeof schema.default === "number" ? schema.default : Math.max(0, low));

/** A row of whole numbers that begins at the low end where that is near, else around the value. */
export function around(now: number, low: number, high: number): number[] {
  const first = high - low < MOST_VALUES ? low : Math.max(low, Math.min(now - 5, high - MOST_VALUES + 1));
  const start = low >= 0 && now <= 6 ? low : first;
  const count = Math.min(MOST_VALUES, high - start + 1);
  return Array.from({ length: count }, (_, n) => start + n);
}

export const valueSaid = (value: Plain): string => (typeof value === "number" ? String(value).replace("-", "−") : capital(valueName(String(value))));
