/** The dice of a request before the server has thrown them, so that they tumble at the touch. */

import type { Body, Plain } from "../state/types";

const SIDES: Record<string, number> = { A: 12, B: 10, C: 8, D: 6 };
const MOST_GUESSED = 40;

const whole = (value: Plain | undefined, otherwise = 0): number => (typeof value === "number" ? value : otherwise);
const many = (count: number, name: string): string[] => Array<string>(Math.max(0, Math.min(count, MOST_GUESSED))).fill(name);

/** Base dice after stepping: up from the smaller die, down from the larger. */
function baseDice(request: Body): string[] {
  let attribute = SIDES[String(request["attribute"])] ?? 8;
  let skill = SIDES[String(request["skill"])] ?? 0;
  const single = (request["modifiers"] as number[] | undefined) ?? [];
  const net = whole(request["modifier"]) + whole(request["helpers"]) + single.reduce((a, b) => a + b, 0);
  for (let n = 0; n < net; n++) {
    if (!skill) skill = 6;
    else if (attribute <= skill && attribute < 12) attribute += 2;
    else if (skill < 12) skill += 2;
  }
  for (let n = 0; n > net; n--) {
    if (attribute >= skill && attribute > 6) attribute -= 2;
    else if (skill > 6) skill -= 2;
    else skill = 0;
  }
  return [attribute, skill].filter(Boolean).sort((a, b) => a - b).map((sides) => `d${sides}`);
}

function edgeDice(request: Body): string[] {
  const helped = whole(request["advantages"]) > 0;
  const hindered = whole(request["disadvantages"]) > 0;
  const edges = Array.isArray(request["edges"]) ? request["edges"].length : whole(request["edges"]);
  const size = Math.min(12, 2 + 2 * Math.abs(edges));
  return [...many(helped !== hindered ? 2 : 1, "d20"), ...(edges ? [`edge d${size}`] : [])];
}

function testDice(request: Body): string[] {
  const left = Math.abs(whole(request["advantages"]) - whole(request["disadvantages"]));
  return many(1 + Math.min(3, left), request["method"] === "d10ish" ? "d10ish" : "d10");
}

function dustDice(request: Body): string[] {
  const stats = whole(request["pool"], whole(request["attribute"]) + whole(request["ability"]));
  return many(Math.min(10, stats) + whole(request["modifier"]), "d10");
}

const GUESSES: Record<string, (request: Body) => string[]> = {
  "twilight2000.skill": baseDice,
  "twilight2000.attack": (request) => [...baseDice(request), ...many(whole(request["ammo_dice"]), "ammo")],
  "dust.roll": dustDice,
  "dust.extended": dustDice,
  "kleptonomicon.test": testDice,
  "edge20.check": edgeDice,
  "ghostburn.roll": () => many(2, "d10"),
};

/** The dice a request is likely to throw; one for anything else. */
export function likelyDice(what: Body | null, request: Body | null | undefined): string[] {
  const text = what?.["expression"];
  if (typeof text === "string") return diceIn(text);
  const guess = request && GUESSES[`${String(request["game"])}.${String(request["roll"])}`];
  const found = guess ? guess(request) : [];
  return found.length ? found : ["d20"];
}

/** The dice written in an expression, as far as they can be told at a glance. */
export function diceIn(text: string): string[] {
  const found = [...text.matchAll(/(\d*)\s*d\s*(\d+|%|f)/gi)].flatMap(([, count, sides]) =>
    many(Number(count || 1), sides === "%" ? "d100" : `d${sides!.toLowerCase()}`),
  );
  return found.slice(0, MOST_GUESSED);
}
