/** The form of a draft as the server makes it: the newest draft wins, and the last form stays while nobody answers. */

import { batch, signal } from "@preact/signals";
import type { Control, ControlOf, FormAnswer } from "../state/card";
import type { Body, Plain } from "../state/types";
import { listPath, type ListItems, type Lists } from "./draft";

/** The question: the draft, whose sheet, which game if there is no table. */
export interface FormQuestion {
  readonly n: number;
  readonly body: Body;
  readonly kind: string;
  readonly salt: string;
}
/** An answer that has its form, which kind of roll of whom it is about, and the draft it was asked for. */
export interface FormState extends FormAnswer {
  readonly form: readonly Control[];
  readonly kind: string;
  readonly asked: Plain | undefined;
}

const MOST_KEPT = 200;

/** One line of questions about forms: one is under way, the newest waits, those between are dropped. */
export class FormQuery {
  readonly answer = signal<FormState | null>(null);
  readonly problem = signal<Error | null>(null);
  private readonly kept = new Map<string, FormState>();
  /** The form that each kind of roll had last. */
  private readonly last = new Map<string, FormState>();
  private next: FormQuestion | null = null;
  private newest: FormQuestion | null = null;
  private busy = false;
  private kind = "";
  /** The draft that the shape of the form in sight belongs to: answers to older ones would bring back what is gone. */
  private shape = 0;

  constructor(private readonly ask: (question: Body) => Promise<FormAnswer>) {}

  /** Ask, or answer at once what was asked before; another kind of roll begins with the form it had last. */
  want(question: FormQuestion): void {
    this.newest = question;
    const known = this.kept.get(keyOf(question));
    if (known) {
      this.next = null;
      this.show({ ...known, n: question.n }, question);
      return;
    }
    if (question.kind !== this.kind) this.turn(question.kind);
    this.next = question;
    if (!this.busy) void this.run();
  }

  /** Ask once more what had no answer. */
  again(): void {
    if (this.problem.value && this.newest) this.want(this.newest);
  }

  /** A list of the form in sight gets longer or shorter at once; the answer to the draft `n` says the rest. */
  reshape(n: number, change: (form: readonly Control[]) => readonly Control[]): void {
    const now = this.answer.value;
    if (!now) return;
    this.shape = n;
    this.answer.value = { ...now, form: change(now.form) };
  }

  /** No form is wanted. */
  rest(): void {
    this.next = this.newest = null;
    this.turn("");
  }

  private turn(kind: string): void {
    batch(() => {
      this.kind = kind;
      this.answer.value = this.last.get(kind) ?? null;
      this.problem.value = null;
    });
  }

  private async run(): Promise<void> {
    this.busy = true;
    for (let question = this.next; question; question = this.next) {
      this.next = null;
      await this.one(question);
    }
    this.busy = false;
  }

  private async one(question: FormQuestion): Promise<void> {
    const before = this.last.get(question.kind);
    try {
      const found = await this.ask({ ...question.body, n: question.n, ...(before ? { hash: before.hash } : {}) });
      const known: FormState = {
        ...found,
        form: found.form ?? before?.form ?? [],
        kind: question.kind,
        asked: question.body.draft,
      };
      this.keep(keyOf(question), known);
      if (this.newest === question || (this.newest?.kind === question.kind && this.next && question.n >= this.shape))
        this.show(known, question);
    } catch (problem) {
      if (this.newest === question) this.problem.value = problem as Error;
    }
  }

  private show(known: FormState, { kind }: FormQuestion): void {
    this.last.set(kind, known);
    batch(() => {
      this.kind = kind;
      this.answer.value = known;
      this.problem.value = null;
    });
  }

  private keep(key: string, known: FormState): void {
    this.kept.set(key, known);
    for (const old of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(old);
    }
  }
}

const keyOf = ({ body, salt }: FormQuestion): string => salt + JSON.stringify(body);

/** The lists of parts in a form, by their path in the request. */
export function listsOf(form: readonly Control[], found = new Map<string, ListItems>()): Lists {
  for (const control of form) {
    if (control.control === "group") listsOf(control.form, found);
    if (control.control !== "parts") continue;
    if (control.at) found.set(listPath(control.at), itemsOf(control));
    for (const part of control.parts) listsOf(part.form, found);
  }
  return found;
}

/** The parts of a list; one that is refused since it has too few shows those that were said. */
export const partsOf = ({ parts, wrong, value }: ControlOf<"parts">): ControlOf<"parts">["parts"] =>
  wrong && Array.isArray(value) ? parts.slice(0, value.length) : parts;

/** A form with a changed list of parts, at any depth. */
function relisted(
  form: readonly Control[],
  path: string,
  change: (control: ControlOf<"parts">) => ControlOf<"parts">,
): readonly Control[] {
  return form.map((control): Control => {
    if (control.control === "group") return { ...control, form: relisted(control.form, path, change) };
    if (control.control !== "parts") return control;
    if (control.at === path) return change(control);
    return { ...control, parts: control.parts.map((part) => ({ ...part, form: relisted(part.form, path, change) })) };
  });
}

/** A part as it is called at another place of its list. */
const moved = <Part>(part: Part, path: string, from: number, to: number): Part =>
  JSON.parse(
    JSON.stringify(part).replaceAll(
      new RegExp(`"(set|pick)\\.${listPath(path).replaceAll(".", "\\.")}\\.${from}(?=[."])`, "g"),
      `"$1.${listPath(path)}.${to}`,
    ),
  ) as Part;

/** The form with one part fewer; those behind it move up. */
export const withoutPart = (form: readonly Control[], path: string, place: number): readonly Control[] =>
  relisted(form, path, ({ wrong: _, ...control }) => {
    const rest = <One>(list: readonly One[]): One[] => list.filter((__, n) => n !== place);
    const parts = rest(partsOf({ ...control, wrong: _ })).map((part, n) =>
      n < place ? part : moved(part, path, n + 1, n),
    );
    return {
      ...control,
      parts,
      ...(Array.isArray(control.value) ? { value: rest(control.value) } : {}),
      held: { set: rest(control.held?.set ?? []), pick: rest(control.held?.pick ?? []) },
    };
  });

/** The form with one part more at the end, of which nothing is known yet. */
export const withPart = (form: readonly Control[], path: string): readonly Control[] =>
  relisted(form, path, (control) => ({
    ...control,
    parts: [...partsOf(control), { title: "", form: [] }],
    ...(Array.isArray(control.value) ? { value: [...control.value, {}] } : {}),
  }));

/** The draft's value of a list, including the parts the roll started with. */
export const itemsOf = (control: ControlOf<"parts">): ListItems => ({
  set: control.held?.set ?? [],
  pick: control.held?.pick ?? [],
  length: partsOf(control).length,
});
