// The result as a headline: a word, a shape that says good or bad without its colour, and what it cost.
import type { JSX } from "preact";
import { Icon, type IconName } from "../ui/icons";
import { goodOf, type Shown } from "./verdict";

const SIGNS: Record<string, IconName> = { great: "star", good: "check", mixed: "minus", bad: "cross", awful: "skull" };

export function Outcome({ verdict }: { verdict: Shown }): JSX.Element {
  const sign = SIGNS[verdict.tone];
  return (
    <p class="outcome" data-tone={goodOf(verdict.tone)}>
      {sign && <span class="outcome-sign"><Icon name={sign} size={16} /></span>}
      <strong>{verdict.text}</strong>
      {verdict.more && <span class="outcome-more">{verdict.more}</span>}
      {verdict.paid && <span class="chip">{verdict.paid}</span>}
    </p>
  );
}
