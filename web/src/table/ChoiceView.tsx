// A decision on an open roll: every option with its odds and worth, the best one marked, and why.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { writeStored, readStored } from "../app/storage";
import { OfflineError } from "../net/http";
import type { Text, Tone } from "../state/card";
import type { OpenChoice, Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { language, locale, t } from "../i18n";
import { isAmount, riskOf, say, worded } from "../i18n/text";
import { amount as rounded, percent } from "../charts/scales";
import { unitOf } from "../panel/names";
import "../i18n/choosing";
import { alike, cheapest, visibleCosts, onlyRisk, type Advice, type OptionAdvice, type Cost } from "./advice";
import { Assign, type Assignment, type Worths } from "./Assign";
import { Ladder, Party } from "./layouts";
import { goOn, LATE } from "./roll_commands";
import { formatOption, question } from "./option_texts";
import { highlight } from "./die_tags";
import { SIGNS } from "./verdict";
import { sheetName } from "./roll_owners";

const MOST_AT_FIRST = 6;

export function ChoiceView({ roll, after, table }: { roll: Roll; after: OpenChoice; table: Table }): JSX.Element {
  const mine = table.isFor(after.by) || (after.by.length === 0 && roll.by === table.me.value?.seat);
  const [forThem, setForThem] = useState(false);
  const waits = !mine && !forThem && (
    <div class="waiting" role="group" aria-label={t("decision.waiting")}>
      <Icon name="hourglass" size={20} />
      <p class="grow">
        {t("decision.waits", {
          who: after.by.map((seat) => table.nameOf(seat)).join(", "),
          question: question(after, table),
        })}
      </p>
      {table.isReferee.value && (
        <button class="button quiet" onClick={() => setForThem(true)}>
          {t("decision.for_them")}
        </button>
      )}
    </div>
  );
  return <Options key={waits ? "watched" : "own"} roll={roll} after={after} table={table} waits={waits || undefined} />;
}

/** The options as the chooser presses them; with `waits`, as everybody else watches them. */
function Options({
  roll,
  after,
  table,
  waits,
}: {
  roll: Roll;
  after: OpenChoice;
  table: Table;
  waits?: JSX.Element | undefined;
}): JSX.Element {
  const game = table.world.value.table.game;
  const goals = readStored<Record<string, string>>("goals", {});
  const kind = `${game}.${String(roll.what?.request?.roll ?? "")}`;
  const [picked, setPicked] = useState({ role: "", goal: "" });
  // Others choose their own aims: watchers see the roll by its own goal.
  const goal = (picked.role === after.role && picked.goal) || after.aim || roll.goal || (!waits && goals[kind]) || "";
  const [advice, setAdvice] = useState<Advice | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState<number | null>(null);
  const [late, setLate] = useState(false);
  const [stale, setStale] = useState<{ number: number; why: string } | null>(null);
  const [all, setAll] = useState(false);
  const step = roll.last;
  const online = table.standing.value === "open";
  // If the rule hides dice from us, only the chooser sees the worth of the options.
  const hidden = !!waits && roll.entries.some((entry) => entry.kind === "veiled");

  // Without a line nothing is asked; what is known stays, and the rest is asked when it is back.
  useEffect(() => {
    if (!online || hidden) return;
    const stop = new AbortController();
    setAdvice(null);
    setProblem("");
    table
      .post<Advice>(`/rolls/${roll.id}/advice`, goal ? { goal } : {}, stop.signal)
      .then(setAdvice, (refused: Error) => {
        if (refused.name !== "AbortError")
          setProblem(refused instanceof OfflineError ? t("problem.away") : refused.message);
      });
    return () => stop.abort();
  }, [roll.id, step, goal, online, hidden, language.value]);
  useEffect(() => setStale(null), [step]);

  const choose = async (number: number, anyway = false): Promise<void> => {
    setBusy(number);
    const refused = await goOn(table, roll, "roll.choose", { number, ...(anyway ? { anyway } : {}) });
    setBusy(null);
    setLate(refused?.field === LATE);
    setStale(refused?.field === "anyway" ? { number, why: refused.message } : null);
  };
  const deal = async (puts: Assignment): Promise<void> => {
    setBusy(-1);
    const refused = await goOn(table, roll, "roll.choose", { puts } as never);
    setBusy(null);
    setLate(refused?.field === LATE);
  };
  const aim = (name: string): void => {
    writeStored("goals", { ...goals, [kind]: name });
    setPicked({ role: after.role, goal: name });
  };

  const known = new Map(advice?.options.map((one) => [one.number, one]));
  const leads = new Set(after.options.map((one) => table.said(one.leads)));
  const same = !!advice && alike(advice) && leads.size === 1;
  const best = advice ? gaining(advice) : undefined;
  const cheap = advice && !same && !best ? cheapest(advice) : undefined;
  const safe = !!advice && onlyRisk(advice);
  const costs = advice && !same ? visibleCosts(advice) : [];
  const risk = costs.find((cost) => cost.chance && !isAmount(cost));
  const paid = costs.filter((cost) => cost !== risk);
  // Of very many options the event names the first ones only, and advice the best.
  const named = (text: Text | undefined): string => say(text, (ref) => sheetName(table, ref.slice(1)));
  const wordsOf = (number: number): string => {
    const option = after.options[number];
    return after.party && option
      ? named(option.label ?? option.said)
      : formatOption(option ?? known.get(number)!, table);
  };
  const saidOf = (number: number): string => capital(wordsOf(number));
  let order = [...after.options.keys(), ...[...known.keys()].filter((number) => number >= after.options.length)];
  const listed = order.length;
  const unlisted = (after.count ?? listed) - listed;
  const many = order.length > MOST_AT_FIRST;
  if (many && advice) order.sort((a, b) => (known.get(b)?.value.number ?? 0) - (known.get(a)?.value.number ?? 0));
  // Tokens on places are no list of combinations.
  if (after.assign) order = [];
  else if (many && !all && !after.party) order = order.slice(0, MOST_AT_FIRST);
  const fine = !!advice && isFine(advice);
  // The results of options say it all if the roll ends there, or if no chance distinguishes them.
  const level = !!advice && new Set(advice.options.map(({ value }) => value.number)).size === 1;
  const sure =
    !!advice &&
    advice.options.every((about) => {
      const option = after.options[about.number];
      return isSure(about, risk) && option?.leads && (level || option.tone);
    });
  const goal_said = (about?: OptionAdvice): string =>
    (advice && about && !about.value.chance && unitOf(advice.goal, about.value.number)) ||
    (advice ? goalSaid(advice.goal) : "");
  const button = (number: number): JSX.Element => {
    const about = known.get(number);
    const mark = about?.gains
      ? t("decision.best")
      : cheap && cheap === about
        ? t(safe ? "decision.safe" : "decision.cheap")
        : "";
    return (
      <OptionCard
        said={saidOf(number)}
        leads={table.said(after.options[number]?.leads)}
        tone={after.options[number]?.tone}
        about={about}
        fine={fine}
        sure={sure}
        to={after.ladder && after.options[number]?.at !== after.ladder.at ? after.options[number]?.at : undefined}
        from={after.ladder?.at}
        goal={sure && advice.goal.name === advice.goals[0]?.name ? "" : goal_said(about)}
        risk={risk}
        costs={paid}
        mark={mark}
        counting={!advice && !problem && !hidden}
        brief={!!after.ladder}
        disabled={busy !== null}
        onChoose={waits ? undefined : () => void choose(number)}
      />
    );
  };
  return (
    <div
      class="decision"
      data-waits={(!advice && !problem && !hidden) || undefined}
      data-watched={!!waits || undefined}
      role="group"
      aria-label={t(waits ? "decision.waiting" : "decision.label")}
    >
      {late && (
        <p class="small row tight">
          <Icon name="info" size={18} />
          {t("roll.meanwhile")}
        </p>
      )}
      {stale && <Stale roll={roll} table={table} why={stale.why} onGoOn={() => void choose(stale.number, true)} />}
      {after.standing && <p class="standing">{capital(table.said(after.standing))}</p>}
      {/* The seats above and the options say it; the question is for those who do not see them. */}
      {!waits && (
        <p class={after.options.length ? "unseen" : "decision-ask"}>
          {t("decision.yours")} {question(after, table)}
        </p>
      )}
      {after.ladder && <Ladder ladder={after.ladder} options={after.options} say={(text) => table.said(text)} />}
      {after.assign && (
        <Assign
          key={step}
          assign={after.assign}
          said={(text) => table.said(text)}
          worths={worthsIn(advice)}
          disabled={busy !== null}
          onDone={waits ? undefined : (puts) => void deal(puts)}
        />
      )}
      {after.party && <Party party={after.party} options={after.options} say={named} draw={button} />}
      {waits}
      <ul class="options" data-many={many || undefined} onMouseLeave={() => (highlight.value = null)}>
        {order
          .filter((number) => !drawnBy(after, number))
          .map((number) => (
            <li
              key={number}
              onMouseEnter={() => (highlight.value = { roll: roll.id, number })}
              onFocusIn={() => (highlight.value = { roll: roll.id, number })}
            >
              {button(number)}
            </li>
          ))}
      </ul>
      {many && !all && !after.assign && !after.party && (
        <button class="button quiet" onClick={() => setAll(true)}>
          {t("decision.all", { n: listed })}
        </button>
      )}
      {after.why && (
        <p class="small row tight">
          <Icon name="info" size={18} />
          {table.said(after.why)}
        </p>
      )}
      {unlisted > 0 && !after.assign && !after.why && (
        <p class="small soft">{t("decision.unlisted", { n: unlisted })}</p>
      )}
      {problem && !waits && <p class="small soft">{t("decision.noadvice", { why: problem })}</p>}
      {same && (
        <p class="why">
          <Icon name="info" size={18} />
          {t("decision.alike")}
        </p>
      )}
      {advice && !same && !best && !(after.assign && advice.matters) && (
        <p class="why">
          <Icon name="info" size={18} />
          <span>
            {noMatter(
              advice,
              cheap ? t(safe ? "decision.safer" : "decision.cheaper", { option: saidOf(cheap.number) }) : "",
              wordsOf,
            )}
          </span>
        </p>
      )}
      {!problem && !hidden && !(same && (waits || advice.goals.length < 2)) && (
        <div class="under">
          {advice && advice.goals.length > 1 && !waits && (
            <label class="goal row">
              <span class="small soft">{t("decision.goal")}</span>
              <select class="input" value={advice.goal.name} onChange={(event) => aim(event.currentTarget.value)}>
                {advice.goals.map((one) => (
                  <option key={one.name} value={one.name}>
                    {goalSaid(one)}
                  </option>
                ))}
                {!advice.goals.some((one) => one.name === advice.goal.name) && (
                  <option value={advice.goal.name}>{goalSaid(advice.goal)}</option>
                )}
              </select>
            </label>
          )}
          {(!advice || best) && (
            <details class="tucked reasons">
              <summary>
                <Icon name="right" size={16} />
                {t("decision.why")}
              </summary>
              {advice && best ? (
                <p class="why">
                  <Icon name="star" size={18} />
                  <span>
                    {capital(fine ? table.said(advice.why) : asWritten(table.said(advice.why), advice.options))}
                  </span>
                </p>
              ) : (
                <p class="skeleton" />
              )}
            </details>
          )}
        </div>
      )}
    </div>
  );
}

/** Whether the option's button is beside the person it is for. */
const drawnBy = ({ party, options }: OpenChoice, number: number): boolean => {
  const member = options[number]?.member;
  const place = member === undefined ? undefined : party?.[member];
  return !!place && !place.gives;
};

/** The worth of each way to deal out, as far as it was weighed. */
const worthsIn = (advice: Advice | null): Worths =>
  (advice?.options ?? []).flatMap(({ puts, value }) =>
    advice && puts
      ? [
          {
            puts,
            number: value.number,
            said: [
              value.chance && !isFine(advice) ? percent(value.number) : value.said,
              value.chance ? goalSaid(advice.goal) : unitOf(advice.goal, value.number),
            ]
              .filter(Boolean)
              .join(" "),
          },
        ]
      : [],
  );

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The best option, where it gains something that can be seen. */
const gaining = ({ options, matters }: Advice): OptionAdvice | undefined =>
  matters ? options.find((one) => one.gains) : undefined;

/** Whether chances need a digit more than elsewhere, so that no two are read as one. */
const isFine = ({ options }: Advice): boolean =>
  new Set(options.map(({ value }) => percent(value.number))).size <
  new Set(options.map(({ value }) => value.said)).size;

/** A sentence with its chances as the options write them. */
const asWritten = (said: string, options: readonly OptionAdvice[]): string =>
  options.reduce(
    (text, { value }) =>
      value.chance
        ? text.replace(new RegExp(`(?<![\\d.,])${value.said.replace(/[.]/g, "\\.")}`, "g"), percent(value.number))
        : text,
    said,
  );

/** Chances nearer to one another are no reason to choose, however they are written. */
const HARDLY = 0.001;

/**
 * That it does not matter, or hardly, or not between the best of them; and where one is cheaper all the same, which.
 */
function noMatter({ options, goal, matters }: Advice, cheaper: string, wordsOf: (number: number) => string): string {
  const best = options.find((one) => one.best);
  const top = options.filter(
    ({ value, best: ties }) =>
      ties ||
      value.said === best?.value.said ||
      (value.chance && best && Math.abs(value.number - best.value.number) < HARDLY),
  );
  const named = new Intl.ListFormat(locale(), { type: "disjunction" }).format(top.map((one) => wordsOf(one.number)));
  const equal = top.every((one) => one.best);
  const tied = matters && top.length > 1 && top.length < options.length;
  const said = tied
    ? t(equal ? "decision.tie" : "decision.near_tie", { options: capital(named) })
    : t(
        best?.value.chance && !best.value.number
          ? "decision.never"
          : !matters || equal
            ? "decision.same"
            : "decision.near",
        { goal: goalSaid(goal) },
      );
  return [said, cheaper].filter(Boolean).join(" ");
}

/** The sheet has changed since the roll began: go on as it was, or begin again. */
function Stale({
  roll,
  table,
  why,
  onGoOn,
}: {
  roll: Roll;
  table: Table;
  why: string;
  onGoOn: () => void;
}): JSX.Element {
  const send = (command: "roll.repeat" | "roll.cancel") => (): void =>
    void table.send({ do: command, roll: roll.id }).catch(showError);
  return (
    <div class="notice bad stale" role="alert">
      <Icon name="warn" size={20} />
      <div class="stack close grow">
        <p>{why.charAt(0).toUpperCase() + why.slice(1)}</p>
        <div class="row tight">
          <button class="button" onClick={onGoOn}>
            {t("decision.anyway")}
          </button>
          <button class="button" onClick={send("roll.repeat")}>
            <Icon name="again" size={18} />
            {t("decision.anew")}
          </button>
          <button class="button quiet" onClick={send("roll.cancel")}>
            {t("roll.cancel")}
          </button>
        </div>
      </div>
    </div>
  );
}

const goalSaid = (goal: { name: string; title: string }): string => worded(`goal.${goal.name}`, goal.title);

interface OptionProps {
  said: string;
  leads: string;
  tone?: Tone | undefined;
  about?: OptionAdvice;
  fine: boolean;
  sure: boolean;
  from?: number | undefined;
  to?: number | undefined;
  goal: string;
  risk?: Cost;
  costs: Cost[];
  mark: string;
  counting: boolean;
  brief: boolean;
  disabled: boolean;
  onChoose?: (() => void) | undefined;
}

const held = (about: OptionAdvice, cost: Cost): Cost | undefined => about.costs?.find((one) => one.name === cost.name);
const part = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** An option with its worth: a button for the chooser, a card for those who watch. */
function OptionCard({
  said,
  leads,
  tone,
  about,
  fine,
  sure,
  from,
  to,
  goal,
  risk,
  costs,
  mark,
  counting,
  brief,
  disabled,
  onChoose,
}: OptionProps): JSX.Element {
  const risks = about && risk ? (held(about, risk)?.number ?? 0) : 0;
  const inside = (
    <>
      <span class="option-said">
        {said}
        {mark && (
          <span class="chip brass">
            <Icon name="star" size={14} />
            {mark}
          </span>
        )}
      </span>
      {counting ? (
        <span class="skeleton option-skeleton" />
      ) : (
        about &&
        (sure ? (
          <span class="option-worth option-sure" data-tone={tone}>
            <span>
              {tone && SIGNS[tone] && <Icon name={SIGNS[tone]!} size={20} />}
              {tone ? t("decision.certain", { what: capital(leads) }) : capital(leads)}
            </span>
            {from !== undefined && to !== undefined && <small>{t("decision.becomes", { from, to })}</small>}
            {about.value.number === 1 && goal && <small>{goal}</small>}
          </span>
        ) : (
          <span class="option-worth">
            <span>
              <b>
                {about.value.chance
                  ? (fine ? about.value.said : percent(about.value.number)).replace(/([.,]0)? ?%$/, "")
                  : rounded(about.value.number)}
              </b>
              {about.value.chance && <> %</>} <small>{goal}</small>
            </span>
            {risk && about.costs && (
              <span class={risks ? "risk" : "safe"}>
                {risks > 0 && risks < 1 && <i class="bar-risk" aria-hidden="true" />}
                {riskSaid(risk, held(about, risk))}
              </span>
            )}
          </span>
        ))
      )}
      {((counting && !brief) || (about?.value.chance && !sure && (about.value.number > 0 || risks > 0))) && (
        <span class="bar" aria-hidden="true">
          <span class="bar-good" style={{ width: part(about?.value.number ?? 0) }} />
          {risks > 0 && risks < 1 && <span class="bar-risk" style={{ width: part(risks) }} />}
        </span>
      )}
      {leads && !sure && !(counting && brief) && <span class="option-leads">{capital(leads)}</span>}
      {counting && <span class="option-costs">{"\u00a0"}</span>}
      {about?.costs && costs.some((cost) => held(about, cost)?.number) && (
        <span class="option-costs">
          {costs
            .map((cost) => held(about, cost))
            .map((cost) => (cost?.number ? <span key={cost.name}>{cost.words}</span> : null))}
        </span>
      )}
    </>
  );
  const look = `option ${mark ? "best" : ""}`;
  return onChoose ? (
    <button class={look} aria-disabled={disabled} onClick={() => !disabled && onChoose()}>
      {inside}
    </button>
  ) : (
    <div class={look}>{inside}</div>
  );
}

/** Whether nothing of an option is left to chance: what it leads to says all of it. */
const isSure = (about: OptionAdvice, risk: Cost | undefined): boolean =>
  about.value.chance &&
  [about.value.number, (risk && held(about, risk)?.number) ?? 0].every((share) => share === 0 || share === 1);

/** A risk as people say it: 1 in 11 jams; also that there is none, or nothing else. */
function riskSaid(risk: Cost, found: Cost | undefined): string {
  const what = riskOf(risk);
  if (!found?.number) return worded(`safe.${risk.name}`, t("decision.no_risk", { what }));
  return found.number < 1 ? found.words : t("decision.sure", { what });
}
