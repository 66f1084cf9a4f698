/** The layouts made by hand; any other game is laid out from its fields. */

import type { FieldSchema, GameFacts } from "../../state/types";
import { startOf } from "../fields";
import { dust } from "./dust";
import { edge20 } from "./edge20";
import { ghostburn } from "./ghostburn";
import type { Layout } from "./kinds";
import { kleptonomicon } from "./kleptonomicon";
import { twilight2000 } from "./twilight2000";

const LAYOUTS: Record<string, Layout> = { twilight2000, dust, kleptonomicon, edge20, ghostburn };

/** The layout of a game: its own, or one made from the schema of its rolls. */
export function layoutOf(game: GameFacts | null): Layout {
  const own = game && Object.hasOwn(LAYOUTS, game.name) ? LAYOUTS[game.name] : undefined;
  return own ?? made(game);
}

function made(game: GameFacts | null): Layout {
  const schema = (roll: string): FieldSchema => game?.rolls[roll]?.schema ?? {};
  return {
    first: (roll) => startOf(schema(roll), 1) as never,
    place: () => null,
    charts: {},
    more: {},
    policies: () => Object.entries(game?.policies ?? {}).filter(([, about]) => !takesArgument(about)).slice(0, 4).map(([value]) => ({ value, label: value })),
  };
}

const takesArgument = (about: unknown): boolean => typeof about === "object" && about !== null && !!(about as { argument?: string }).argument;
