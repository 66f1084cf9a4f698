// The result as a headline: a word, a shape that says how it went without its colour, and what it came to.
import type { JSX } from "preact";
import { Icon } from "../ui/icons";
import { SIGNS, type Shown } from "./verdict";

export function Outcome({ verdict, staged }: { verdict: Shown; staged?: boolean }): JSX.Element {
  const sign = SIGNS[verdict.tone];
  return (
    <p class="outcome" data-tone={verdict.tone}>
      {sign && <span class="outcome-sign"><Icon name={sign} size={staged ? 44 : 18} /></span>}
      <strong>{verdict.text}</strong>
      {verdict.more && <span class="outcome-more">{verdict.more}</span>}
    </p>
  );
}
