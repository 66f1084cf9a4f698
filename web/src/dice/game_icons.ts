/** The icons of games, as the server describes them: signs for faces, and pictures by their names. */

import { signal } from "@preact/signals";
import { gameFacts } from "../state/games";
import { front } from "../i18n/text";
import type { Face, Kind } from "./kinds";
import { PLAIN, type Reading } from "./reading";

type Icons = Readonly<Record<string, string>>;
const NONE: Icons = {};
const known = signal<Readonly<Record<string, Icons>>>({});

/** The signs of a game; asked for when first wanted, and drawn once they are there. */
function signsOf(game: string): Icons {
  const found = known.value[game];
  if (!found)
    void gameFacts(game).then(
      (facts) => (known.value = { ...known.value, [game]: facts.icons ?? NONE }),
      () => undefined,
    );
  return found ?? NONE;
}

/** A face by the sign that a game has for it: by what the die is for and the face, or by the face. */
export function signOf(game: string, kind: Kind, face: Face): Reading {
  const signs = game && face !== null ? signsOf(game) : NONE;
  const sign = signs[`${kind.role} ${face}`] ?? signs[String(face)];
  return sign ? { ...PLAIN, symbols: [sign] } : PLAIN;
}

/** A picture of the game in front, as an address that an image can have. */
export function pictureOf(name: string): string | undefined {
  const found = front.value?.card?.icons?.[name];
  return found && `data:image/svg+xml,${encodeURIComponent(found)}`;
}
