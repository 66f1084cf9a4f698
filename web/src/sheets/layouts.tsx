// Which layout a game's sheet has; a game without one is shown field by field.
import type { ComponentType, JSX } from "preact";
import { DustSheet } from "./dust";
import { EdgeSheet } from "./edge20";
import { GhostSheet } from "./ghostburn";
import { KleptoSheet } from "./kleptonomicon";
import { TwilightSheet } from "./twilight2000";
import { Rest, type Paper } from "./widgets";

const LAYOUTS: Record<string, ComponentType<{ paper: Paper }> | undefined> = { dust: DustSheet, edge20: EdgeSheet, ghostburn: GhostSheet, kleptonomicon: KleptoSheet, twilight2000: TwilightSheet };

export function Layout({ game, paper }: { game: string; paper: Paper }): JSX.Element {
  const Made = LAYOUTS[game] ?? PlainSheet;
  return <Made paper={paper} />;
}

function PlainSheet({ paper }: { paper: Paper }): JSX.Element {
  return <Rest paper={paper} names={paper.fields.map((field) => field.name).filter((name) => name !== "name")} />;
}
