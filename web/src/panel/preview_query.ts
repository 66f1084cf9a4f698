/** Exact odds while fingers move: the newest question wins, and nothing is asked twice. */

import { batch, signal } from "@preact/signals";
import { RequestError } from "../net/http";
import type { PreviewAnswer } from "../net/shapes";
import type { Body } from "../state/types";

export type {
  CellData as Cell,
  CostData as Cost,
  ExactNumber as Exact,
  OneMore,
  FieldData as ShownField,
  MeasureWorth as Worth,
  RowData as ShownRow,
} from "../net/shapes";
export type Preview = PreviewAnswer;

export type AskPreview = (question: Body, signal?: AbortSignal) => Promise<Preview>;

const MOST_KEPT = 400;

/** Fields in one order, whichever was touched first. */
export function inOrder(_name: string, value: unknown): unknown {
  if (!value || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Which roll of whom a question is about; dice in writing are one kind. */
function kindOf(question: Body | null): string {
  const { roll } = (question?.draft ?? question?.request ?? {}) as Body;
  return `${String(roll)} ${String(question?.sheet)}`;
}

/** Answers that came before, shared by all panels of a page. */
class Kept {
  private readonly held = new Map<string, Preview>();

  get(key: string): Preview | undefined {
    return this.held.get(key);
  }

  put(key: string, answer: Preview): void {
    this.held.set(key, answer);
    for (const old of this.held.keys()) {
      if (this.held.size <= MOST_KEPT) break;
      this.held.delete(old);
    }
  }
}

/** One line of questions: one is under way, the newest waits, those between are dropped. */
export class PreviewQuery {
  readonly answer = signal<Preview | null>(null);
  readonly problem = signal<Error | null>(null);
  readonly waits = signal(false);
  private readonly kept = new Kept();
  private next: Body | null = null;
  /** The request under way; its number says since when it is wanted, 0 that it is only asked ahead. */
  private flight: { readonly key: string; number: number } | null = null;
  private last: Body | null = null;
  private busy = false;
  private begun = 0;
  private shown = 0;
  private idle: Body[] = [];

  /** `salt` sets answers apart that the same question has at different times, such as the sheet's state. */
  constructor(
    private readonly ask: AskPreview,
    private readonly salt: () => string = () => "",
  ) {}

  private key(question: Body): string {
    return this.salt() + JSON.stringify(question, inOrder);
  }

  /** Ask, or answer at once what was asked before; what was said of another kind of roll is taken back first. */
  want(question: Body): void {
    this.idle = [];
    if (kindOf(question) !== kindOf(this.last)) {
      this.shown = this.begun;
      this.show(null);
    }
    this.last = question;
    const key = this.key(question);
    const known = this.kept.get(key);
    if (known) {
      this.next = null;
      this.shown = ++this.begun;
      this.show(known);
      return;
    }
    this.waits.value = true;
    if (this.flight?.key === key) {
      this.next = null;
      this.flight.number = ++this.begun;
      return;
    }
    this.next = question;
    if (!this.busy) void this.run();
  }

  /** Ask once more what had no answer. */
  again(): void {
    if (this.problem.value && this.last) this.want(this.last);
  }

  /** Nothing is to be asked. */
  rest(): void {
    this.next = this.last = null;
    this.shown = ++this.begun;
    this.show(null);
  }

  /** Questions that will likely come next, asked while nothing else is under way. */
  warm(questions: Body[]): void {
    this.idle = questions.filter((question) => !this.kept.get(this.key(question)));
    if (!this.busy) void this.run();
  }

  /** One answer, kept like the others; for what is beside the odds. */
  async once(question: Body): Promise<Preview> {
    const key = this.key(question);
    const known = this.kept.get(key);
    if (known) return known;
    const found = await this.ask(question);
    this.kept.put(key, found);
    return found;
  }

  private async run(): Promise<void> {
    this.busy = true;
    for (let question = this.take(); question; question = this.take()) {
      const { body, wanted } = question;
      const flight = (this.flight = { key: this.key(body), number: wanted ? ++this.begun : 0 });
      try {
        const found = await this.ask(body);
        this.flight = null;
        this.kept.put(flight.key, found);
        if (flight.number > this.shown) {
          this.shown = flight.number;
          this.show(found);
        }
      } catch (problem) {
        this.flight = null;
        const superseded = problem instanceof RequestError && problem.code === "superseded";
        if (flight.number > this.shown && !superseded) {
          this.shown = flight.number;
          this.show(null, problem as Error);
        }
      }
    }
    this.busy = false;
  }

  private take(): { body: Body; wanted: boolean } | null {
    const body = this.next ?? this.idle.shift();
    if (!body) return null;
    const wanted = this.next !== null;
    this.next = null;
    return { body, wanted };
  }

  /** Shows either odds or a problem: odds of something else are never beside the button. */
  private show(answer: Preview | null, problem: Error | null = null): void {
    batch(() => {
      this.answer.value = answer;
      this.problem.value = problem;
      this.waits.value = this.next !== null;
    });
  }
}
