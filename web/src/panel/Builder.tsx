/** The controls and the odds of a roll, at a table or without one; whoever uses it adds the button. */

import { computed, effect, signal, useComputed, type Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Away } from "../net/rest";
import type { Body, GameFacts, Sheet } from "../state/types";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { Asking, type AskPreview } from "./asking";
import { Choices, Select } from "./controls";
import { Expression } from "./Expression";
import { capital, fieldsLeft, MadeFields } from "./fields";
import { EXPRESSION, Form, put, type Person } from "./form";
import { layoutOf } from "./layouts";
import { goalName, rollName } from "./names";
import { Chance, Odds } from "./Odds";
import { reasonOf } from "./ready";
import { notNow, onlyOdds, pathOf, wrongOf } from "./refusals";
import "./words";

export interface Bench {
  readonly form: Form;
  readonly asking: Asking;
  readonly layout: ReturnType<typeof layoutOf>;
  /** What is asked about now, with the policy and the goal. */
  readonly question: { readonly value: Body | null };
  /** Whether the charts are in sight. */
  readonly seen: Signal<boolean>;
}

/** Makes what a builder works on; the sheet is read while it is used. */
export function makeBench(game: GameFacts | null, sheet: () => Sheet | undefined, ask: AskPreview, people: () => readonly Person[] = () => [], house: () => Body = () => ({})): Bench {
  const layout = layoutOf(game);
  const held = computed(sheet);
  const form = new Form(game, held, (roll, of) => layout.first(roll, of, people()), computed(people), house, layout.ofSheet);
  const asking = new Asking(ask, () => (form.fromSheet.value ? JSON.stringify(held.value?.values) : ""));
  const question = computed<Body | null>(() => {
    const what = form.what.value;
    if (!what) return null;
    const policies = layout.policies(form.roll.value);
    const policy = (policies.find((one) => one.value === form.policy.value) ?? policies[0])?.value;
    const goal = form.goal.value;
    const plain = "expression" in what;
    return { ...what, ...(policy && !plain ? { policy: policy === "best" && goal ? `best:${goal}` : policy } : {}), ...(goal && !plain ? { goal } : {}) };
  });
  return { form, asking, layout, question, seen: signal(false) };
}

/** The fields of the outcome that are asked for: what is drawn, no more. */
function ofFields(bench: Bench): Body {
  const names = bench.layout.charts[bench.form.roll.value];
  return names && bench.form.roll.value !== EXPRESSION ? { of: [...names] } : {};
}

const oddsQuestion = (bench: Bench, question: Body): Body => ({ ...question, ...ofFields(bench), parts: ["odds"] });

/** Milliseconds until a busy server is asked again. */
const LATER = 3000;

/** Keeps the odds in step with the controls while the builder is on the page. */
export function useOdds(bench: Bench): void {
  useEffect(() => {
    const { form, asking } = bench;
    const follow = effect(() => {
      const question = bench.question.value;
      form.wrong.value = null;
      if (question && !bench.layout.wont?.(form)) asking.want(oddsQuestion(bench, question));
      else asking.rest();
    });
    let timer = 0;
    const refuse = effect(() => {
      const problem = asking.problem.value;
      form.wrong.value = problem instanceof Away || onlyOdds(problem) ? null : wrongOf(problem);
      clearTimeout(timer);
      if (notNow(problem)) timer = window.setTimeout(() => asking.again(), LATER);
    });
    return () => {
      follow();
      refuse();
      clearTimeout(timer);
    };
  }, [bench]);
}

export interface BuilderProps {
  readonly bench: Bench;
  /** Whether a dock below says the chance and what is wrong, beside the button. */
  readonly docked?: boolean;
  /** Where a link to pictures of the roll leads; left out, there is none. */
  readonly explore?: (request: Body) => string;
  readonly children?: ComponentChildren;
}

