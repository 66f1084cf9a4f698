// What the server knows of its games, asked once.
import { effect, signal } from "@preact/signals";
import { get } from "../net/rest";
import { language } from "../words";
import { front } from "../words/text";
import type { Described, FieldSchema, GameFacts } from "./types";

export interface GameName { name: string; title: string; summary: string; trial?: boolean; face?: Readonly<Record<string, Readonly<Record<string, string>>>> }

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

/** What is known of a game, with its words in the reader's language. */
export function gameFacts(name: string): Promise<GameFacts> {
  const key = `${name}?language=${language.value}`;
  let found = facts.get(key);
  if (!found) {
    found = get<GameFacts>(`/games/${key}`).then((game) => {
      for (const roll of Object.values(game.rolls)) roll.schema = ofFields(roll.fields);
      return game;
    });
    facts.set(key, found);
    found.catch(() => facts.delete(key));
  }
  return found;
}

/** The page is about this game from now on; its words come anew where another language is spoken. */
export function putInFront(game: GameFacts | null): void {
  if (front.value?.name !== game?.name) front.value = game;
}
effect(() => {
  if (language.value && front.peek()) gameFacts(front.peek()!.name).then((game) => (front.value = game), () => undefined);
});
