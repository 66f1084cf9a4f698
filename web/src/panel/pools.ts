/** The dice of a roll before the server has thrown them, so that they tumble at the touch. */

import { EXPRESSION } from "../form/draft";
import type { Bench } from "./Builder";

const MOST_GUESSED = 40;

/** The dice of the rule's first throw, as the form knows them, none where a choice comes first; of an expression those it writes. */
export function firstDice({ form, lane }: Bench): readonly string[] {
  if (form.roll.value !== EXPRESSION) return lane.answer.value?.dice ?? [];
  const found = diceIn(form.written.value);
  return found.length ? found : ["d20"];
}

/** The dice written in an expression, as far as they can be told at a glance. */
export function diceIn(text: string): string[] {
  const found = [...text.matchAll(/(\d*)\s*d\s*(\d+|%|f)/gi)].flatMap(([, count, sides]) =>
    Array<string>(Math.min(Number(count || 1), MOST_GUESSED)).fill(sides === "%" ? "d100" : `d${sides!.toLowerCase()}`),
  );
  return found.slice(0, MOST_GUESSED);
}
