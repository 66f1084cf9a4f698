// The server's facts about its games, asked once.
import { effect, signal } from "@preact/signals";
import { describeGames } from "../net/queries";
import { language } from "../i18n";
import { front } from "../i18n/text";
import type { FieldDescription, FieldSchema, GameFacts } from "./types";

export interface GameName {
  name: string;
  title: string;
  summary: string;
  trial?: boolean;
  face?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const games = signal<GameName[] | null>(null);
const facts = new Map<string, Promise<GameFacts>>();
/** The language in which a game was asked for. */
const spoken = new WeakMap<GameFacts, string>();

export async function loadGames(): Promise<void> {
  const answer = await describeGames<{ games: GameName[] }>();
  games.value = answer.games;
}

const TYPES: Record<string, FieldSchema> = {
  int: { type: "integer" },
  bool: { type: "boolean" },
  text: { type: "string" },
  fraction: { type: ["string", "number"] },
};

const ofFields = (fields: FieldDescription[]): FieldSchema => ({
  type: "object",
  properties: Object.fromEntries(fields.map((one) => [one.name, schemaOf(one)])),
  required: fields.flatMap((one) => (one.required ? [one.name] : [])),
});

function shapeOf({ kind, fields, items, any_of, choices, low, high, most }: FieldDescription): FieldSchema {
  if (fields) return ofFields(fields);
  if (items) return { type: "array", items: shapeOf(items), maxItems: most };
  if (any_of) return { anyOf: any_of.map(shapeOf) };
  if (choices) return { enum: choices };
  return { ...TYPES[kind], minimum: low, maximum: high, ...(kind === "text" ? { maxLength: most } : {}) };
}

function schemaOf(about: FieldDescription): FieldSchema {
  const shape = shapeOf(about);
  const schema = about.optional ? { anyOf: [shape, { type: "null" }] } : shape;
  return { ...schema, title: about.title, description: about.help, default: about.default };
}

/** A game as it was described, with the schemas of its rolls. */
export function factsOf(game: GameFacts): GameFacts {
  for (const roll of Object.values(game.rolls)) roll.schema = ofFields(roll.fields);
  return game;
}

/** The facts about a game, with its words in the reader's language. */
export function gameFacts(name: string): Promise<GameFacts> {
  const asked = language.value;
  const key = `${name} ${asked}`;
  let found = facts.get(key);
  if (!found) {
    found = describeGames<GameFacts>(name).then((game) => (spoken.set(game, asked), factsOf(game)));
    facts.set(key, found);
    found.catch(() => facts.delete(key));
  }
  return found;
}

/** Who describes the game in front; nobody but the server that has it is asked about it. */
let describe = gameFacts;

/**
 * Makes this the game of the page; its words are fetched again if another language is chosen, even since the request.
 */
export function setActiveGame(game: GameFacts | null, by: typeof describe = gameFacts): void {
  describe = by;
  if (front.value?.name !== game?.name) front.value = game;
  if (game && (spoken.get(game) ?? language.peek()) !== language.peek()) comeAnew();
}

/**
 * The words of the game in front, in the language of now; what was asked for and is no longer wanted when it comes is
 * let go.
 */
function comeAnew(): void {
  const name = front.peek()?.name;
  const wanted = language.peek();
  if (!name) return;
  const take = (game: GameFacts): void => {
    if (front.peek()?.name === name && language.peek() === wanted) front.value = game;
  };
  describe(name).then(take, () => undefined);
}
effect(() => {
  if (language.value) comeAnew();
});
