// A decision on an open roll: every option with its odds and worth, the best one marked, and why.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keep, kept } from "../app/kept";
import { Away } from "../net/rest";
import type { Plain, Roll, Waiting } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";
import { optionSaid, question } from "./option_words";

type Choice = Extract<Waiting, { step: "choice" }>;
interface Worth { said: string; number: number; chance: boolean }
interface Row { label: string; share: number }
interface Shown { name: string; title: string; kind: string; rows: Row[]; mean?: { number: number }; chance?: { number: number } }
interface Cost { name: string; title: string; said: string; chance: boolean; number: number }
interface AdvisedOption { option: Plain; number: number; said: string; value: Worth; best: boolean; odds?: Shown[]; costs?: Cost[] }
interface Advice { goal: { name: string; title: string }; goals: { name: string; title: string }[]; matters: boolean; options: AdvisedOption[]; why: string }

const MOST_AT_FIRST = 6;

export function Decision({ roll, after, table }: { roll: Roll; after: Choice; table: Table }): JSX.Element {
  const mine = table.isFor(after.by) || (after.by.length === 0 && roll.by === table.me.value?.seat);
  const [forThem, setForThem] = useState(false);
  if (!mine && !forThem) {
    return (
      <div class="waiting" role="group" aria-label={t("decision.waiting")}>
        <Icon name="hourglass" size={20} />
        <p class="grow">{t("decision.waits", { who: after.by.map((seat) => table.nameOf(seat)).join(", "), question: question(roll, after, table) })}</p>
        {table.isReferee.value && <button class="button quiet" onClick={() => setForThem(true)}>{t("decision.for_them")}</button>}
      </div>
    );
  }
  return <Options roll={roll} after={after} table={table} />;
}

function Options({ roll, after, table }: { roll: Roll; after: Choice; table: Table }): JSX.Element {
  const game = table.world.value.table.game;
  const goals = kept<Record<string, string>>("goals", {});
  const kind = `${game}.${String(roll.what?.request?.roll ?? "")}`;
  const [goal, setGoal] = useState(roll.goal || goals[kind] || "");
  const [advice, setAdvice] = useState<Advice | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState<number | null>(null);
  const [all, setAll] = useState(false);
  const step = roll.last;
  const online = table.standing.value === "open";

  // Without a line nothing is asked; what is known stays, and the rest is asked when it is back.
  useEffect(() => {
    if (!online) return;
    const stop = new AbortController();
    setAdvice(null);
    setProblem("");
    table.post<Advice>(`/rolls/${roll.id}/advice`, goal ? { goal } : {}, stop.signal).then(setAdvice, (refused: Error) => {
      if (refused.name !== "AbortError") setProblem(refused instanceof Away ? t("problem.away") : refused.message);
    });
    return () => stop.abort();
  }, [roll.id, step, goal, online]);

  const choose = (number: number): void => {
    setBusy(number);
    table.send({ do: "roll.choose", roll: roll.id, number }).catch(tellProblem).finally(() => setBusy(null));
  };
  const aim = (name: string): void => {
    keep("goals", { ...goals, [kind]: name });
    setGoal(name);
  };

  const known = new Map(advice?.options.map((one) => [one.number, one]));
  let order = after.options.map((_, number) => number);
  const many = order.length > MOST_AT_FIRST;
  if (many && advice) order.sort((a, b) => (known.get(b)?.value.number ?? 0) - (known.get(a)?.value.number ?? 0));
  if (many && !all) order = order.slice(0, MOST_AT_FIRST);
  return (
    <div class="decision" role="group" aria-label={t("decision.label")}>
      <p class="decision-ask"><Icon name="hand" size={20} /><strong>{t("decision.yours")}</strong> {question(roll, after, table)}</p>
      <ul class="options">
        {order.map((number) => (
          <li key={number}>
            <OptionButton said={optionSaid(roll, after.options[number].said, table)} about={known.get(number)} counting={!advice && !problem} matters={advice?.matters ?? false} disabled={busy !== null} onChoose={() => choose(number)} />
          </li>
        ))}
      </ul>
      {many && !all && <button class="button quiet" onClick={() => setAll(true)}>{t("decision.all", { n: after.options.length })}</button>}
      {advice && <p class="why"><Icon name={advice.matters ? "star" : "info"} size={18} /><span>{advice.matters ? table.said(advice.why) : sameSaid(advice, roll, after, table)}</span></p>}
      {problem && <p class="small soft">{t("decision.noadvice", { why: problem })}</p>}
      {advice && advice.goals.length > 1 && (
        <label class="goal row">
          <span class="small soft">{t("decision.goal")}</span>
          <select class="input" value={advice.goal.name} onChange={(event) => aim(event.currentTarget.value)}>
            {advice.goals.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
            {!advice.goals.some((one) => one.name === advice.goal.name) && <option value={advice.goal.name}>{advice.goal.title}</option>}
          </select>
        </label>
      )}
    </div>
  );
}

/** That it does not matter; and where one option is cheaper all the same, which. */
function sameSaid(advice: Advice, roll: Roll, after: Choice, table: Table): string {
  const priced = advice.options.filter((one) => one.costs);
  const much = (one: AdvisedOption, name: string): number => one.costs!.find((cost) => cost.name === name)?.number ?? 0;
  const names = [...new Set(priced.flatMap((one) => one.costs!.map((cost) => cost.name)))];
  const cheapest = priced.find((one) => priced.every((other) => other === one || names.every((name) => much(one, name) <= much(other, name))) && priced.some((other) => names.some((name) => much(one, name) < much(other, name))));
  const same = t("decision.same", { goal: advice.goal.title });
  return cheapest ? `${same} ${t("decision.cheaper", { option: optionSaid(roll, after.options[cheapest.number].said, table) })}` : same;
}

interface OptionProps { said: string; about?: AdvisedOption; counting: boolean; matters: boolean; disabled: boolean; onChoose: () => void }

function OptionButton({ said, about, counting, matters, disabled, onChoose }: OptionProps): JSX.Element {
  const best = !!about?.best && matters;
  return (
    <button class={`option ${best ? "best" : ""}`} aria-disabled={disabled} onClick={() => !disabled && onChoose()}>
      <span class="option-said">{said.charAt(0).toUpperCase() + said.slice(1)}{best && <span class="chip brass"><Icon name="star" size={14} />{t("decision.best")}</span>}</span>
      {counting && <span class="skeleton option-skeleton" />}
      {about && <span class="option-worth">{about.value.said}</span>}
      {about?.value.chance && <span class="bar" aria-hidden="true"><span style={{ width: `${Math.round(about.value.number * 1000) / 10}%` }} /></span>}
      {!!about?.costs?.length && <span class="option-costs">{about.costs.slice(0, 3).map((cost) => <span key={cost.name}>{cost.title} {cost.said}</span>)}</span>}
    </button>
  );
}
