/** The icons of games that the page does not know, as the server describes them. */

import { signal } from "@preact/signals";
import { gameFacts } from "../state/games";
import { isRead, type Icons } from "./readings";

const NONE: Icons = {};
const known = signal<Readonly<Record<string, Icons>>>({});

/** The icons of a game; asked for when first wanted, and drawn once they are there. */
export function iconsOf(game: string): Icons {
  if (!game || isRead(game)) return NONE;
  const found = known.value[game];
  if (!found) void gameFacts(game).then((facts) => (known.value = { ...known.value, [game]: facts.icons }), () => undefined);
  return found ?? NONE;
}
