/** For who makes a rule: which value gives a chance, what moves it most, and a map over two things. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { HeatMap } from "../charts";
import { Refused } from "../net/rest";
import type { CurveAnswer, FindAnswer, RuleShown, SensitivityAnswer } from "../net/shapes";
import { Stopped } from "../python";
import type { Body, Plain } from "../state/types";
import { number, t } from "../words";
import { Table } from "./outputs";
import { nameOf, policyOf } from "./Rules";
import type { Work } from "./work";

type Found = { find: FindAnswer } | { sensitivity: SensitivityAnswer } | { map: CurveAnswer };
/** An answer, what it goes through, and what it holds for. */
interface Held { readonly found: Found; readonly over: readonly string[]; readonly of: string }
const MOST = 12;
/** A search counts a rule many times over; who asks for one waits for it. */
const SECONDS = 60;

export function Designing({ work, rule }: { work: Work; rule: RuleShown }): JSX.Element {
  const where = useSignal("");
  const target = useSignal("65%");
  const over = useSignal(rule.numbers[0] ?? rule.arguments[0]!.name);
  const found = useSignal<Held | null>(null);
  const problem = useSignal("");
  const asked = useSignal<AbortController | null>(null);
  const stop = (): void => (asked.peek()?.abort(), void (asked.value = null));
  useEffect(() => (work.counting.value ? stop() : undefined), [work.counting.value]);
  useEffect(() => stop, []);
  const common = (): Body => ({ request: rule.request!, ...(where.value.trim() ? { where: where.value.trim() } : {}), ...(policyOf(work, rule) ? { policy: policyOf(work, rule) } : {}) });
  const heldOf = (names: readonly string[]): string => JSON.stringify([work.text.value, policyOf(work, rule), { ...rule.request, ...Object.fromEntries(names.map((name) => [name, null])) }]);
  const ask = async <A,>(kind: string, names: readonly string[], more: Body, take: (answer: A) => Found): Promise<void> => {
    stop();
    const { signal } = (asked.value = new AbortController());
    const of = heldOf(names);
    found.value = null;
    problem.value = "";
    try {
      found.value = { over: names, of, found: take(await work.ask<A>(kind, { ...common(), ...more }, { seconds: SECONDS, signal })) };
    } catch (why) {
      if (signal.aborted) return;
      problem.value = why instanceof Refused ? why.message : t(`python.stopped.${why instanceof Stopped ? why.why : "crash"}`);
    }
    asked.value = null;
  };
  const map = (): Promise<void> => ask<CurveAnswer>("map", rule.numbers.slice(0, 2), { vary: rule.numbers.slice(0, 2).map((name) => ({ field: name, values: valuesOf(rule, name) })) }, (answer) => ({ map: answer }));
  return (
    <div class="designing stack close">
      <Line label={t("bench.where")} help={t("bench.where_help")} value={where.value} onSet={(text) => (where.value = text)} />
      <div class="two">
        <Line label={t("bench.target")} value={target.value} onSet={(text) => (target.value = text)} />
        <Pick label={t("bench.over")} value={over.value} options={rule.arguments.map((one) => [one.name, nameOf(one)])} onSet={(name) => (over.value = name)} />
      </div>
      <div class="row tight">
        <button type="button" class="button main" onClick={() => void ask<FindAnswer>("find", [over.value], { target: target.value, over: over.value, ...tried(rule, over.value) }, (answer) => ({ find: answer }))}>{t("bench.find")}</button>
        <button type="button" class="button" onClick={() => void ask<SensitivityAnswer>("sensitivity", [], {}, (answer) => ({ sensitivity: answer }))}>{t("bench.sensitivity")}</button>
        {rule.numbers.length > 1 && <button type="button" class="button" onClick={() => void map()}>{t("bench.map")}</button>}
      </div>
      {asked.value && <p class="row tight small soft" role="status">{t("bench.counting")} <progress aria-label={t("bench.counting")} /> <button type="button" class="button quiet small" onClick={stop}>{t("bench.stop")}</button></p>}
      {problem.value && <p class="notice bad" role="alert">{problem.value}</p>}
      {found.value?.of === heldOf(found.value?.over ?? []) && <Answer found={found.value.found} />}
    </div>
  );
}

/** As many values as a map has room for, with the one that is set: those beside it, or of many more every so often one. */
function valuesOf(rule: RuleShown, name: string): Plain[] {
  const { values = [], value } = rule.arguments.find((one) => one.name === name) ?? {};
  const at = Math.max(values.findIndex((one) => one === value), 0);
  const step = Math.ceil(values.length / MOST);
  if (step > 2) return values.filter((_, n) => n % step === at % step);
  const start = Math.max(0, Math.min(at - MOST / 2, values.length - MOST));
  return values.slice(start, start + MOST);
}

/** What its slider may be is what is tried; of dice that nothing bounds there is no end. */
function tried(rule: RuleShown, name: string): Body {
  const values = rule.arguments.find((one) => one.name === name)?.values ?? [];
  return values.length ? { values: [...values] } : {};
}

function Answer({ found }: { found: Found }): JSX.Element {
  if ("find" in found) {
    const { said, rows, over, measure } = found.find;
    return <><p role="status">{said}</p><Table name={measure.title} head={[over.title, measure.title]} rows={rows.map((row) => [row.said, row.worth.said])} /></>;
  }
  if ("sensitivity" in found) {
    const { rows, measure, now, unit } = found.sensitivity;
    return <><p role="status">{measure.title}: {now.said}</p><Table name={measure.title} head={[t("bench.argument"), t("bench.now"), t("bench.moves", { unit })]} rows={rows.map((row) => [row.title, row.said, number(now.chance ? row.most.number * 100 : row.most.number, now.chance ? 1 : 2)])} /></>;
  }
  const { axes, cells, measure } = found.map;
  const [across, down] = axes as [CurveAnswer["axes"][number], CurveAnswer["axes"][number]];
  const depth = down.values.length;
  return <HeatMap title={measure.title} across={across.field} acrossLabels={across.values.map(String)} down={down.field} downLabels={down.values.map(String)}
    cells={down.values.map((_, y) => across.values.map((_, x) => cells[x * depth + y]?.chance?.number ?? null))} chance={cells.some((cell) => cell.chance?.chance)} />;
}

function Line({ label, help, value, onSet }: { label: string; help?: string; value: string; onSet: (text: string) => void }): JSX.Element {
  const id = useId();
  return <div class="field"><label for={id}>{label}</label><input id={id} class="input" value={value} aria-describedby={help ? `${id}h` : undefined} onInput={(event) => onSet(event.currentTarget.value)} />{help && <span class="help" id={`${id}h`}>{help}</span>}</div>;
}

function Pick({ label, value, options, onSet }: { label: string; value: string; options: (readonly [string, string])[]; onSet: (value: string) => void }): JSX.Element {
  const id = useId();
  return <div class="field"><label for={id}>{label}</label><select id={id} class="input" value={value} onChange={(event) => onSet(event.currentTarget.value)}>{options.map(([name, title]) => <option value={name}>{title}</option>)}</select></div>;
}
