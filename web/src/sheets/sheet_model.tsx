// A sheet that is being looked at: what it holds, how it is changed, the mark of a change, plain fields.
import type { JSX } from "preact";
import type { Body, Change, FieldDescription, Plain, Sheet } from "../state/types";
import type { Command } from "../net/shapes";
import type { Table } from "../state/table";
import { FormField, defaultOf } from "../ui/forms";
import { showError } from "../ui/announcer";
import { t } from "../i18n";

/** The context of a sheet: a table, or anything that does the same with it. */
export type Place = Pick<Table, "id" | "world" | "game" | "sheets" | "isPlaying" | "arrived" | "roll" | "said"> & {
  readonly standing: { readonly value: string };
  readonly send: (command: Command) => Promise<unknown>;
  readonly get: <A>(path: string, signal?: AbortSignal) => Promise<A>;
};

/** A sheet that is being looked at, and what one may do with it. */
export interface SheetModel {
  table: Place;
  sheet: Sheet;
  fields: FieldDescription[];
  mayChange: boolean;
  /** Whether it is played with; else its fields are changed. */
  played?: boolean;
}

export const fieldValue = (paper: SheetModel, name: string): Plain =>
  paper.sheet.values[name] ?? defaultOf(aboutOf(paper, name));
export const listOf = (paper: SheetModel, name: string): Body[] => (fieldValue(paper, name) as Body[] | null) ?? [];
export const aboutOf = (paper: SheetModel, name: string): FieldDescription =>
  paper.fields.find((field) => field.name === name)!;

/** One thing of a list: as it was, and as it is to be; refused where somebody else has changed it meanwhile. */
export const changeItem = (
  paper: SheetModel,
  list: string,
  before: Body | undefined,
  after: Body | null,
): Promise<unknown> =>
  paper.table.send({
    do: "sheet.change_item",
    sheet: paper.sheet.id,
    list,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  });

export function change(paper: SheetModel, values: Body): void {
  paper.table.send({ do: "sheet.change", sheet: paper.sheet.id, values }).catch(showError);
}

/** Something that the game's own rules do to a sheet: reload, a new round. */
export function effect(paper: SheetModel, kind: string, amount: Plain = 0, target = ""): void {
  paper.table.send({ do: "sheet.apply_effect", sheet: paper.sheet.id, kind, amount, target }).catch(showError);
}

/** Says for a while that a field was just changed, from what, and why. */
export function ChangeMark({ paper, name }: { paper: SheetModel; name: string }): JSX.Element | null {
  const last: Change | undefined = paper.sheet.changes[name];
  if (!last || !paper.table.arrived.has(last.seq)) return null;
  const roll = typeof last.cause.roll === "string" ? paper.table.roll(last.cause.roll) : undefined;
  const why = last.cause.undo
    ? t("sheet.cause.undo")
    : last.cause.session
      ? t("sheet.cause.session")
      : roll
        ? paper.table.said(roll.title)
        : t("sheet.cause.hand");
  const simple = last.before === null || typeof last.before !== "object";
  return (
    <span class="chip brass changed">
      {simple ? t("sheet.changed", { before: String(last.before ?? "–"), why }) : why}
    </span>
  );
}

/** A sheet as plain fields, where nothing else is known of it. */
export function Rest({ paper, names }: { paper: SheetModel; names: string[] }): JSX.Element | null {
  const fields = paper.fields.filter((field) => names.includes(field.name));
  if (!fields.length) return null;
  return (
    <div class="form">
      {fields.map((about) => (
        <FormField
          key={about.name}
          about={about}
          value={fieldValue(paper, about.name)}
          disabled={!paper.mayChange}
          onChange={(value) => change(paper, { [about.name]: value })}
        />
      ))}
    </div>
  );
}

export const formatDifference = (amount: number): string => (amount < 0 ? `−${Math.abs(amount)}` : `+${amount}`);
