/** The controls and the odds of a roll, at a table or without one; its user adds the button. */

import { computed, effect, signal, useComputed, type Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { OfflineError } from "../net/http";
import type { Control, FormAnswer, RollCard, Start, Text } from "../state/card";
import { learn } from "../state/marks";
import type { Body, GameFacts, Sheet } from "../state/types";
import { language, t } from "../i18n";
import { Draft, draftOf, EXPRESSION, put, way } from "../form/draft";
import { OURS } from "../form/dialects";
import { FormView, type FormContext } from "../form/FormView";
import { FormQuery, listsOf } from "../form/form_query";
import { say, type Naming } from "../i18n/text";
import { PreviewQuery, type AskPreview } from "./preview_query";
import { Choices, Select, type Choice } from "./controls";
import { Expression } from "./Expression";
import { capital, goalName, rollName } from "./names";
import { Chance, Odds } from "./Odds";
import { reasonOf, refusalOf } from "./readiness";
import { notNow, onlyOdds, fieldErrorOf } from "./field_errors";
import "./words";

export interface RollEditor {
  readonly form: Draft;
  /** The forms of this game, as the server makes them. */
  readonly lane: FormQuery;
  readonly place: EditorContext;
  readonly asking: PreviewQuery;
  /** The present question, with the policy and the goal. */
  readonly question: { readonly value: Body | null };
  /** Whether the charts are in sight. */
  readonly seen: Signal<boolean>;
}

/** The context of a roll: whom to ask, whose sheet fills in what it knows, who is there. */
export interface EditorContext {
  readonly preview: AskPreview;
  readonly form: (question: Body) => Promise<FormAnswer>;
  readonly sheet?: () => Sheet | undefined;
  /** Whether no table says which game and which house rules it is about. */
  readonly free?: boolean;
  /** Whose spelling dice have here, where that is settled; empty for ours. */
  readonly dialect?: () => string;
  /** Sets answers apart that the same question has at different times: sheets, people, house rules. */
  readonly state?: () => string;
  readonly naming?: Naming;
  /** Changes the sheet by an effect. */
  readonly act?: FormContext["act"];
  /** The purpose, if it is not to be rolled. */
  readonly purpose?: "explore";
}

/** A key for answers to one question: the state of the table, and the language of their words. */
const saltOf = (place: EditorContext): string => `${language.value} ${place.state?.() ?? ""}`;

/** Makes what a builder works on; the sheet is read while it is used. */
export function createEditor(game: GameFacts | null, place: EditorContext): RollEditor {
  const form = new Draft(
    game,
    computed(() => place.sheet?.()),
  );
  form.free = !!place.free;
  if (place.dialect) form.usual = () => place.dialect!() || OURS;
  const asking = new PreviewQuery(place.preview, () => saltOf(place));
  const question = computed<Body | null>(() => {
    const what = form.what.value;
    if (!what) return null;
    const policy = policyOf(form);
    const goal = form.goal.value;
    const plain = "expression" in what;
    return {
      ...what,
      ...(policy && policy !== ASK && !plain ? { policy: policy === "best" && goal ? `best:${goal}` : policy } : {}),
      ...(goal && !plain ? { goal } : {}),
    };
  });
  return { form, lane: new FormQuery(place.form), place, asking, question, seen: signal(false) };
}

/** The game's card of the roll at hand. */
export const cardOf = ({ game, roll }: Draft): RollCard => game?.card?.rolls?.[roll.value] ?? {};

/** To be asked wherever something is to gain. */
const ASK = "ask";

/**
 * The ways to decide beside the button. At a table they are decided in advance: one may be asked as well, and those
 * that need counting are left out.
 */
export function policiesOf(form: Draft): Choice[] {
  const named = namedPolicies(form);
  if (form.free || !named.length) return named;
  return [{ value: ASK, label: t("panel.ask_me") }, ...named.filter(({ value }) => value !== "best")];
}

function namedPolicies(form: Draft): Choice[] {
  if (form.roll.value === EXPRESSION) return [];
  const named = cardOf(form).policies ?? [];
  return named.map(({ value, label }) => ({ value, label: say(label) }));
}

/** The way that counts: the one picked; else one is asked at a table, and elsewhere the game's usual one counts. */
export function policyOf(form: Draft): string | undefined {
  const values = policiesOf(form).map((one) => one.value);
  return [form.policy.value, ...(form.free ? [cardOf(form).policy] : []), values[0]].find(
    (one) => one && values.includes(one),
  );
}

/** The policy for choices when the roll begins. */
export const policyInAdvance = (form: Draft): string => (form.roll.value === EXPRESSION ? "" : (policyOf(form) ?? ASK));

/** The fields of the outcome that are asked for: what is drawn, no more. */
function ofFields(bench: RollEditor): Body {
  const { drawn } = cardOf(bench.form);
  return drawn?.length ? { of: [...drawn] } : {};
}

const oddsQuestion = (bench: RollEditor, question: Body): Body => ({
  ...question,
  ...ofFields(bench),
  parts: ["odds"],
});

/** Milliseconds until a busy server is asked again. */
const LATER = 3000;

/** Keeps the odds in step with the controls while the builder is on the page. */
export function useOdds(bench: RollEditor): void {
  useEffect(() => {
    const { form, asking } = bench;
    const follow = effect(() => {
      const question = bench.question.value;
      form.wrong.value = null;
      const known = bench.lane.answer.value;
      const refused = form.roll.value !== EXPRESSION && !!known && !known.can && known.n === form.n.value;
      if (question && !refused) asking.want(oddsQuestion(bench, question));
      else asking.rest();
    });
    let timer = 0;
    const refuse = effect(() => {
      const problem = asking.problem.value;
      form.wrong.value = problem instanceof OfflineError || onlyOdds(problem) ? null : fieldErrorOf(problem);
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

/** Keeps the form in step with the draft; while a slider moves it waits, unless the form wants to move along. */
function useForm({ lane, form, place }: RollEditor): void {
  useEffect(() => {
    const ask = effect(() => {
      const n = form.n.value;
      if (form.roll.value === EXPRESSION) lane.rest();
      else if (!form.moves.value)
        lane.want({
          n,
          body: { ...form.asked(), ...(place.purpose ? { purpose: place.purpose } : {}) },
          kind: form.kind,
          salt: saltOf(place),
        });
    });
    const take = effect(() => {
      const answer = lane.answer.value;
      form.lists = listsOf(answer?.form ?? []);
      if (!answer) return;
      form.effective.value = {
        n: answer.n,
        kind: answer.kind,
        draft: answer.draft ?? draftOf(form.roll.peek(), form.parts.peek()),
        asked: answer.asked,
      };
      if (answer.request) form.request.value = answer.request;
      if (answer.marks_hash) learn(answer.marks_hash, answer.marks);
    });
    return () => {
      ask();
      take();
    };
  }, [lane]);
}

export interface BuilderProps {
  readonly bench: RollEditor;
  /** Whether a dock below says the chance and what is wrong, beside the button. */
  readonly docked?: boolean;
  /** Returns the target of a link to pictures of the roll; without it there is no link. */
  readonly explore?: (request: Body) => string;
  /** The tap on a sheet that began this roll; its kind and its pick are not asked again. */
  readonly tapped?: Start | undefined;
  readonly children?: ComponentChildren;
}

/** Controls above, odds below or beside. */
export function Builder({ bench, docked, explore, tapped, children }: BuilderProps): JSX.Element {
  const { form } = bench;
  useForm(bench);
  useOdds(bench);
  const roll = form.roll.value;
  return (
    <div class="builder" data-docked={docked || undefined}>
      <div class="builder-controls">
        {form.game && !tapped && <Kinds form={form} all={!!bench.place.purpose} />}
        {children}
        {roll === EXPRESSION ? (
          <Expression bench={bench} />
        ) : (
          <DraftFields bench={bench} docked={!!docked} tapped={tapped} />
        )}
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
export function Kinds({ form, all }: { form: Draft; all: boolean }): JSX.Element {
  const rolls = Object.keys(form.game?.rolls ?? {})
    .filter((roll) => all || !form.game!.card?.rolls?.[roll]?.only_explored)
    .map((roll) => [roll, rollName(form.game!, roll)] as const);
  return (
    <div class="kinds" role="group" aria-label={t("panel.kinds")}>
      {[...rolls, [EXPRESSION, t("panel.free")] as const].map(([roll, label]) => (
        <button type="button" class="kind" aria-pressed={form.roll.value === roll} onClick={() => form.open(roll)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** A text at a bench, with the names of people. */
export const formatIn = ({ place }: RollEditor, text: Text | null | undefined): string => say(text, place.naming);

/** The form as the server makes it. */
function DraftFields({
  bench,
  docked,
  tapped,
}: {
  bench: RollEditor;
  docked: boolean;
  tapped: Start | undefined;
}): JSX.Element {
  const { form, lane } = bench;
  const answer = lane.answer.value;
  const problem = lane.problem.value;
  if (!answer)
    return problem ? (
      <p class="notice bad" role="status">
        {problem instanceof OfflineError ? t("panel.away") : problem.message}
      </p>
    ) : (
      <div class="skeleton form-waits" aria-busy="true" />
    );
  const shown = docked ? answer.form.filter((control) => !control.docked) : answer.form;
  return (
    <FormView
      key={form.roll.value}
      desk={deskOf(bench, answer)}
      form={tapped?.roll === form.roll.value ? unsaid(shown, tapped.pick ?? {}) : shown}
    />
  );
}

/** The docked part of the form, beside the chance. */
export function SideControls({ bench }: { bench: RollEditor }): JSX.Element | null {
  const answer = bench.form.roll.value === EXPRESSION ? null : bench.lane.answer.value;
  const docked = answer?.form.filter((control) => control.docked) ?? [];
  if (!answer || !docked.length) return null;
  return (
    <div class="dock-beside">
      <FormView desk={deskOf(bench, answer)} form={docked} />
    </div>
  );
}

/** The desk for the controls of a form. */
function deskOf(bench: RollEditor, answer: FormAnswer): FormContext {
  const { form, asking, lane } = bench;
  const warm = (path: string, values: readonly number[]): void => {
    const question = bench.question.value;
    if (!question) return;
    const now = Number(form.at(path) ?? values[0]);
    const near = [...values].sort((a, b) => Math.abs(a - now) - Math.abs(b - now));
    asking.warm(
      near.map((value) => oddsQuestion(bench, { ...question, draft: put(question.draft, way(path), value) })),
    );
  };
  return {
    draft: form,
    current: answer.n === form.n.value,
    say: (text) => formatIn(bench, text),
    warm,
    act: form.sheet.value ? bench.place.act : undefined,
    sheet: !!form.sheet.value,
    reshape: (change) => lane.reshape(form.n.value + 1, change),
  };
}

/**
 * A form without the pick of a tap on the sheet, as long as that is unchanged and not refused; without a pick it still
 * asks.
 */
function unsaid(form: readonly Control[], picked: Body): readonly Control[] {
  const isSaid = ({ at: path = "", value, wrong }: Control): boolean =>
    path.startsWith("pick.") && !wrong && picked[path.slice(5)] === value && value !== undefined && value !== "";
  return form
    .filter((control) => !isSaid(control))
    .map((control) => (control.control === "group" ? { ...control, form: unsaid(control.form, picked) } : control));
}

/** A refusal that belongs to no field in sight, where no dock says it. */
function Elsewhere({ bench }: { bench: RollEditor }): JSX.Element {
  const { form, asking, lane } = bench;
  const problem = asking.problem.value;
  if (problem instanceof OfflineError) return <p class="notice">{t("panel.away")}</p>;
  if (onlyOdds(problem)) return <p class="notice">{t("panel.too_much_here")}</p>;
  if (form.roll.value === EXPRESSION) return <></>;
  const answer = lane.answer.value;
  const why = answer && !answer.can ? refusalOf(bench, answer).said : reasonOf(bench)?.said;
  return why ? (
    <p class="notice bad" role="status">
      {why}
    </p>
  ) : (
    <></>
  );
}

/** How decisions in the roll are counted, and what one aims for. */
function Counting({ bench }: { bench: RollEditor }): JSX.Element {
  const { form, asking } = bench;
  const policies = useComputed(() => policiesOf(form));
  const goals = asking.answer.value?.goals ?? [];
  // Without a choice there is nothing to decide in advance.
  const answer = asking.answer.value;
  const decides = !answer?.chance || !!answer.play;
  return (
    <div class="counting">
      {policies.value.length > 0 && decides && (
        <Choices
          label={t("panel.counted")}
          value={policyOf(form)}
          options={policies.value}
          onSet={(policy) => (form.policy.value = policy)}
        />
      )}
      {goals.length > 1 && (
        <Select
          label={t("panel.aim")}
          value={form.goal.value || goals.find((goal) => goal.default)?.name || ""}
          options={goals.map((goal) => ({ value: goal.name, label: capital(goalName(goal)) }))}
          onSet={(goal) => (form.goal.value = goal)}
        />
      )}
    </div>
  );
}
