// What the server knows of its games, asked once.
import { signal } from "@preact/signals";
import { get } from "../net/rest";
import type { GameFacts } from "./types";

export interface GameName { name: string; title: string; summary: string }

export const games = signal<GameName[] | null>(null);
const facts = new Map<string, Promise<GameFacts>>();

export async function loadGames(): Promise<void> {
  const answer = await get<{ games: GameName[] }>("/games");
  games.value = answer.games;
}

export function gameFacts(name: string): Promise<GameFacts> {
  let found = facts.get(name);
  if (!found) {
    found = get<GameFacts>(`/games/${name}`);
    facts.set(name, found);
    found.catch(() => facts.delete(name));
  }
  return found;
}
