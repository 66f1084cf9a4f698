// The result as a headline: a word, a shape that says how it went without its colour, and what it came to.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Sum, Text } from "../state/card";
import type { Roll } from "../state/types";
import { Icon } from "../ui/icons";
import { number } from "../i18n";
import { SIGNS, type VerdictView } from "./verdict";

/** The sum of dice and additions, if the game says that a roll is a sum: 5 + 4, Focus +3 = 12. */
export function SumLine({ sum, say }: { sum: Sum | undefined; say: (text: Text) => string }): JSX.Element | null {
  if (!sum) return null;
  return (
    <p class="added">
      {sum.terms.map((term, n) => (
        <span key={n} class="added-term">
          {say(term)}
        </span>
      ))}
      <b>= {number(sum.total)}</b>
    </p>
  );
}

/** The sum of a roll, as far as it has come. */
export const sumOf = ({ after }: Pick<Roll, "after">): Sum | undefined =>
  after?.step === "choice" || after?.step === "done" ? after.sum : undefined;

export function Outcome({
  verdict,
  staged,
  fresh,
}: {
  verdict: VerdictView;
  staged?: boolean | undefined;
  fresh?: boolean;
}): JSX.Element {
  const sign = SIGNS[verdict.tone];
  const place = useRef<HTMLParagraphElement>(null);
  // How it went is seen by all who watch, however many dice lie above it; nothing moves while they fly.
  useEffect(() => {
    if (staged && fresh) place.current?.scrollIntoView({ block: "nearest" });
  }, [fresh]);
  return (
    <p class="outcome" ref={place} data-tone={verdict.tone}>
      {sign && (
        <span class="outcome-sign">
          <Icon name={sign} size={staged ? 44 : 18} />
        </span>
      )}
      <strong>{verdict.text}</strong>
      {verdict.more && <span class="outcome-more">{verdict.more}</span>}
    </p>
  );
}
