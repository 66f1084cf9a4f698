// The first values of a character: a starter of the game, or a copy of somebody at the table.
import type { Table } from "../state/table";
import type { Place } from "./sheet_model";
import type { Body } from "../state/types";

export interface SheetStarter {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly values: Body;
}

/** The starters of the game; a name that somebody at the table has already is not given twice. */
export function startersOf(table: Place): SheetStarter[] {
  const taken = new Set(table.sheets.value.map((sheet) => sheet.values.name));
  return (table.game.value?.card?.starters ?? []).map((one, n) => {
    const { name, ...rest } = one.values;
    const free = typeof name === "string" && !taken.has(name);
    return {
      key: `starter ${n}`,
      name: free ? name : "",
      about: table.said(one.name),
      values: free ? { name, ...rest } : rest,
    };
  });
}

/** The sheets that one sees, to begin like one of them. */
export const copiesOf = (table: Table): SheetStarter[] =>
  table.sheets.value.map((sheet) => {
    const { name, ...values } = sheet.values;
    return { key: sheet.id, name: String(name || table.nameOf(sheet.id)), about: "", values };
  });

/** Things of a list as starters and others at the table have them, each name once. */
export function knownItems(table: Place, list: string, key: string): Body[] {
  const all = [
    ...(table.game.value?.card?.starters ?? []).map((one) => one.values),
    ...table.sheets.value.map((sheet) => sheet.values),
  ];
  const things = all
    .flatMap((values) => (Array.isArray(values[list]) ? (values[list] as Body[]) : []))
    .filter((thing) => thing && typeof thing === "object" && thing[key]);
  return [...new Map(things.map((thing) => [String(thing[key]), thing])).values()];
}
