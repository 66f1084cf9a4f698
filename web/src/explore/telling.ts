/** What is worth looking at first: for each roll the fields that make a difference, and builds to compare. */

import type { Bench } from "../panel/Builder";
import { EXPRESSION } from "../panel/form";
import { fieldsSaid, rollName } from "../panel/names";
import type { Body, Plain } from "../state/types";

interface Telling {
  /** What runs along a curve. */
  readonly along: string;
  /** Two fields of a map: across and down. */
  readonly map?: readonly [string, string];
  /** What is aimed for and how decisions are made, where the usual makes flat lines. */
  readonly goal?: string;
  readonly policy?: string;
  /** Changes of the roll that are worth comparing; without any, the roll as it is. */
  readonly builds?: readonly Body[];
}

const TELLING: Record<string, Telling> = {
  "twilight2000.skill": { along: "modifier", map: ["skill", "attribute"], builds: [{}, { attribute: "A", skill: "D" }, { helpers: 1 }] },
  "twilight2000.attack": {
    along: "ammo_dice", map: ["ammo_dice", "modifier"], goal: "hit-without-a-jam", policy: "if-failed",
    builds: [{ ammo_dice: 0 }, { ammo_dice: 3 }, { ammo_dice: 3, modifier: 1 }],
  },
  "twilight2000.opposed": { along: "active.modifier", map: ["active.modifier", "passive.modifier"] },
  "twilight2000.group": { along: "modifier" },
  "twilight2000.clear_jam": { along: "modifier", map: ["tries", "modifier"] },
  "twilight2000.magazine": { along: "ammo_dice", map: ["ammo_dice", "reliability"] },
  "dust.roll": { along: "pool", map: ["pool", "difficulty"], builds: [{}, { pool: 7, difficulty: 7 }, { spend: 1 }] },
  "dust.opposing": { along: "actor.pool", map: ["actor.pool", "defender.pool"] },
  "dust.extended": { along: "pool", map: ["pool", "limit"], builds: [{}, { pool: 7 }, { difficulty: 7 }] },
  "dust.plan": { along: "adrenaline" },
  "kleptonomicon.test": { along: "modifier", map: ["modifier", "advantages"], builds: [{}, { modifier: 2 }, { advantages: 1 }] },
  "kleptonomicon.contest": { along: "first.modifier", map: ["first.modifier", "second.modifier"] },
  "kleptonomicon.group": { along: "goal" },
  "edge20.check": { along: "modifier", map: ["modifier", "dc"], builds: [{}, { advantages: 1 }, { edges: 1 }] },
  "edge20.turn": { along: "rerolls" },
  "edge20.repair": { along: "modifier", map: ["modifier", "tier"], builds: [{}, { tier: 3 }, { advantages: 1 }] },
  "ghostburn.roll": { along: "ability", map: ["ability", "dl"], builds: [{}, { ability: 5 }, { dl: "Hard" }] },
  "ghostburn.session": { along: "luck_points" },
};

/** Values of a field that are better than all that its description allows. */
export const VALUES: Record<string, readonly Plain[]> = {
  "ghostburn.dl": ["Easy", "Moderate", "Hard", "Severe"],
  "kleptonomicon.advantages": [0, 1, 2, 3],
  "edge20.tier": [0, 1, 2, 3, 4, 5, 6],
  "twilight2000.modifier": [-3, -2, -1, 0, 1, 2, 3],
};

const kindOf = ({ form }: Bench): string => `${form.game?.name}.${form.roll.value}`;

export const tellingOf = (bench: Bench): Telling | undefined => TELLING[kindOf(bench)];

export interface Build { readonly name: string; readonly question: Body }

const DICE = ["2d20kh1", "1d20+1d4", "1d20+2"];

/** The roll as it is set, by its fields. */
export function nameOf({ form }: Bench): string {
  if (!form.game || form.roll.value === EXPRESSION) return form.expression.value;
  return fieldsSaid(form.game, form.fields.value, form.roll.value) || rollName(form.game, form.roll.value);
}

/** Builds to begin with: of the roll at hand, or dice where it is none. */
export function buildsOf(bench: Bench): Build[] {
  const { form, question } = bench;
  if (form.roll.value === EXPRESSION || !form.game) return DICE.map((dice) => ({ name: dice, question: { expression: dice } }));
  const request = question.value?.["request"] as Body;
  return (tellingOf(bench)?.builds ?? [{}]).map((changes) => {
    const said = fieldsSaid(form.game!, changes, form.roll.value);
    return { name: said ? `… + ${said}` : nameOf(bench), question: { ...question.value, request: { ...request, ...changes } } };
  });
}
