// The result as a headline: a word, a shape that says good or bad without its colour, and a number.
import type { JSX } from "preact";
import { Icon } from "../ui/icons";
import type { Verdict } from "./verdict";

export function Outcome({ verdict }: { verdict: Verdict }): JSX.Element {
  return (
    <p class="outcome" data-tone={verdict.tone}>
      {verdict.tone !== "even" && <span class="outcome-sign"><Icon name={verdict.tone === "good" ? "check" : "cross"} size={16} /></span>}
      <strong>{verdict.text}</strong>
      {verdict.more && <span class="outcome-more">{verdict.more}</span>}
    </p>
  );
}
