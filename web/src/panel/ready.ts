/** Whether the roll can be made as it is set, and what is said of it beside the button. */

import { Away } from "../net/rest";
import { t } from "../words";
import type { Bench } from "./Builder";
import { capital, fieldName } from "./fields";
import { EXPRESSION } from "./form";
import { notNow, onlyOdds, pathOf, sentenceOf, toldOf, type Told } from "./refusals";

export interface Ready {
  readonly can: boolean;
  /** Why not, or why there are no odds; nothing where all is well. */
  readonly why: Told | null;
}

const note = (said: string): Told => ({ said, rule: "" });

/** How things stand; `later` says that a roll waits for the server and is not lost. */
export function readyOf(bench: Bench, later: boolean): Ready {
  const { form, asking, layout } = bench;
  if (!form.what.value) return { can: false, why: null };
  const known = layout.wont?.(form);
  if (known) return { can: false, why: note(known) };
  const problem = asking.problem.value;
  if (problem instanceof Away) return { can: later, why: note(t("panel.away")) };
  if (onlyOdds(problem)) return { can: true, why: note(t(notNow(problem) ? "panel.not_now" : "panel.too_much")) };
  // A roll that was tried and refused may be tried again; one that is refused before is not.
  return { can: !problem, why: reasonOf(bench) };
}

/** What is wrong, with the name of the field as the panel says it. */
export function reasonOf({ form }: Bench): Told | null {
  const wrong = form.wrong.value;
  if (!wrong) return null;
  if (form.roll.value === EXPRESSION) return note(capital(sentenceOf(wrong.message)));
  const { said, rule } = toldOf(wrong);
  const name = pathOf(wrong).split(".").filter((part) => !/^\d*$/.test(part)).pop();
  const field = name && (form.schema.value?.properties?.[name] || NAMED.has(name)) ? fieldName(form.game?.name ?? "", name, form.schema.value?.properties?.[name]) : "";
  return { said: field ? `${field}: ${said}` : capital(said), rule };
}

/** Fields that are not the request's own, but have a name on the panel. */
const NAMED = new Set(["weapon", "skill_name", "attribute", "ability", "skill", "item", "pool", "modifier", "spend", "dc", "dl", "name", "difficulty", "advantages", "disadvantages"]);
