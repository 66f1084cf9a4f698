/** A roll that a program made: its dice as they lie, and what came of it. */
import type { JSX } from "preact";
import { Dice, namesIn, type Face } from "../dice";
import type { RollOutput } from "../net/shapes";
import type { Marks, Text } from "../state/card";
import { say } from "../i18n/text";
import { t } from "../i18n";

export function RollOutputView({ output }: { output: RollOutput }): JSX.Element {
  const { roll } = output;
  return (
    <div class="rolled">
      <div class="felt-tray">
        {roll.throws.map((one, n) => (
          <Dice
            key={n}
            dice={namesIn(one.pool) ?? []}
            faces={one.faces as Face[]}
            pool={one.pool}
            marks={roll.marks as unknown as Marks}
            game=""
          />
        ))}
      </div>
      <p class="told">{say(roll.told as Text)}</p>
      <Transcript transcript={roll.transcript} />
    </div>
  );
}

/** Everything that a roll can be played again from. */
export function Transcript({ transcript }: { transcript: object }): JSX.Element {
  return (
    <details class="chart-table">
      <summary>{t("bench.transcript")}</summary>
      <pre class="output-text" tabIndex={0}>
        {JSON.stringify(transcript, null, 1)}
      </pre>
    </details>
  );
}
