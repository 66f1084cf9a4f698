/** What the game in front says of its dice: colours, names, and whether they have numerals in place of pips. */

import type { Card } from "../state/card";
import { front } from "../words/text";
import type { Kind } from "./kinds";

type Looks = NonNullable<Card["dice"]>;

/** The look of a die: by its name with its sides, its name, or its shape. */
export function lookOf({ name, role, sides }: Pick<Kind, "name" | "role" | "sides">): Looks[string] | undefined {
  const looks = front.value?.card?.dice;
  return looks?.[name] ?? looks?.[role] ?? looks?.[`d${sides}`];
}
