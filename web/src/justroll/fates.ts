/** How the dice of a roll without a table lie. */

import { onlyShown, fatesOf, type DiceFates } from "../dice/fates";
import type { Body } from "../state/types";
import type { LocalRoll } from "./local_rolls";

/** The state of a throw's dice after everything that came later; hidden until they have landed. */
export function fatesOfRoll({ rolled, air }: LocalRoll, n: number): Partial<DiceFates> {
  if (!rolled?.lies) return {};
  const answers = (rolled.transcript.answers ?? []) as Body[];
  const entries = answers.flatMap((answer, place) => ("option" in answer ? [] : [place]));
  const thrown = new Set(air.map((number) => String(entries[number] ?? number)));
  return fatesOf(air.length ? onlyShown(rolled.lies, thrown) : rolled.lies, entries[n] ?? n);
}
