/** The form of a draft as the server makes it: the newest draft wins, and the last form stays while nobody answers. */

import { batch, signal } from "@preact/signals";
import type { Control, ControlOf, FormAnswer } from "../state/card";
import type { Body } from "../state/types";
import { listPath, type Held, type Lists } from "./draft";

/** What is asked: the draft, whose sheet, which game where no table says so. */
export interface Question { readonly n: number; readonly body: Body; readonly kind: string; readonly salt: string }
/** An answer that has its form. */
export interface Known extends FormAnswer { readonly form: readonly Control[] }

const MOST_KEPT = 200;

/** One line of questions about forms: one is under way, the newest waits, those between are dropped. */
export class Lane {
  readonly answer = signal<Known | null>(null);
  readonly problem = signal<Error | null>(null);
  private readonly kept = new Map<string, Known>();
  /** The form that each kind of roll had last. */
  private readonly last = new Map<string, Known>();
  private next: Question | null = null;
  private newest: Question | null = null;
  private busy = false;
  private kind = "";

  constructor(private readonly ask: (question: Body) => Promise<FormAnswer>) {}

  /** Ask, or answer at once what was asked before; another kind of roll begins with the form it had last. */
  want(question: Question): void {
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

  private async one(question: Question): Promise<void> {
    const before = this.last.get(question.kind);
    try {
      const found = await this.ask({ ...question.body, n: question.n, ...(before ? { hash: before.hash } : {}) });
      const known: Known = { ...found, form: found.form ?? before?.form ?? [] };
      this.keep(keyOf(question), known);
      if (this.newest === question || (this.newest?.kind === question.kind && this.next)) this.show(known, question);
    } catch (problem) {
      if (this.newest === question) this.problem.value = problem as Error;
    }
  }

  private show(known: Known, { kind }: Question): void {
    this.last.set(kind, known);
    batch(() => {
      this.kind = kind;
      this.answer.value = known;
      this.problem.value = null;
    });
  }

  private keep(key: string, known: Known): void {
    this.kept.set(key, known);
    for (const old of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) break;
      this.kept.delete(old);
    }
  }
}

const keyOf = ({ body, salt }: Question): string => salt + JSON.stringify(body);

/** The lists of parts in a form, by their path in the request. */
export function listsOf(form: readonly Control[], found = new Map<string, Held>()): Lists {
  for (const control of form) {
    if (control.control === "group") listsOf(control.form, found);
    if (control.control !== "parts") continue;
    if (control.at) found.set(listPath(control.at), heldOf(control));
    for (const part of control.parts) listsOf(part.form, found);
  }
  return found;
}

/** The parts of a list; one that is refused since it has too few shows those that were said. */
export const partsOf = ({ parts, wrong, value }: ControlOf<"parts">): ControlOf<"parts">["parts"] => (wrong && Array.isArray(value) ? parts.slice(0, value.length) : parts);

/** What the draft holds of a list, what the roll started with among it. */
export const heldOf = (control: ControlOf<"parts">): Held => ({ set: control.held?.set ?? [], pick: control.held?.pick ?? [], length: partsOf(control).length });
