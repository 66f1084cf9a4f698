/** One roll of this page: its dice, what it came to, and what can be chosen now. */

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Dice, namesIn, type Face } from "../dice";
import { Faces } from "../dice/Faces";
import { capital } from "../panel/names";
import { formatCost, formatWorth } from "../panel/names";
import { Hints } from "../panel/Hints";
import { Icon } from "../ui/icons";
import { announce, showError } from "../ui/announcer";
import { t } from "../i18n";
import { Assign, type Assignment } from "../table/Assign";
import { SumLine, Outcome } from "../table/Outcome";
import { goodOf } from "../table/verdict";
import { say } from "../i18n/text";
import { fatesOfRoll } from "./fates";
import type { Advice, OptionAdvice, Effect, LocalRoll, LocalRolls, Step } from "./local_rolls";

/** The description of an effect. */
const effectSaid = ({ said }: Effect): string => capital(say(said).replaceAll("_", " "));

/** A card for a roll. */
export function PlayCard({
  play,
  plays,
  goal,
  onTake,
}: {
  play: LocalRoll;
  plays: LocalRolls;
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
              {...fatesOfRoll(play, n)}
            />
          ))}
          {step?.step === "done" && !rolled!.throws.length && <p>{t("justroll.no_dice")}</p>}
        </div>
      )}
      <SumLine sum={step && step.step !== "throw" ? step.sum : undefined} say={say} />
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
      {done && <Hints remarks={rolled!.remarks ?? []} onTake={onTake} />}
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
          onEnter={(faces) => plays.enter(play.id, faces, goal).catch(showError)}
          onVirtual={() => plays.virtual(play.id, goal).catch(showError)}
        />
      )}
      {step?.step === "choice" && (
        <Choose
          play={play}
          step={step}
          onChoose={(number) => plays.choose(play.id, number, goal).catch(showError)}
          onDeal={(puts) => plays.deal(play.id, puts, goal).catch(showError)}
        />
      )}
    </article>
  );
}

function Choose(props: {
  play: LocalRoll;
  step: Extract<Step, { step: "choice" }>;
  onChoose: (number: number) => void;
  onDeal: (puts: Assignment) => void;
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
  about: OptionAdvice | undefined;
  goal: Advice["goal"] | undefined;
  matters: boolean;
  onChoose: () => void;
}): JSX.Element {
  const { about } = props;
  const best = !!about?.gains && props.matters;
  const worth = about && formatWorth(about.value, props.goal);
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
      {!!about?.costs?.length && <small>{about.costs.slice(0, 2).map(formatCost).join(" · ")}</small>}
    </button>
  );
}
