/** The odds beside the button: the chance large, its basis, its price, and the worth of more. */

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { follow } from "../app/routes";
import { Bars, percent, points, amount, type Row } from "../charts";
import { labelsThatFit } from "../charts/scales";
import type { Body } from "../state/types";
import { Icon } from "../ui/icons";
import { inRanges } from "../dice/reading";
import type { Card } from "../state/card";
import { t } from "../i18n";
import { front, say, worded } from "../i18n/text";
import type { PreviewQuery, Cost, OneMore, Preview, ShownField } from "./preview_query";
import { cardOf, type RollEditor } from "./Builder";
import { capital, fieldName } from "./names";
import type { Draft } from "../form/draft";
import { aboutWorth, formatCost, outcomeName, unitOf, valueName, formatPolicy } from "./names";

/** The game's facts about the values of an outcome's field. */
const told = ({ name }: ShownField): NonNullable<Card["outcome"]>[string] => front.value?.card?.outcome?.[name] ?? {};

const TONES = { great: "good", good: "good", mixed: "plain", even: "plain", bad: "bad", awful: "bad" } as const;

/** Whether a row is hoped for. */
function toneOf(field: ShownField, label: string): Row["tone"] {
  const number = field.kind === "number" ? Number(label.replace("−", "-")) : NaN;
  return TONES[inRanges(told(field).tones ?? {}, Number.isNaN(number) ? label : number) ?? "even"];
}

/** The rows of a field as bars show them. */
export const rowsOf = (field: ShownField): Row[] =>
  field.rows.map((row) => ({
    label: say(told(field).labels?.[row.label]) || capital(valueName(row.label)),
    share: row.share,
    tone: toneOf(field, row.label),
  }));

/** The chance, large. */
export function Chance({ bench }: { bench: RollEditor }): JSX.Element {
  const answer = bench.asking.answer.value;
  const worth = answer?.chance;
  const mean = answer?.fields?.[0]?.mean;
  const said = worth ? (worth.chance ? percent(worth.number) : amount(worth.number)) : mean ? amount(mean.number) : "–";
  const about = worth ? aboutWorth(worth) : mean ? t("panel.average") : t("panel.no_odds");
  return (
    <div class="chance" data-waits={bench.asking.waits.value || undefined} data-none={said === "–" || undefined}>
      <strong>{said}</strong>
      <span>{about}</span>
      {answer?.play && <span class="chance-play">{formatPolicy(bench.form.roll.value, answer.play)}</span>}
    </div>
  );
}

/** A chance with its condition, in the game's words and with the digits beside the button. */
function playSaid({ form }: RollEditor, { policy, label, chance }: NonNullable<Preview["plays"]>[number]): string {
  const said = chance.chance ? percent(chance.number) : amount(chance.number);
  return worded(`play.${form.roll.value}.${policy}`, worded(`play.${policy}`, `${said} (${label})`, { chance: said }), {
    chance: said,
  });
}

/**
 * The worth of the roll under each way to decide, if there is something to decide; beside the chance only the others.
 */
export function Plays({ bench, beside }: { bench: RollEditor; beside?: boolean }): JSX.Element {
  const plays = useSignal<readonly string[]>([]);
  const answer = bench.asking.answer.value;
  const question = bench.question.value;
  useEffect(() => {
    plays.value = [];
    if (!question || !answer?.play) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      bench.asking.once({ ...question, parts: ["plays"] }).then(
        (found) =>
          current &&
          (plays.value = (found.plays ?? [])
            .filter((one) => !beside || one.policy !== answer.play!.policy)
            .map((one) => playSaid(bench, one))),
        () => {},
      );
    }, SOON);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [answer]);
  if (plays.value.length <= (beside ? 0 : 1)) return <></>;
  return (
    <p class="plays small">
      {beside ? plays.value.map((said) => <Apart key={said} said={said} />) : plays.value.join(", ")}
    </p>
  );
}

/** A chance that begins with its number: the number large, as the one beside it. */
function Apart({ said }: { said: string }): JSX.Element {
  const [, number, rest] = /^([\d.,]*\d\s?%?)[\s,]+(.+)$/.exec(said) ?? [];
  return number ? (
    <span class="play-chance">
      <b>{number}</b> <span>{rest}</span>
    </span>
  ) : (
    <span class="play-chance">{said}</span>
  );
}

/** Milliseconds until what is beside the odds is asked for. */
const SOON = 120;
const MOST_IN_STRIP = 2;
const STRIP_ROOM = 250;

/**
 * The distribution in a strip above the button, so that it is in sight while a slider moves.
 * It lies over what scrolls and takes no taps: that it comes and goes moves nothing under a finger.
 */
