/** The names of goals, costs, results and values: in the reader's language, else the server's. */

import { amount, percent } from "../charts/scales";
import type { Body, GameFacts, Plain } from "../state/types";
import type { Text } from "../state/card";
import { t } from "../i18n";
import { front, say, worded } from "../i18n/text";
import type { Cost, Worth } from "./preview_query";

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a field as players say it. */
export const fieldName = (name: string, title = name.replaceAll("_", " ")): string =>
  capital(worded(`label.${name}`, title));

interface Titled {
  readonly name: string;
  readonly title: string;
}

export const goalName = (goal: Titled): string => worded(`goal.${goal.name}`, goal.title);
export const costName = (cost: Titled): string =>
  worded(`cost.${cost.name}`, say(priceOf(cost)?.said) || worded(`outcome.${cost.name}`, cost.title));
export const valueName = (label: string): string =>
  worded(`word.${label}`, label.replaceAll("_", " ").replace(/^-(?=\d)/, "−"));
export const outcomeName = (name: string, title: string): string =>
  say(front.value?.card?.outcome?.[name]?.title) || worded(`outcome.${name}`, capital(title)) || t("charts.result");

/** The game's description of a price. */
const priceOf = ({ name }: Titled): { readonly unit: "chance" | "amount"; readonly said: Text } | undefined =>
  front.value?.card?.prices?.[name];

/** The unit if a goal is no chance: successes, damage; for one it is a success. */
export const unitOf = (goal: Titled | undefined, number = NaN): string =>
  goal ? worded(`unit.${goal.name}`, "", { n: Math.abs(number) === 1 ? 1 : 2 }) : "";

/** A worth with its unit, for a button: "72 %", "1.3 successes". */
export function formatWorth(worth: Worth, goal: Titled | undefined = worth.goal): string {
  if (worth.chance) return percent(worth.number);
  return [amount(worth.number), unitOf(goal, worth.number)].filter(Boolean).join(" ");
}

/**
 * The play for which a number holds, as a condition: "if you never push". A game's text has the number, which is
 * elsewhere here.
 */
export function formatPolicy(
  roll: string,
  { policy, label }: { readonly policy: string; readonly label: string },
): string {
  const without = { chance: "" };
  const other = /^best(:|$)/.test(policy) ? t("play.best") : t("play.when", { play: label });
  return worded(`play.${roll}.${policy}`, worded(`play.${policy}`, other, without), without).replace(/^[\s,]+/, "");
}

/** The text below a large number: the event of a chance, or the unit of an average. */
export function aboutWorth(worth: Worth): string {
  const unit = unitOf(worth.goal);
  if (worth.chance) return worth.goal ? goalName(worth.goal) : t("charts.chance");
  return unit ? t("panel.unit_average", { unit }) : t("panel.average");
}

/** A price in a few words: "Jam: 4.9 %", "about 2.5 rounds fired". */
export const formatCost = (cost: Cost): string =>
  cost.chance
    ? t("panel.cost_chance", {
        cost: capital(say(priceOf(cost)?.said) || costName(cost)),
        chance: percent(cost.number),
      })
    : cost.words;

/** The kind of roll as people call it. */
export const rollName = (game: GameFacts, roll: string): string =>
  capital(worded(`roll.${roll}`, (game.rolls[roll]?.title ?? roll).replace(/^an? /, "")));

const UNSAID = new Set(["game", "roll", "house"]);

/** The fields that were given. */
export function formatFields(game: GameFacts, fields: Body, roll: string): string {
  const schema = game.rolls[roll]?.schema.properties ?? {};
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const said = UNSAID.has(name) ? "" : plainSaid(value);
    return said ? [`${fieldName(name, schema[name]?.title)}${said === "+" ? "" : ` ${said}`}`] : [];
  });
  return parts.join(", ");
}

/** A value in a word; a list of rolls by how many they are; nothing for what would take a sentence. */
function plainSaid(value: Plain | undefined): string {
  if (value === true) return "+";
  if (typeof value === "number") return String(value).replace("-", "−");
  if (typeof value === "string") return valueName(value);
  if (!Array.isArray(value) || !value.length) return "";
  return value.every((one) => typeof one === "object") ? `(${value.length})` : value.map(plainSaid).join(" ");
}
