/** A rule that is rolled: by chance, or by a seed that always gives the same dice; choices are made here. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useMemo } from "preact/hooks";
import { PlayCard } from "../justroll/PlayCard";
import { LocalRolls } from "../justroll/local_rolls";
import type { RuleShown } from "../net/shapes";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { Transcript } from "./RollOutputView";
import type { Work } from "./work";

export function ThrowTool({ work, rule }: { work: Work; rule: RuleShown }): JSX.Element {
  const plays = useMemo(() => new LocalRolls((kind, question) => work.ask(kind, question)), [work]);
  const seed = useSignal("");
  const id = useId();
  const roll = (): void =>
    void plays
      .start(
        { request: rule.request!, ...(seed.value ? { seed: seed.value } : {}) },
        { title: rule.name, game: "", request: rule.request, physical: false },
        [],
        "",
      )
      .catch(showError);
  return (
    <div class="throwing stack close">
      <div class="row">
        <button type="button" class="button main" onClick={roll}>
          {t("bench.roll")}
        </button>
        <label class="seed" for={id}>
          {t("bench.seed")}{" "}
          <input
            id={id}
            class="input"
            size={8}
            value={seed.value}
            onInput={(event) => (seed.value = event.currentTarget.value)}
          />
        </label>
      </div>
      {plays.list.value.slice(0, 3).map((play) => (
        <div key={play.id} class="stack close">
          <PlayCard play={play} plays={plays} goal="" onTake={() => undefined} />
          {play.rolled && <Transcript transcript={play.rolled.transcript} />}
        </div>
      ))}
    </div>
  );
}
