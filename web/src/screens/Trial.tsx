// A roll to try before there is a table: real dice of the server, and the exact worth of each choice.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Dice, namesIn, type Face } from "../dice";
import { useRolling } from "../dice/rolling";
import type { OptionAdvice } from "../justroll/local_rolls";
import { LocalRolls } from "../justroll/local_rolls";
import { fatesOfRoll } from "../justroll/fates";
import { capital, goalName, formatWorth } from "../panel/names";
import { gameFacts, games } from "../state/games";
import type { GameFacts, Plain } from "../state/types";
import { Outcome } from "../table/Outcome";
import { Icon } from "../ui/icons";
import { announce } from "../ui/announcer";
import { language, t } from "../i18n";
import { front, say } from "../i18n/text";
import "../panel/words";
import "../i18n/coming";

/** A game is in front for its words alone: the first page has a look of its own. */
const IN_FRONT = "trial";

export function Trial(): JSX.Element | null {
  const [game, setGame] = useState<GameFacts | null>(null);
  const [failed, setFailed] = useState(false);
  const name = games.value?.find((one) => one.trial)?.name;
  useEffect(() => {
    if (name)
      gameFacts(name).then(
        (found) => {
          front.value = { name: IN_FRONT, words: found.words, card: { ...found.card, theme: undefined } };
          setGame(found);
        },
        () => setFailed(true),
      );
  }, [name, language.value]);
  useEffect(
    () => () => {
      if (front.peek()?.name === IN_FRONT) front.value = null;
    },
    [],
  );
  if (game?.card?.trial) return <Tried key={language.value} game={game} trial={game.card.trial} />;
  return failed || (games.value && !name) ? null : <Coming />;
}

/** A placeholder for dice. */
const Coming = (): JSX.Element => (
  <div class="trial-coming" aria-busy="true">
    <span class="skeleton" />
    <span class="skeleton" />
    <span class="skeleton" />
  </div>
);

type Trying = NonNullable<NonNullable<GameFacts["card"]>["trial"]>;

function Tried({ game, trial }: { game: GameFacts; trial: Trying }): JSX.Element | null {
  const plays = useMemo(() => new LocalRolls(), [game]);
  const [failed, setFailed] = useState(false);
  useRolling();
  const begin = (): void =>
    void plays
      .try({ game: game.name, roll: trial.roll, ...trial.fields }, trial.faces as Plain[], game.name)
      .catch(() => setFailed(true));
  useEffect(begin, [plays]);
  const play = plays.list.value[0];
  const step = play?.rolled?.step;
  const done = step?.step === "done" ? step : null;
  const flies = !!play?.air.length;
  useEffect(() => {
    if (done && !flies) announce(say(play!.rolled!.told));
  }, [done, flies]);
  if (!play?.rolled) return failed ? null : <Coming />;
  const choose = (number: number): void => void plays.choose(play.id, number, "").catch(() => {});
  return (
    <section
      class="trial"
      aria-label={t("start.try")}
      data-tone={flies ? undefined : done?.verdict?.tone}
      data-air={flies || undefined}
    >
      <p class="trial-said">
        {t("start.try")} <strong>{say(trial.said)}</strong>
      </p>
      <div class="felt-tray trial-dice">
        {play.rolled.throws.map((one, n) => (
          <Dice
            key={`${play.id} ${n}`}
            dice={namesIn(one.pool) ?? []}
            faces={one.faces as Face[]}
            pool={one.pool}
            fresh={play.air.includes(n)}
            onLand={() => plays.land(play.id, n)}
            game={play.game}
            marks={play.rolled!.marks}
            {...fatesOfRoll(play, n)}
          />
        ))}
      </div>
      {step?.step === "choice" && (
        <>
          <p class="trial-ask">
            {capital(say(step.standing))}
            {step.standing ? ". " : ""}
            {capital(say(step.question))}
          </p>
          <div class="trial-options">
            {step.options.map((option, number) => (
              <Choice
                key={number}
                said={say(option.label ?? option.said)}
                leads={say(option.leads)}
                about={play.advice?.options.find((one) => one.number === number)}
                goal={play.advice?.goal}
                best={!!play.advice?.matters}
                onChoose={() => choose(number)}
              />
            ))}
          </div>
        </>
      )}
      {done && (
        <>
          {done.verdict?.word && (
            <Outcome
              verdict={{
                text: capital(say(done.verdict.word)),
                more: (done.verdict.detail ?? []).map((one) => say(one)).join(" · "),
                paid: (done.verdict.paid ?? []).map((one) => say(one)).join(" · "),
                tone: done.verdict.tone,
              }}
            />
          )}
          <button class="button" onClick={begin}>
            <Icon name="again" size={18} />
            {t("start.try.again")}
          </button>
        </>
      )}
    </section>
  );
}

/** A choice as what comes of it: its worth large, its price beside it. */
function Choice(props: {
  said: string;
  leads: string;
  about: OptionAdvice | undefined;
  goal: { readonly name: string; readonly title: string } | undefined;
  best: boolean;
  onChoose: () => void;
}): JSX.Element {
  const { about, goal } = props;
  const risks = about?.costs?.filter((cost) => cost.chance && cost.number > 0) ?? [];
  return (
    <button
      type="button"
      class="trial-option"
      data-best={(props.best && about?.gains) || undefined}
      onClick={props.onChoose}
    >
      <b>{capital(props.said)}</b>
      {about ? (
        <span class="trial-worth">
          <strong>{formatWorth(about.value, goal)}</strong> {goal && goalName(goal)}
        </span>
      ) : (
        <span class="trial-worth">{props.leads}</span>
      )}
      {risks.map((cost) => (
        <span key={cost.name} class="trial-risk">
          {cost.words}
        </span>
      ))}
    </button>
  );
}
