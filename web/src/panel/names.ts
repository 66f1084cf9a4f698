/** What goals, costs, results and values are called: in the reader's language, else as the server says it. */

import { amount, percent } from "../charts/scales";
import type { Body, GameFacts, Plain } from "../state/types";
import { maybe, t } from "../words";
import type { Cost, Worth } from "./asking";
import { capital, fieldName } from "./fields";

interface Titled { readonly name: string; readonly title: string }

export const goalName = (goal: Titled): string => maybe(`goal.${goal.name}`, {}, goal.title);
export const costName = (cost: Titled): string => maybe(`cost.${cost.name}`, {}, cost.title);
export const valueName = (label: string): string => maybe(`value.${label.toLowerCase().replaceAll(/[ _]/g, "_")}`, {}, label.replaceAll("_", " "));
export const outcomeName = (name: string, title: string): string => maybe(`outcome.${name}`, {}, capital(maybe(`cost.${name}`, {}, title))) || t("charts.result");

/** What is counted where a goal is no chance: successes, damage. */
export const unitOf = (goal: Titled | undefined): string => (goal ? maybe(`unit.${goal.name}`) : "");

/** A worth with its unit, for a button: "72 %", "1.3 successes". */
export function worthSaid(worth: Worth, goal: Titled | undefined = worth.goal): string {
  if (worth.chance) return percent(worth.number);
  return [amount(worth.number), unitOf(goal)].filter(Boolean).join(" ");
}

/** What stands below a large number: what it is the chance of, or the average of what. */
export function aboutWorth(worth: Worth): string {
  const unit = unitOf(worth.goal);
  if (worth.chance) return worth.goal ? goalName(worth.goal) : t("charts.chance");
  return unit ? t("panel.unit_average", { unit }) : t("panel.average");
}

/** A price in a few words: "Jam: 4.9 %", "about 2.5 rounds fired". */
export function costSaid(cost: Cost): string {
  if (cost.chance) return t("panel.cost_chance", { cost: capital(costName(cost)), chance: percent(cost.number) });
  const much = amount(cost.number);
  const said = maybe(`costs.${cost.name}`, { n: cost.number, amount: much }, `${much} ${costName(cost)}`);
  return Number.isInteger(cost.number) ? said : t("panel.about", { amount: said });
}

/** The kind of roll as people call it. */
export const rollName = (game: GameFacts, roll: string): string => maybe(`roll.${game.name}.${roll}`, {}, capital((game.rolls[roll]?.title ?? roll).replace(/^an? /, "")));

const UNSAID = new Set(["game", "roll", "house"]);

/** A request in a few words: what it is called, and the fields that were given. */
export const requestSaid = (game: GameFacts, fields: Body, roll: string): string => [rollName(game, roll), fieldsSaid(game, fields, roll)].filter(Boolean).join(": ");

/** The fields that were given. */
export function fieldsSaid(game: GameFacts, fields: Body, roll: string): string {
  const schema = game.rolls[roll]?.schema.properties ?? {};
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const said = UNSAID.has(name) ? "" : plainSaid(value);
    return said ? [`${fieldName(game.name, name, schema[name])}${said === "+" ? "" : ` ${said}`}`] : [];
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
