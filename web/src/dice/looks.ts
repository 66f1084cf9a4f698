/** The dice of the game in front: colours, names, and whether they have numerals in place of pips. */

import type { Card, Text } from "../state/card";
import { language, t } from "../i18n";
import { front, say } from "../i18n/text";
import { kindOf, type Kind } from "./kinds";

type Looks = NonNullable<Card["dice"]>;

/** The look of a die: by its name with its sides, its name, or its shape. */
export function lookOf({ name, role, sides }: Pick<Kind, "name" | "role" | "sides">): Looks[string] | undefined {
  const looks = front.value?.card?.dice;
  return looks?.[name] ?? looks?.[role] ?? looks?.[`d${sides}`];
}

/** A die's name in the reader's language: `d10` is a W10 in German, `ammo d6` the game's name for it with its sides. */
export function formatDie(name: string): string {
  const kind = kindOf(name);
  const label = say(lookOf(kind)?.label);
  if (kind.sides === null) return label || (kind.shape === "coin" ? t("dice.coin") : name);
  const role = (language.value !== "en" && label) || kind.role; // the name itself is English
  return `${kind.role && `${role} `}${t("dice.sides", { sides: String(kind.sides) })}`;
}

/** A die's name in a roll; else its general name. Names of people replace their seats. */
export function titleOfDie(
  name: string,
  called: Readonly<Record<string, Text>> | undefined,
  who?: (ref: string) => string,
): string {
  const said = say(called?.[kindOf(name).role], who) || formatDie(name);
  return who ? said.replace(/@[sn]\d+/g, who) : said;
}
