/** The controls and the odds of a roll, at a table or without one; whoever uses it adds the button. */

import { computed, effect, useComputed } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Away, Refused } from "../net/rest";
import type { Body, GameFacts, Sheet } from "../state/types";
import { Icon } from "../ui/icons";
import { maybe, t } from "../words";
import { Asking, type AskPreview } from "./asking";
import { Choices, Select } from "./controls";
import { Expression } from "./Expression";
import { capital, fieldsLeft, MadeFields } from "./fields";
import { EXPRESSION, Form, plainly, type Person, type Wrong } from "./form";
import { layoutOf } from "./layouts";
import { Chance, Odds } from "./Odds";

export interface Bench {
  readonly form: Form;
  readonly asking: Asking;
  readonly layout: ReturnType<typeof layoutOf>;
  /** What is asked about now, with the policy and the goal. */
  readonly question: { readonly value: Body | null };
}

/** Makes what a builder works on; the sheet is read while it is used. */
export function makeBench(game: GameFacts | null, sheet: () => Sheet | undefined, ask: AskPreview, people: () => readonly Person[] = () => [], house: () => Body = () => ({})): Bench {
  const layout = layoutOf(game);
  const held = computed(sheet);
  const form = new Form(game, held, (roll, of) => layout.first(roll, of, people()), computed(people), house);
  const asking = new Asking(ask, () => (form.fromSheet.value ? JSON.stringify(held.value?.values) : ""));
  const question = computed<Body | null>(() => {
    const what = form.what.value;
    if (!what) return null;
    const policy = form.policy.value || layout.policies(form.roll.value)[0]?.value;
    const goal = form.goal.value;
    const plain = "expression" in what;
    return { ...what, ...(policy && !plain ? { policy: policy === "best" && goal ? `best:${goal}` : policy } : {}), ...(goal && !plain ? { goal } : {}) };
  });
  return { form, asking, layout, question };
}

/** The fields of the outcome that are asked for: what is drawn, no more. */
function ofFields(bench: Bench): Body {
  const names = bench.layout.charts[bench.form.roll.value];
  return names && bench.form.roll.value !== EXPRESSION ? { of: [...names] } : {};
}

const oddsQuestion = (bench: Bench, question: Body): Body => ({ ...question, ...ofFields(bench), parts: ["odds"] });

/** Keeps the odds in step with the controls while the builder is on the page. */
export function useOdds(bench: Bench): void {
  useEffect(() => {
    const { form, asking } = bench;
    const follow = effect(() => {
      const question = bench.question.value;
      if (question) asking.want(oddsQuestion(bench, question));
      else asking.rest();
    });
    const refuse = effect(() => {
      form.wrong.value = wrongOf(asking.problem.value);
    });
    return () => {
      follow();
      refuse();
    };
  }, [bench]);
}

/** A refusal as the form shows it. */
export function wrongOf(problem: Error | null): Wrong | null {
  if (!problem) return null;
  if (problem instanceof Away) return { field: "", message: t("panel.away") };
  if (!(problem instanceof Refused)) return { field: "", message: problem.message };
  const { start, end, suggestions } = problem.more as Partial<Wrong>;
  return {
    field: problem.field,
    message: problem.message,
    ...(typeof start === "number" && typeof end === "number" ? { start, end } : {}),
    ...(Array.isArray(suggestions) ? { suggestions } : {}),
  };
}

/** Controls above, odds below or beside. */
export function Builder({ bench, explore = true, children }: { bench: Bench; explore?: boolean; children?: ComponentChildren }): JSX.Element {
  const { form, asking, layout } = bench;
  useOdds(bench);
  const roll = form.roll.value;
  return (
    <div class="builder">
      <div class="builder-controls">
        {form.game && <Kinds form={form} />}
        {children}
        {roll === EXPRESSION ? <Expression form={form} /> : <RollFields bench={bench} />}
        <Elsewhere bench={bench} />
      </div>
      <div class="builder-odds">
        <div class="odds-head">
          <Chance answer={asking.answer.value} waits={asking.waits.value} />
          <Counting bench={bench} />
        </div>
        <Odds form={form} asking={asking} layout={layout} question={bench.question.value} explore={explore} />
      </div>
    </div>
  );
}

/** Which kind of roll it is. */
export function Kinds({ form }: { form: Form }): JSX.Element {
  const rolls = Object.entries(form.game?.rolls ?? {});
  const name = (roll: string, title: string | undefined): string => maybe(`roll.${form.game?.name}.${roll}`, {}, capital((title ?? roll).replace(/^an? /, "")));
  return (
    <div class="kinds" role="group" aria-label={t("panel.kinds")}>
      {[...rolls.map(([roll, about]) => [roll, name(roll, about.title)] as const), [EXPRESSION, t("panel.free")] as const].map(([roll, label]) => (
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
  const { [field]: _, ...others } = fields;
  return field === "pool" || value !== 0 ? { ...others, [field]: value } : others;
}

/** A refusal that belongs to no field in sight. */
function Elsewhere({ bench }: { bench: Bench }): JSX.Element {
  const wrong = bench.form.wrong.value;
  const place = bench.layout.place(bench.form.roll.value);
  const field = wrong?.field.replace(/^(from_sheet|request)\.?/, "") ?? "";
  const shown = bench.form.roll.value === EXPRESSION || (place ? place.fields.includes(field) : !!field) || field in (bench.form.schema.value?.properties ?? {});
  if (!wrong || shown) return <></>;
  return <p class="notice bad" role="alert">{/[.[]/.test(field) ? wrong.message : capital(plainly(wrong))}</p>;
}

/** How decisions in the roll are counted, and what one aims for. */
function Counting({ bench }: { bench: Bench }): JSX.Element {
  const { form, layout, asking } = bench;
  const policies = useComputed(() => (form.roll.value === EXPRESSION ? [] : layout.policies(form.roll.value)));
  const goals = asking.answer.value?.goals ?? [];
  return (
    <div class="counting">
      {policies.value.length > 0 && (
        <Choices label={t("panel.counted")} value={form.policy.value || policies.value[0]!.value} options={policies.value} onSet={(policy) => (form.policy.value = policy)} />
      )}
      {goals.length > 1 && (
        <Select label={t("panel.aim")} value={form.goal.value || goals.find((goal) => goal.default)?.name || ""} options={goals.map((goal) => ({ value: goal.name, label: capital(maybe(`goal.${goal.name}`, {}, goal.title)) }))} onSet={(goal) => (form.goal.value = goal)} />
      )}
    </div>
  );
}
