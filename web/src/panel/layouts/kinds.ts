/** What a hand-made layout gives the roll panel. */

import type { JSX } from "preact";
import type { Body, Plain, Sheet } from "../../state/types";
import type { Choice } from "../controls";
import type { Form, Person } from "../form";

export interface PlaceProps {
  readonly form: Form;
  /** Ask ahead for every value of a field that is about to be moved. */
  readonly warm: (field: string, values: readonly number[]) => void;
}

export interface Layout {
  /** What a kind of roll starts with. */
  first(roll: string, sheet: Sheet | undefined, people?: readonly Person[]): Body;
  /** The controls of a kind of roll, and which fields they cover; null for rolls without a place. */
  place(roll: string): { readonly Place: (props: PlaceProps) => JSX.Element; readonly fields: readonly string[] } | null;
  /** Which fields of the outcome are drawn, the first of them as bars. */
  readonly charts: Readonly<Record<string, readonly string[]>>;
  /** Which numbers somebody would like one more of. */
  readonly more: Readonly<Record<string, readonly string[]>>;
  /** What the sheet rules of a request whose numbers are typed: the Luck there is, not the Luck one likes. */
  ofSheet?(roll: string, numbers: ReadonlyMap<string, number>, fields: Body): Body;
  /** Why the roll cannot be made, where the sheet tells so at once; nothing where it can. */
  wont?(form: Form): string;
  /** How decisions in the roll are counted, where there are any. */
  policies(roll: string): readonly Choice[];
}

export type Thing = Readonly<Record<string, Plain>>;

/** A list on the sheet. */
export function listed(sheet: Sheet | undefined, name: string): Thing[] {
  const held = sheet?.values[name];
  return Array.isArray(held) ? (held as Thing[]) : [];
}

export const text = (value: Plain | undefined): string => (typeof value === "string" ? value : "");
export const whole = (value: Plain | undefined, otherwise = 0): number => (typeof value === "number" ? value : otherwise);
