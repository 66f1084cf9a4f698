// A decision on an open roll: every option with its odds and worth, the best one marked, and why.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keep, kept } from "../app/kept";
import { Away } from "../net/rest";
import type { Choosing, Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";
import { priced, worded } from "../words/text";
import "../words/choosing";
import { alike, cheapest, costsShown, type Advice, type AdvisedOption, type Cost } from "./advice";
import { Assign, type Puts } from "./assign";
import { goOn, LATE } from "./moves";
import { optionSaid, question } from "./option_words";

const MOST_AT_FIRST = 6;
const roomy = matchMedia("(min-width: 720px)");

export function Decision({ roll, after, table }: { roll: Roll; after: Choosing; table: Table }): JSX.Element {
  const mine = table.isFor(after.by) || (after.by.length === 0 && roll.by === table.me.value?.seat);
  const [forThem, setForThem] = useState(false);
  if (!mine && !forThem) {
    return (
      <div class="waiting" role="group" aria-label={t("decision.waiting")}>
        <Icon name="hourglass" size={20} />
        <p class="grow">{t("decision.waits", { who: after.by.map((seat) => table.nameOf(seat)).join(", "), question: question(after, table) })}</p>
        {table.isReferee.value && <button class="button quiet" onClick={() => setForThem(true)}>{t("decision.for_them")}</button>}
      </div>
    );
  }
  return <Options roll={roll} after={after} table={table} />;
}

function Options({ roll, after, table }: { roll: Roll; after: Choosing; table: Table }): JSX.Element {
  const game = table.world.value.table.game;
  const goals = kept<Record<string, string>>("goals", {});
  const kind = `${game}.${String(roll.what?.request?.roll ?? "")}`;
  const [goal, setGoal] = useState(roll.goal || goals[kind] || "");
  const [advice, setAdvice] = useState<Advice | null>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState<number | null>(null);
  const [late, setLate] = useState(false);
  const [stale, setStale] = useState<{ number: number; why: string } | null>(null);
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
  useEffect(() => setStale(null), [step]);

  const choose = async (number: number, anyway = false): Promise<void> => {
    setBusy(number);
    const refused = await goOn(table, roll, "roll.choose", { number, ...(anyway ? { anyway } : {}) });
    setBusy(null);
    setLate(refused?.field === LATE);
    setStale(refused?.field === "anyway" ? { number, why: refused.message } : null);
  };
  const deal = async (puts: Puts): Promise<void> => {
    setBusy(-1);
    const refused = await goOn(table, roll, "roll.choose", { puts } as never);
    setBusy(null);
    setLate(refused?.field === LATE);
  };
  const aim = (name: string): void => {
    keep("goals", { ...goals, [kind]: name });
    setGoal(name);
  };

  const known = new Map(advice?.options.map((one) => [one.number, one]));
  const same = !!advice && alike(advice);
  const cheap = advice && !same ? cheapest(advice) : undefined;
  const costs = advice && !same ? costsShown(advice) : [];
  // As much room as the costs will take, so that nothing moves when they come.
  const room = advice ? costs.length : Math.min(3, table.game.value?.rolls[kind.split(".")[1]]?.outcome.filter((one) => one.cost).length ?? 0);
  // Of very many options the event names the first ones only, and advice the best.
  const saidOf = (number: number): string => optionSaid(after.options[number] ?? known.get(number)!, table);
  let order = [...after.options.keys(), ...[...known.keys()].filter((number) => number >= after.options.length)];
  const listed = order.length;
  const unlisted = (after.count ?? listed) - listed;
  const many = order.length > MOST_AT_FIRST;
  if (many && advice) order.sort((a, b) => (known.get(b)?.value.number ?? 0) - (known.get(a)?.value.number ?? 0));
  if (many && !all) order = order.slice(0, MOST_AT_FIRST);
  return (
    <div class="decision" role="group" aria-label={t("decision.label")}>
      {late && <p class="small row tight"><Icon name="info" size={18} />{t("roll.meanwhile")}</p>}
      <p class="decision-ask"><Icon name="hand" size={20} /><strong>{t("decision.yours")}</strong> {question(after, table)}</p>
      {stale && <Stale roll={roll} table={table} why={stale.why} onGoOn={() => void choose(stale.number, true)} />}
      {after.standing && <p class="standing">{table.said(after.standing)}</p>}
      {after.assign && <Assign assign={after.assign} said={(text) => table.said(text)} disabled={busy !== null} onDone={(puts) => void deal(puts)} />}
      <ul class="options" data-room={room}>
        {order.map((number) => {
          const about = known.get(number);
          const mark = about?.gains ? t("decision.best") : cheap && cheap === about ? t("decision.cheap") : "";
          return (
            <li key={number}>
              <OptionButton said={saidOf(number)} leads={table.said(after.options[number]?.leads)} about={about} costs={costs} mark={mark} counting={!advice && !problem} disabled={busy !== null} onChoose={() => void choose(number)} />
            </li>
          );
        })}
      </ul>
      {many && !all && <button class="button quiet" onClick={() => setAll(true)}>{t("decision.all", { n: listed })}</button>}
      {unlisted > 0 && <p class="small soft">{t("decision.unlisted", { n: unlisted })}</p>}
      {problem && <p class="small soft">{t("decision.noadvice", { why: problem })}</p>}
      {same && <p class="why"><Icon name="info" size={18} />{t("decision.alike")}</p>}
      {!problem && !(same && advice.goals.length < 2) && (
        <details class="tucked reasons" open={roomy.matches}>
          <summary><Icon name="right" size={16} />{t("decision.why")}</summary>
          {!advice && <p class="skeleton" />}
          {advice && !same && <p class="why"><Icon name={advice.matters ? "star" : "info"} size={18} /><span>{reason(advice, cheap && saidOf(cheap.number), table)}</span></p>}
          {advice && advice.goals.length > 1 && (
            <label class="goal row">
              <span class="small soft">{t("decision.goal")}</span>
              <select class="input" value={advice.goal.name} onChange={(event) => aim(event.currentTarget.value)}>
                {advice.goals.map((one) => <option key={one.name} value={one.name}>{goalSaid(one)}</option>)}
                {!advice.goals.some((one) => one.name === advice.goal.name) && <option value={advice.goal.name}>{goalSaid(advice.goal)}</option>}
              </select>
            </label>
          )}
        </details>
      )}
    </div>
  );
}

/** Why the best option is the best; or that it does not matter, and where one is cheaper all the same, which. */
function reason(advice: Advice, cheap: string | undefined, table: Table): string {
  if (advice.matters) return table.said(advice.why);
  return [t("decision.same", { goal: goalSaid(advice.goal) }), cheap && t("decision.cheaper", { option: cheap })].filter(Boolean).join(" ");
}

/** The sheet has changed since the roll began: go on as it was, or begin anew. */
function Stale({ roll, table, why, onGoOn }: { roll: Roll; table: Table; why: string; onGoOn: () => void }): JSX.Element {
  const send = (command: "roll.again" | "roll.abandon") => (): void => void table.send({ do: command, roll: roll.id }).catch(tellProblem);
  return (
    <div class="notice bad stale" role="alert">
      <Icon name="warn" size={20} />
      <div class="stack close grow">
        <p>{why.charAt(0).toUpperCase() + why.slice(1)}</p>
        <div class="row tight">
          <button class="button" onClick={onGoOn}>{t("decision.anyway")}</button>
          <button class="button" onClick={send("roll.again")}><Icon name="again" size={18} />{t("decision.anew")}</button>
          <button class="button quiet" onClick={send("roll.abandon")}>{t("roll.abandon")}</button>
        </div>
      </div>
    </div>
  );
}

const goalSaid = (goal: { name: string; title: string }): string => worded(`goal.${goal.name}`, goal.title);

interface OptionProps { said: string; leads: string; about?: AdvisedOption; costs: Cost[]; mark: string; counting: boolean; disabled: boolean; onChoose: () => void }

function OptionButton({ said, leads, about, costs, mark, counting, disabled, onChoose }: OptionProps): JSX.Element {
  return (
    <button class={`option ${mark ? "best" : ""}`} aria-disabled={disabled} onClick={() => !disabled && onChoose()}>
      <span class="option-said">{said.charAt(0).toUpperCase() + said.slice(1)}{leads && <small class="option-leads">{leads}</small>}{mark && <span class="chip brass"><Icon name="star" size={14} />{mark}</span>}</span>
      {counting ? <span class="skeleton option-skeleton" /> : about && <span class="option-worth">{about.value.said}</span>}
      {(counting || about?.value.chance) && <span class="bar" aria-hidden="true"><span style={{ width: `${Math.round((about?.value.number ?? 0) * 1000) / 10}%` }} /></span>}
      {(counting || costs.length > 0) && <span class="option-costs">{about?.costs && costs.map((cost) => <span key={cost.name}>{priced(cost, about.costs!.find((one) => one.name === cost.name)?.said ?? (cost.chance ? t("decision.never") : "0"))}</span>)}</span>}
    </button>
  );
}
