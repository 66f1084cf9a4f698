/** The game's suggestions: the fields that make a difference, and builds to compare. */

import { EXPRESSION, over } from "../form/draft";
import { cardOf, formatIn, type RollEditor } from "../panel/Builder";
import { formatFields, rollName } from "../panel/names";
import type { RollCard } from "../state/card";
import type { Body } from "../state/types";

export const suggestionsOf = ({ form }: RollEditor): NonNullable<RollCard["explore"]> => cardOf(form).explore ?? {};

export interface Build {
  readonly name: string;
  readonly question: Body;
}

const DICE = ["2d20kh1", "1d20+1d4", "1d20+2"];

/** The roll as it is set. */
export function nameOf(bench: RollEditor): string {
  const { form, lane } = bench;
  if (!form.game || form.roll.value === EXPRESSION) return form.expression.value;
  return formatIn(bench, lane.answer.value?.title) || rollName(form.game, form.roll.value);
}

/** Builds to begin with: of the roll at hand, or dice where it is none; none until the roll is known. */
export function buildsOf(bench: RollEditor): Build[] {
  const { form, question } = bench;
  if (form.roll.value === EXPRESSION || !form.game)
    return DICE.map((dice) => ({ name: dice, question: { expression: dice } }));
  if (!question.value) return [];
  const all = suggestionsOf(bench).builds ?? [];
  return (all.length ? all : [{}]).map((changes) => {
    const said = formatFields(form.game!, changes, form.roll.value);
    return {
      name: said ? `… + ${said}` : nameOf(bench),
      question: { ...question.value, draft: over(question.value!.draft, { set: changes }) },
    };
  });
}
