/** One roll of this page: its dice, what it came to, and what can be chosen now. */

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Dice, namesIn, type Face } from "../dice";
import { Faces } from "../dice/Faces";
import { kindOf } from "../dice/kinds";
import { readingOf } from "../dice/readings";
import { capital } from "../panel/fields";
import { costSaid, worthSaid } from "../panel/names";
import { Icon } from "../ui/icons";
import { announce, tellProblem } from "../ui/live";
import { maybe, t } from "../words";
import type { Advice, Advised, Effect, Played, Plays, Step } from "./play";

/** Without a table nobody says which dice stay; in a push those with a meaning do. */
function lying(play: Played, n: number): { locked?: number[]; dropped?: number[] } {
  const throws = play.rolled?.throws ?? [];
  const answers = (play.rolled?.transcript["answers"] ?? []) as { option?: unknown }[];
  if (play.game !== "twilight2000" || n > 0 || throws.length < 2 || !String(answers[1]?.option).startsWith("push")) return {};
  const faces = throws[0]!.faces as Face[];
  const stays = (namesIn(throws[0]!.pool) ?? []).map((name, place) => readingOf(play.game, kindOf(name), faces[place] ?? null).tone !== "plain");
  return { locked: stays.flatMap((yes, place) => (yes ? [place] : [])), dropped: stays.flatMap((yes, place) => (yes ? [] : [place])) };
}

/** What an outcome does, in the reader's words where there are any. */
function effectSaid({ kind, amount, target, said }: Effect): string {
  const word = kind === "range" ? String(amount).replace(/^\[|\]$/g, "").replace("..", "–") : String(amount);
  const done = maybe(`effect.${kind.replaceAll(" ", "_")}`, { n: Number(amount) || 0, amount: word.replace("-", "−") }, said.replace(/ \([^)]*\)$/, "").replaceAll("_", " "));
  return target ? `${capital(done)} (${target})` : capital(done);
}

/** A card for a roll. */
export function PlayCard({ play, plays, goal }: { play: Played; plays: Plays; goal: string }): JSX.Element {
  const { rolled } = play;
  const step = rolled?.step;
  useEffect(() => {
    if (rolled && rolled.step.step !== "throw") announce(rolled.told);
  }, [rolled]);
  const waits = step?.step === "throw" ? step : null;
  const isBare = waits && !rolled!.throws.length;
  const good = step?.step === "done" && step.good !== null ? (step.good ? "good" : "bad") : "open";
  return (
    <article class="card play" data-good={good} aria-label={play.title}>
      <h2>{play.title}</h2>
      {!isBare && <div class="felt-tray">
        {!rolled && <Dice dice={play.waiting} faces={null} fresh game={play.game} about={play.request} />}
        {rolled?.throws.map((one, n) => (
          <Dice key={n} dice={namesIn(one.pool) ?? []} faces={one.faces as Face[]} pool={one.pool} fresh={n >= play.before && !play.physical} game={play.game} about={play.request} {...lying(play, n)} />
        ))}
        {step?.step === "done" && !rolled!.throws.length && <p>{t("justroll.no_dice")}</p>}
      </div>}
      {rolled && !waits && <p class="told">{rolled.told}</p>}
      {step?.step === "done" && step.effects.length > 0 && (
        <ul class="costs">{step.effects.map((one) => <li class="chip brass">{effectSaid(one)}</li>)}</ul>
      )}
      {waits && (
        <Faces dice={waits.dice} pool={waits.pool} round={rolled!.throws.length} onEnter={(faces) => plays.enter(play.id, faces, goal).catch(tellProblem)} onVirtual={() => plays.virtual(play.id, goal).catch(tellProblem)} />
      )}
      {step?.step === "choice" && <Choose play={play} step={step} onChoose={(number) => plays.choose(play.id, number, goal).catch(tellProblem)} />}
    </article>
  );
}

/** An option in the reader's words; a Luck Point adds three to a favored skill, less beside a standing bonus. */
function optionSaid({ game, request }: Played, said: string): string {
  const standing = (request?.["luck"] as number[] | undefined) ?? [];
  return maybe(`option.${game}.${said}`, { n: Math.max(0, (request?.["favored"] === true ? 3 : 2) - Math.max(0, ...standing)) }, said);
}

function Choose(props: { play: Played; step: Extract<Step, { step: "choice" }>; onChoose: (number: number) => void }): JSX.Element {
  const { play, step } = props;
  const advice = play.advice;
  const known = new Map(advice?.options.map((one) => [one.number, one]));
  return (
    <div class="play-choice" role="group" aria-label={t("justroll.choose")}>
      <p><Icon name="hand" size={20} /> <strong>{t("justroll.choose")}</strong></p>
      <ul>
        {step.options.map((option, number) => (
          <li><Option said={optionSaid(play, option.said)} about={known.get(number)} goal={advice?.goal} matters={!!advice?.matters} onChoose={() => props.onChoose(number)} /></li>
        ))}
      </ul>
      {advice && <p class="why small">{advice.matters ? advice.why : t("justroll.same")}</p>}
    </div>
  );
}

function Option(props: { said: string; about: Advised | undefined; goal: Advice["goal"] | undefined; matters: boolean; onChoose: () => void }): JSX.Element {
  const { about } = props;
  const best = !!about?.best && props.matters;
  const worth = about && worthSaid(about.value, props.goal);
  return (
    <button type="button" class={`button play-option ${best ? "on" : ""}`} onClick={props.onChoose}>
      <span class="grow">{capital(props.said)}</span>
      {best && <span class="chip brass"><Icon name="star" size={14} />{t("justroll.best")}</span>}
      {worth && <b>{worth}</b>}
      {!!about?.costs?.length && (
        <small>{about.costs.slice(0, 2).map(costSaid).join(" · ")}</small>
      )}
    </button>
  );
}
