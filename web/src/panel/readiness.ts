/** Whether the roll can be made as it is set, and what is said of it beside the button. */

import { OfflineError } from "../net/http";
import { t } from "../i18n";
import { formatIn, type RollEditor } from "./Builder";
import { capital, fieldName } from "./names";
import { EXPRESSION } from "../form/draft";
import { findInvalid } from "../form/FormView";
import type { FormState } from "../form/form_query";
import { notNow, onlyOdds, pathOf, sentenceOf, problemOf, type FieldProblem } from "./field_errors";

export interface RollReadiness {
  readonly can: boolean;
  /** Why not, or why there are no odds; nothing where all is well. */
  readonly why: FieldProblem | null;
}

const note = (said: string): FieldProblem => ({ said, rule: "" });

/** The state of the bench; `later` means that a roll waits for the server and is not lost. */
export function readinessOf(bench: RollEditor, later: boolean): RollReadiness {
  const { form, asking, lane } = bench;
  if (!form.what.value) return { can: false, why: null };
  const answer = form.roll.value === EXPRESSION ? null : lane.answer.value;
  if (answer && !answer.can) return { can: false, why: refusalOf(bench, answer) };
  const problem = asking.problem.value;
  if (problem instanceof OfflineError) return { can: later, why: note(t("panel.away")) };
  if (onlyOdds(problem)) return { can: true, why: note(t(notNow(problem) ? "panel.not_now" : "panel.too_much")) };
  // A roll that was tried and refused may be tried again; one that is refused before is not.
  return { can: !problem, why: reasonOf(bench) };
}

/** The form's error, with the name of the field; a pick from the sheet is named by its reason. */
export function refusalOf(bench: RollEditor, { form, why, rule = "" }: FormState): FieldProblem {
  const control = findInvalid(form);
  const field = control && !control.at?.startsWith("pick.") ? formatIn(bench, control.label) : "";
  const said = formatIn(bench, why);
  return { said: field ? `${field}: ${said}` : capital(said), rule };
}

/** The error, with the name of the field as the panel has it. */
export function reasonOf({ form }: RollEditor): FieldProblem | null {
  const wrong = form.wrong.value;
  if (!wrong) return null;
  if (form.roll.value === EXPRESSION) return note(capital(sentenceOf(wrong.message)));
  const { said, rule } = problemOf(wrong);
  const name = pathOf(wrong)
    .split(".")
    .filter((part) => !/^\d*$/.test(part))
    .pop();
  const about = name ? form.schema.value?.properties?.[name] : undefined;
  const field = name && about ? fieldName(name, about.title) : "";
  return { said: field ? `${field}: ${said}` : capital(said), rule };
}
