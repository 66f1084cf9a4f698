/** The dice of a roll before the server has thrown them, so that they tumble at the touch. */

import { EXPRESSION } from "../form/draft";
import type { RollEditor } from "./Builder";
import { diceIn } from "./written_dice";

/**
 * The dice of the rule's first throw, as the form knows them, none where a choice comes first; of an expression those
 * it writes.
 */
export function firstDice({ form, lane }: RollEditor): readonly string[] {
  if (form.roll.value !== EXPRESSION) return lane.answer.value?.dice ?? [];
  const found = diceIn(form.written.value);
  return found.length ? found : ["d20"];
}
