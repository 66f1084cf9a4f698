/** How the dice of a roll without a table lie. */

import { known, lying, type Standing } from "../dice/standing";
import type { Body } from "../state/types";
import type { Played } from "./play";

/** The state of a throw's dice after everything that came later; hidden until they have landed. */
export function lyingOf({ rolled, air }: Played, n: number): Partial<Standing> {
  if (!rolled?.lies) return {};
  const answers = (rolled.transcript.answers ?? []) as Body[];
  const entries = answers.flatMap((answer, place) => ("option" in answer ? [] : [place]));
  const thrown = new Set(air.map((number) => String(entries[number] ?? number)));
  return lying(air.length ? known(rolled.lies, thrown) : rolled.lies, entries[n] ?? n);
}