/** Controls above, odds below or beside. */
export function Builder({ bench, docked, explore, children }: BuilderProps): JSX.Element {
  const { form } = bench;
  useOdds(bench);
  const roll = form.roll.value;
  return (
    <div class="builder" data-docked={docked || undefined}>
      <div class="builder-controls">
        {form.game && <Kinds form={form} />}
        {children}
        {roll === EXPRESSION ? <Expression form={form} /> : <RollFields bench={bench} />}
        {!docked && <Elsewhere bench={bench} />}
      </div>
      <div class="builder-odds">
        <div class="odds-head">
          {!docked && <Chance bench={bench} />}
          <Counting bench={bench} />
        </div>
        <Odds bench={bench} explore={explore} />
      </div>
    </div>
  );
}

/** Which kind of roll it is. */
export function Kinds({ form }: { form: Form }): JSX.Element {
  const rolls = Object.keys(form.game?.rolls ?? {}).map((roll) => [roll, rollName(form.game!, roll)] as const);
  return (
    <div class="kinds" role="group" aria-label={t("panel.kinds")}>
      {[...rolls, [EXPRESSION, t("panel.free")] as const].map(([roll, label]) => (
        <button type="button" class="kind" aria-pressed={form.roll.value === roll} onClick={() => form.pick(roll)}>
          {label}
        </button>
      ))}
    </div>
  );
}

function RollFields({ bench }: { bench: Bench }): JSX.Element {
  const { form, layout, asking } = bench;
  const roll = form.roll.value;
  const schema = form.schema.value;
  const placed = layout.place(roll);
  const warm = (field: string, values: readonly number[]): void => {
    const now = form.number(field);
    const question = bench.question.value;
    if (!question) return;
    const key = "from_sheet" in question ? "from_sheet" : "request";
    const near = [...values].sort((a, b) => Math.abs(a - now) - Math.abs(b - now));
    asking.warm(near.map((value) => oddsQuestion(bench, { ...question, [key]: withField(question[key] as Body, field, value) })));
  };
  if (!schema) return <></>;
  if (!placed) return <MadeFields form={form} schema={schema} />;
  const left = fieldsLeft(schema, placed.fields);
  return (
    <>
      <placed.Place form={form} warm={warm} />
      {left.length > 0 && (
        <details class="tucked">
          <summary><Icon name="right" size={18} />{t("panel.more_fields")}</summary>
          <MadeFields form={form} schema={schema} without={placed.fields} />
        </details>
      )}
    </>
  );
}

/** A field at nothing is left out, just as the controls leave it out, so that the answer is found again. */
function withField(fields: Body, field: string, value: number): Body {
  const path = field.split(".");
  return put(fields, path, path[path.length - 1] === "pool" || value !== 0 ? value : undefined) as Body;
}

/** A refusal that belongs to no field in sight, where no dock says it. */
function Elsewhere({ bench }: { bench: Bench }): JSX.Element {
  const { form, layout, asking } = bench;
  const wrong = form.wrong.value;
  const field = wrong ? pathOf(wrong) : "";
  const shown = form.roll.value === EXPRESSION || !!layout.place(form.roll.value)?.fields.includes(field) || field in (form.schema.value?.properties ?? {});
  const problem = asking.problem.value;
  if (problem instanceof Away) return <p class="notice">{t("panel.away")}</p>;
  if (onlyOdds(problem)) return <p class="notice">{t("panel.too_much_here")}</p>;
  if (!wrong || shown) return <></>;
  return <p class="notice bad" role="alert">{reasonOf(bench)!.said}</p>;
}

/** How decisions in the roll are counted, and what one aims for. */
function Counting({ bench }: { bench: Bench }): JSX.Element {
  const { form, layout, asking } = bench;
  const policies = useComputed(() => (form.roll.value === EXPRESSION ? [] : layout.policies(form.roll.value)));
  const goals = asking.answer.value?.goals ?? [];
  return (
    <div class="counting">
      {policies.value.length > 0 && (
        <Choices label={t("panel.counted")} value={(policies.value.find((one) => one.value === form.policy.value) ?? policies.value[0]!).value} options={policies.value} onSet={(policy) => (form.policy.value = policy)} />
      )}
      {goals.length > 1 && (
        <Select label={t("panel.aim")} value={form.goal.value || goals.find((goal) => goal.default)?.name || ""} options={goals.map((goal) => ({ value: goal.name, label: capital(goalName(goal)) }))} onSet={(goal) => (form.goal.value = goal)} />
      )}
    </div>
  );
}