export function Strip({ bench }: { bench: RollEditor }): JSX.Element {
  const answer = bench.asking.answer.value;
  const names = cardOf(bench.form).drawn ?? [];
  const fields = answer?.fields ?? [];
  const field = fields.find((one) => one.name === names[0]) ?? fields[0];
  const rows = field ? rowsOf(field) : [];
  const most = Math.max(...rows.map((row) => row.share), 0.0001);
  const costs = (answer?.costs ?? []).filter((cost) => cost.number !== 0);
  if (rows.length < 2) return <></>;
  const words = rows.some((row) => !/\d/.test(row.label));
  const shown = labelsThatFit(
    rows.map((row) => row.label),
    STRIP_ROOM / rows.length,
    10,
  );
  return (
    <div class="strip" aria-hidden="true" data-seen={bench.seen.value || undefined}>
      <div class="strip-bars" data-words={words || undefined}>
        {rows.map((row, n) => (
          <span data-tone={row.tone ?? "plain"}>
            <i style={`height:${Math.max(row.share / most, 0.03) * 100}%`} />
            <small>{words || shown.has(n) ? row.label : ""}</small>
          </span>
        ))}
      </div>
      {costs.length > 0 && (
        <ul>
          {costs.slice(0, MOST_IN_STRIP).map((cost) => (
            <li>{formatCost(cost)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A link to the pictures of this very roll, house rules and all. */
const ExploreLink = ({ address }: { address: string }): JSX.Element => (
  <a class="button quiet explore-link" href={address} onClick={follow}>
    <Icon name="chart" size={18} />
    {t("panel.explore")}
  </a>
);

/** Everything that can be said before the dice are thrown. */
export function Odds({
  bench,
  explore,
}: {
  bench: RollEditor;
  explore: ((request: Body) => string) | undefined;
}): JSX.Element {
  const { form, asking } = bench;
  const answer = asking.answer.value;
  const { drawn: names = [], more = [] } = cardOf(form);
  const fields = answer?.fields ?? [];
  const drawn = (names.length ? names.flatMap((name) => fields.filter((field) => field.name === name)) : fields).filter(
    (field) => field.rows.length > 1,
  );
  return (
    <section class="odds" aria-label={t("panel.odds")}>
      <Spoken answer={answer} />
      <div class="odds-charts" ref={useSeen(bench)}>
        {!answer && asking.waits.value && <div class="skeleton odds-wait" aria-busy="true" />}
        {drawn.slice(0, 2).map((field, n) => (
          <Bars
            key={field.name}
            bare
            title={outcomeName(field.name, capital(field.title))}
            of={outcomeName(field.name, field.title)}
            rows={rowsOf(field)}
            atLeast={field.kind === "number"}
            {...(n && field.kind === "word" ? { lying: true } : {})}
          />
        ))}
      </div>
      <Plays bench={bench} />
      <Costs costs={answer?.costs ?? []} />
      <More form={form} asking={asking} question={bench.question.value} fields={more} />
      {explore && answer?.request && <ExploreLink address={explore(answer.request)} />}
    </section>
  );
}

/** Notes whether the charts are in sight, so that the strip above the button does not say it all again. */
function useSeen(bench: RollEditor): { current: HTMLDivElement | null } {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => (bench.seen.value = entries.some((entry) => entry.isIntersecting)),
      { rootMargin: "0px 0px -25% 0px", threshold: 0.3 },
    );
    watch.observe(place.current!);
    return () => watch.disconnect();
  }, [bench]);
  return place;
}

/** The chance for screen readers, said when it has come to rest. */
function Spoken({ answer }: { answer: Preview | null }): JSX.Element {
  const said = useSignal("");
  useEffect(() => {
    const worth = answer?.chance;
    const timer = setTimeout(() => {
      said.value = worth?.chance ? t("panel.spoken", { chance: percent(worth.number) }) : "";
    }, 700);
    return () => clearTimeout(timer);
  }, [answer]);
  return (
    <p class="unseen" role="status">
      {said.value}
    </p>
  );
}

function Costs({ costs }: { costs: readonly Cost[] }): JSX.Element {
  const shown = costs.filter((cost) => cost.number !== 0);
  if (!shown.length) return <></>;
  return (
    <ul class="costs" aria-label={t("panel.costs")}>
      {shown.map((cost) => (
        <li class="chip">{formatCost(cost)}</li>
      ))}
    </ul>
  );
}

const MOST_MORE = 4;

/** A change that is no chance, with its unit: "+0.37 successes". */
const changeSaid = ({ change, value }: OneMore): string =>
  [
    `${change.number < 0 ? "−" : change.number > 0 ? "+" : "± "}${amount(Math.abs(change.number))}`,
    unitOf(value.goal, change.number),
  ]
    .filter(Boolean)
    .join(" ");

/** A field by its name, one of a side by both: "Who acts: Modifier". */
const fieldSaid = (form: Draft, path: string): string =>
  path
    .split(".")
    .map((name) => fieldName(name, form.schema.value?.properties?.[name]?.title))
    .join(": ");

/** The worth of one more of something; a tap takes it. */
function More(props: {
  form: Draft;
  asking: PreviewQuery;
  question: Body | null;
  fields: readonly string[];
}): JSX.Element {
  const { form, asking, question, fields } = props;
  const found = useSignal<readonly OneMore[]>([]);
  const answer = asking.answer.value;
  useEffect(() => {
    if (!question || !fields.length || !answer || "expression" in question) {
      found.value = [];
      return undefined;
    }
    let current = true;
    const timer = setTimeout(() => {
      asking.once({ ...question, parts: ["more"], more: [...fields] }).then(
        (more) => current && (found.value = more.more ?? []),
        () => current && (found.value = []),
      );
    }, SOON);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [answer]);
  const worthwhile = found.value.filter(
    (one) => one.field in { ...form.schema.value?.properties } || one.field.includes("."),
  );
  if (!worthwhile.length) return <></>;
  return (
    <div class="one-more">
      <span class="small soft" id="one-more">
        {t("panel.one_more")}
      </span>
      <ul aria-labelledby="one-more">
        {worthwhile.slice(0, MOST_MORE).map((one) => (
          <li>
            <button type="button" class="button" onClick={() => form.give(one.field, one.to)}>
              <span>
                {capital(worded(`more.${one.field}`, t("panel.one_up", { field: fieldSaid(form, one.field) })))}
              </span>
              <b data-up={one.change.number > 0 || undefined} data-down={one.change.number < 0 || undefined}>
                {one.value.chance ? t("panel.points", { points: points(one.change.number) }) : changeSaid(one)}
              </b>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
