// What a character can begin with: a starter of the game, or a copy of somebody at the table.
import type { Table } from "../state/table";
import type { Body, Plain } from "../state/types";
import { worded } from "../words/text";

export interface Beginning { readonly key: string; readonly name: string; readonly about: string; readonly values: Body }

/** What a starter calls by a name, in the reader's language. */
function inWords(value: Plain): Plain {
  if (typeof value === "string") return worded(`starter.${value}`, value);
  if (Array.isArray(value)) return value.map(inWords);
  return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inWords(one)])) : value;
}

/** The starters of the game; a name that somebody at the table has already is not given twice. */
export function startersOf(table: Table): Beginning[] {
  const taken = new Set(table.sheets.value.map((sheet) => sheet.values.name));
  return (table.game.value?.card?.starters ?? []).map((one, n) => {
    const { name, ...rest } = inWords(one.values) as Body;
    const free = typeof name === "string" && !taken.has(name);
    return { key: `starter ${n}`, name: free ? name : "", about: table.said(one.name), values: free ? { name, ...rest } : rest };
  });
}

/** The sheets that one sees, to begin like one of them. */
export const copiesOf = (table: Table): Beginning[] =>
  table.sheets.value.map((sheet) => {
    const { name, ...values } = sheet.values;
    return { key: sheet.id, name: String(name || table.nameOf(sheet.id)), about: "", values };
  });

/** Things of a list as starters and others at the table have them, each name once. */
export function knownThings(table: Table, list: string, key: string): Body[] {
  const all = [...(table.game.value?.card?.starters ?? []).map((one) => inWords(one.values) as Body), ...table.sheets.value.map((sheet) => sheet.values)];
  const things = all.flatMap((values) => (Array.isArray(values[list]) ? (values[list] as Body[]) : [])).filter((thing) => thing && typeof thing === "object" && thing[key]);
  return [...new Map(things.map((thing) => [String(thing[key]), thing])).values()];
}
