// A roll over a stream: who, what, the dice, how it went or what may be chosen, and the chance of it. Nothing to press.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PreviewAnswer } from "../net/shapes";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { ChoiceView } from "../table/ChoiceView";
import { SumLine, Outcome, sumOf } from "../table/Outcome";
import { parts, Tray } from "../table/RollCard";
import { OddsLine, oddsOf } from "../table/RollOdds";
import { goodOf, verdictOf } from "../table/verdict";
import { whoRolls } from "../table/roll_owners";

export function OverlayRoll({ roll: shown, table }: { roll: Roll; table: Table }): JSX.Element {
  const roll = table.coming(shown);
  const verdict = verdictOf(roll, table);
  const done = roll.status === "done";
  return (
    <article
      class="roll-card staged"
      data-good={done ? goodOf(verdict?.tone ?? "even") : roll.status}
      data-tone={done ? verdict?.tone : undefined}
      data-air={shown.air || undefined}
      aria-labelledby="overlay-title"
    >
      <header class="roll-head">
        <h1 id="overlay-title">
          <span class="roll-who">{whoRolls(roll, table)}</span>{" "}
          <span class="roll-title">
            {table.said(roll.title)}
            {parts(roll, table)}
          </span>
        </h1>
      </header>
      {roll.entries.length > 0 && <Tray roll={roll} table={table} staged />}
      <SumLine sum={sumOf(roll)} say={(text) => table.said(text)} />
      {verdict && <Outcome verdict={verdict} staged fresh={false} />}
      {roll.status === "open" && roll.after?.step === "choice" && (
        <ChoiceView roll={roll} after={roll.after} table={table} />
      )}
      {done && <Odds roll={roll} table={table} />}
    </article>
  );
}

/** The chance that it had; where none can be counted, nothing. */
function Odds({ roll, table }: { roll: Roll; table: Table }): JSX.Element | null {
  const [odds, setOdds] = useState<PreviewAnswer | null>(null);
  useEffect(() => void (roll.what && oddsOf(roll, table).then(setOdds, () => undefined)), [roll.id]);
  return (
    odds && (
      <footer class="roll-foot">
        <OddsLine roll={roll} odds={odds} />
      </footer>
    )
  );
}
