/** One roll of this page: its dice, what it came to, and what can be chosen now. */

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Dice, namesIn, type Face } from "../dice";
import { Faces } from "../dice/Faces";
import { capital } from "../panel/names";
import { costSaid, worthSaid } from "../panel/names";
import { Remarks } from "../panel/remarks";
import { Icon } from "../ui/icons";
import { announce, tellProblem } from "../ui/live";
import { t } from "../words";
import { Assign, type Puts } from "../table/assign";
import { Added, Outcome } from "../table/outcome";
import { goodOf } from "../table/verdict";
import { say } from "../words/text";
import { lyingOf } from "./lying";
import type { Advice, Advised, Effect, Played, Plays, Step } from "./play";

/** The description of an effect. */
const effectSaid = ({ said }: Effect): string => capital(say(said).replaceAll("_", " "));

/** A card for a roll. */
export function PlayCard({
  play,
  plays,
  goal,
  onTake,
}: {
  play: Played;
  plays: Plays;
  goal: string;
  onTake: (dice: string) => void;
}): JSX.Element {
  const { rolled } = play;
  const step = rolled?.step;
  const flies = play.air.length > 0;
  useEffect(() => {
    if (rolled && !flies && rolled.step.step !== "throw") announce(say(rolled.told));
  }, [rolled, flies]);
  const waits = step?.step === "throw" ? step : null;
  const isBare = waits && !rolled!.throws.length;
  const done = step?.step === "done" ? step : null;
  const verdict = done?.verdict ?? null;
  const good = done
    ? verdict
      ? goodOf(verdict.tone)
      : done.good === null
        ? "open"
        : done.good
          ? "good"
          : "bad"
    : "open";
  const marks = rolled?.marks ?? play.marks;
  return (
    <article class="card play" data-good={flies ? "open" : good} data-air={flies || undefined} aria-label={play.title}>
      <h2>{play.title}</h2>
      {!isBare && (
        <div class="felt-tray">
          {!rolled && <Dice dice={play.waiting} faces={null} fresh game={play.game} marks={marks} />}
          {rolled?.throws.map((one, n) => (
            <Dice
              key={n}
              dice={namesIn(one.pool) ?? []}
              faces={one.faces as Face[]}
              pool={one.pool}
              fresh={play.air.includes(n)}
              onLand={() => plays.land(play.id, n)}
              game={play.game}
              marks={marks}
              called={one.named}
              {...lyingOf(play, n)}
            />
          ))}
          {step?.step === "done" && !rolled!.throws.length && <p>{t("justroll.no_dice")}</p>}
        </div>
      )}
      <Added sum={step && step.step !== "throw" ? step.sum : undefined} say={say} />
      {verdict?.word && (
        <Outcome
          verdict={{
            text: capital(say(verdict.word)),
            more: (verdict.detail ?? []).map((one) => say(one)).join(" · "),
            paid: (verdict.paid ?? []).map((one) => say(one)).join(" · "),
            tone: verdict.tone,
          }}
        />
      )}
      {rolled && !waits && <p class="told">{say(rolled.told)}</p>}
      {done && <Remarks remarks={rolled!.remarks ?? []} onTake={onTake} />}
      {step?.step === "done" && step.effects.length > 0 && (
        <ul class="costs">
          {step.effects.map((one) => (
            <li class="chip brass">{effectSaid(one)}</li>
          ))}
        </ul>
      )}
      {waits && (
        <Faces
          dice={waits.dice}
          called={waits.named}
          pool={waits.pool}
          round={rolled!.throws.length}
          onEnter={(faces) => plays.enter(play.id, faces, goal).catch(tellProblem)}
          onVirtual={() => plays.virtual(play.id, goal).catch(tellProblem)}
        />
      )}
      {step?.step === "choice" && (
        <Choose
          play={play}
          step={step}
          onChoose={(number) => plays.choose(play.id, number, goal).catch(tellProblem)}
          onDeal={(puts) => plays.deal(play.id, puts, goal).catch(tellProblem)}
        />
      )}
    </article>
  );
}

function Choose(props: {
  play: Played;
  step: Extract<Step, { step: "choice" }>;
  onChoose: (number: number) => void;
  onDeal: (puts: Puts) => void;
}): JSX.Element {
  const { play, step } = props;
  const advice = play.advice;
  const known = new Map(advice?.options.map((one) => [one.number, one]));
  return (
    <div class="play-choice" role="group" aria-label={t("justroll.choose")}>
      <p>
        <Icon name="hand" size={20} /> <strong>{capital(say(step.question)) || t("justroll.choose")}</strong>
      </p>
      {step.standing && <p class="standing">{say(step.standing)}</p>}
      {step.assign && <Assign assign={step.assign} said={say} disabled={false} onDone={props.onDeal} />}
      <ul>
        {step.options.map((option, number) => (
          <li>
            <Option
              said={say(option.label ?? option.said)}
              leads={say(option.leads)}
              about={known.get(number)}
              goal={advice?.goal}
              matters={!!advice?.matters}
              onChoose={() => props.onChoose(number)}
            />
          </li>
        ))}
      </ul>
      {advice && <p class="why small">{advice.matters ? advice.why : t("justroll.same")}</p>}
    </div>
  );
}

function Option(props: {
  said: string;
  leads: string;
  about: Advised | undefined;
  goal: Advice["goal"] | undefined;
  matters: boolean;
  onChoose: () => void;
}): JSX.Element {
  const { about } = props;
  const best = !!about?.gains && props.matters;
  const worth = about && worthSaid(about.value, props.goal);
  return (
    <button type="button" class={`button play-option ${best ? "on" : ""}`} onClick={props.onChoose}>
      <span class="grow">
        {capital(props.said)}
        {props.leads && <small class="option-leads">{props.leads}</small>}
      </span>
      {best && (
        <span class="chip brass">
          <Icon name="star" size={14} />
          {t("justroll.best")}
        </span>
      )}
      {worth && <b>{worth}</b>}
      {!!about?.costs?.length && <small>{about.costs.slice(0, 2).map(costSaid).join(" · ")}</small>}
    </button>
  );
}
