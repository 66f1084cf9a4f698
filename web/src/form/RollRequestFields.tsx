/** The form of a roll request: the controls of that roll that are asked, with the names on all sheets. */

import { useComputed, type Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Choosable, Control, FormAnswer } from "../state/card";
import type { Table } from "../state/table";
import type { Plain } from "../state/types";
import { showError } from "../ui/announcer";
import { at, draftOf, same, way, withChanges, type Draft, type Parts } from "./draft";
import { FormView } from "./FormView";
import "../panel/words";
import "../panel/panel.css";

/** Sheets whose names are offered. */
export const MOST_SHEETS = 8;

/** The name of the field that a control is for: `pick.skill` is skill. */
export const fieldAt = (at: string): string => at.split(".")[1] ?? "";

/** The controls of these fields, at any depth, without what one sheet has filled in. */
export function controlsNamed(form: readonly Control[], names: readonly string[]): Control[] {
  return form.flatMap((control): Control[] => {
    if (control.control === "group") return controlsNamed(control.form, names);
    if (!control.at || !names.includes(fieldAt(control.at))) return [];
    const { from, wrong: _, why: __, ...bare } = control;
    if (bare.control !== "pick") return [from === "sheet" ? { ...bare, value: null } : bare];
    const options = bare.options.map(
      ({ value, label, group }): Choosable => ({ value, label, ...(group ? { group } : {}) }),
    );
    return [bare.at!.startsWith("pick.") ? { ...bare, style: "menu", value: null, options } : { ...bare, options }];
  });
}

/** The same controls with the options of all. */
export function together(forms: readonly (readonly Control[])[]): Control[] {
  const found: Control[] = [];
  for (const control of forms.flat()) {
    const known = found.findIndex((one) => one.at === control.at && one.control === control.control);
    const before = found[known];
    if (!before) found.push(control);
    else if (before.control === "pick" && control.control === "pick")
      found[known] = {
        ...before,
        options: [
          ...before.options,
          ...control.options.filter((option) => !before.options.some((one) => same(one.value, option.value))),
        ],
      };
  }
  // A name of the sheet says more than its number: of a field that has both, only the name is asked.
  return found.filter(
    (one) => !one.at!.startsWith("set.") || !found.some((other) => other.at === `pick.${fieldAt(one.at!)}`),
  );
}

/** Whether something is said of a field. */
export const isSet = (draft: Draft, name: string): boolean =>
  [draft.at(`pick.${name}`), draft.at(`set.${name}`)].some((one) => one !== undefined && one !== null && one !== "");

/** The request: the input, and the defaults, so that it is asked as it is seen. */
export function partsNamed(form: readonly Control[], parts: Parts): Parts {
  const stands = form.flatMap(({ at: path = "", value }) =>
    path.startsWith("set.") &&
    value !== null &&
    value !== undefined &&
    at(parts as unknown as Plain, way(path)) === undefined
      ? [[path, value] as const]
      : [],
  );
  return withChanges(parts, Object.fromEntries(stands));
}

interface AskFieldsProps {
  readonly table: Table;
  readonly draft: Draft;
  readonly form: Signal<readonly Control[] | null>;
  /** Paths set elsewhere, so that they are not asked here. */
  readonly besides: readonly string[];
}

export function AskFields({ table, draft, form, besides }: AskFieldsProps): JSX.Element {
  const roll = draft.roll.value;
  const shown = useComputed(
    () => form.value?.map((control) => ({ ...control, value: draft.at(control.at!) ?? control.value })) ?? null,
  );
  useEffect(() => {
    let current = true;
    const names = table.game.value?.card?.rolls?.[roll]?.asked ?? [];
    const sheets = table.sheets.value.filter((sheet) => !sheet.id.startsWith("n")).slice(0, MOST_SHEETS);
    const asked = (sheets.length ? sheets : [undefined]).map((sheet) =>
      table
        .post<FormAnswer>("/form", {
          n: 0,
          purpose: "ask",
          draft: draftOf(roll, { pick: {}, set: {}, roles: {} }),
          ...(sheet ? { sheet: sheet.id } : {}),
        })
        .then((answer) => controlsNamed(answer.form ?? [], names)),
    );
    form.value = null;
    Promise.all(asked).then((forms) => current && (form.value = together(forms)), showError);
    return () => {
      current = false;
    };
  }, [roll]);
  if (!shown.value) return <div class="skeleton form-waits" aria-busy="true" />;
  return (
    <div class="builder-controls builder">
      <FormView
        key={roll}
        desk={{ draft, current: false, say: (text) => table.said(text), sheet: false }}
        form={shown.value.filter(({ at: path }) => !besides.includes(path!))}
      />
    </div>
  );
}
