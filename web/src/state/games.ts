// What the server knows of its games, asked once.
import { signal } from "@preact/signals";
import { get } from "../net/rest";
import type { Described, FieldSchema, GameFacts } from "./types";

export interface GameName { name: string; title: string; summary: string }

export const games = signal<GameName[] | null>(null);
const facts = new Map<string, Promise<GameFacts>>();

export async function loadGames(): Promise<void> {
  const answer = await get<{ games: GameName[] }>("/games");
  games.value = answer.games;
}

const TYPES: Record<string, FieldSchema> = { int: { type: "integer" }, bool: { type: "boolean" }, text: { type: "string" }, fraction: { type: ["string", "number"] } };

const ofFields = (fields: Described[]): FieldSchema => ({
  type: "object", properties: Object.fromEntries(fields.map((one) => [one.name, schemaOf(one)])), required: fields.flatMap((one) => (one.required ? [one.name] : [])),
});

function shapeOf({ kind, fields, items, any_of, choices, low, high, most }: Described): FieldSchema {
  if (fields) return ofFields(fields);
  if (items) return { type: "array", items: shapeOf(items), maxItems: most };
  if (any_of) return { anyOf: any_of.map(shapeOf) };
  if (choices) return { enum: choices };
  return { ...TYPES[kind], minimum: low, maximum: high, ...(kind === "text" ? { maxLength: most } : {}) };
}

function schemaOf(about: Described): FieldSchema {
  const shape = shapeOf(about);
  const schema = about.optional ? { anyOf: [shape, { type: "null" }] } : shape;
  return { ...schema, title: about.title, description: about.help, default: about.default };
}

export function gameFacts(name: string): Promise<GameFacts> {
  let found = facts.get(name);
  if (!found) {
    found = get<GameFacts>(`/games/${name}`).then((game) => {
      for (const roll of Object.values(game.rolls)) roll.schema = ofFields(roll.fields);
      return game;
    });
    facts.set(name, found);
    found.catch(() => facts.delete(name));
  }
  return found;
}
