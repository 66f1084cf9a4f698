// The work on the workbench: a program, its output, and whether it may run.
import { batch, computed, effect, signal } from "@preact/signals";
import { writeStored, readStored } from "../app/storage";
import { RequestError } from "../net/http";
import type { ProgramAnswer } from "../net/shapes";
import { askPython, freshPython, PythonStopped, type PythonCall, type Why } from "../python";
import type { Plain } from "../state/types";
import { language } from "../i18n";
import type { Shared, View } from "./share";

/** Milliseconds that somebody rests before a program is run: no one waits for that, and letters come faster. */
const REST = 40;
/** Milliseconds after which somebody may want it ended. */
const SLOW = 1_500;
const KEPT = "workbench";
const FIRST: Shared = { text: "4d6kh3\n", arguments: {}, view: "each" };

interface Asked extends Shared {
  readonly policies: Record<string, string>;
}

/** Whether an answer has the parts of one: a program may have made it itself. */
const isAnswer = (held: ProgramAnswer | undefined): boolean =>
  !!held &&
  [held.outputs, held.rules, held.games, held.problems].every(
    (all) => Array.isArray(all) && all.every((one) => typeof one === "object" && one),
  ) &&
  typeof held.printed === "object" &&
  !!held.printed;

export class Work {
  readonly text = signal("");
  readonly arguments = signal<Shared["arguments"]>({});
  readonly policies = signal<Record<string, string>>({});
  readonly view = signal<View>("each");
  /** Whether it may run: what came by a link waits until its reader has agreed. */
  readonly agreed = signal(true);
  /** Whether anything lies here yet. */
  readonly begun = signal(false);
  readonly answer = signal<ProgramAnswer | null>(null);
  /** The text that the answer is of. */
  readonly answered = signal("");
  /** Whether something was changed that is about to be run. */
  readonly due = signal(false);
  readonly counting = signal(false);
  /** Whether it has been counting for long. */
  readonly slow = signal(false);
  readonly stopped = signal<Why | "">("");
  readonly refused = signal("");
  /** Set from outside, so that the editor takes it over. */
  readonly given = signal(0);
  /** Whether nobody has written anything here yet. */
  readonly untouched = computed(() => this.text.value === FIRST.text);
  readonly shared = computed<Shared>(() => ({
    text: this.text.value,
    arguments: this.arguments.value,
    view: this.view.value,
  }));
  private asked: AbortController | null = null;
  /** Whether what lies here is somebody else's: what it left behind in Python is not there for the next. */
  private strange = false;

  open({ text, arguments: given, view }: Shared, agreed = true): void {
    if (this.strange) freshPython();
    this.strange = !agreed;
    this.agreed.value = agreed;
    this.begun.value = true;
    this.text.value = text;
    this.arguments.value = given;
    this.policies.value = {};
    this.view.value = view;
    this.answer.value = null;
    this.given.value += 1;
  }

  /** Another program, as somebody picks one. */
  take(text: string): void {
    this.open({ text, arguments: {}, view: "each" });
  }

  openKept(): void {
    this.open(readStored<Shared>(KEPT, FIRST));
  }

  set(rule: string, name: string, value: Plain): void {
    const all = this.arguments.value;
    this.arguments.value = { ...all, [rule]: { ...all[rule], [name]: value } };
  }

  /** Runs the program whenever it has changed, until this is called off. */
  follow(): () => void {
    let timer = 0;
    const stop = effect(() => {
      const mayRun = this.agreed.value && this.begun.value;
      const question = this.question();
      void language.value;
      clearTimeout(timer);
      this.due.value = mayRun;
      if (!mayRun) return;
      timer = window.setTimeout(() => void this.run(question), REST);
    });
    const store = effect(() => void (this.agreed.value && this.begun.value && writeStored(KEPT, this.shared.value)));
    return () => (stop(), store(), clearTimeout(timer), (this.due.value = false), this.asked?.abort());
  }

  /** Once more, after a program was ended from outside. */
  again(): void {
    void this.run(this.question());
  }

  /** Ends what runs. */
  stop(): void {
    this.asked?.abort(new PythonStopped("asked"));
  }

  private question(): Asked {
    return { ...this.shared.value, policies: this.policies.value };
  }

  private async run(question: Asked): Promise<void> {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    batch(() => {
      this.due.value = false;
      this.counting.value = true;
    });
    const timer = window.setTimeout(() => asked === this.asked && (this.slow.value = true), SLOW);
    try {
      const answer = await askPython<ProgramAnswer>("program", question, { signal: asked.signal });
      if (!isAnswer(answer)) throw (freshPython(), new PythonStopped("crash"));
      this.done(
        asked,
        () => (
          (this.answer.value = answer),
          (this.answered.value = question.text),
          (this.stopped.value = ""),
          (this.refused.value = "")
        ),
      );
    } catch (why) {
      this.done(asked, () => this.failed(why));
    } finally {
      clearTimeout(timer);
    }
  }

  private done(asked: AbortController, what: () => void): void {
    if (asked !== this.asked) return;
    batch(() => {
      this.counting.value = this.slow.value = false;
      what();
    });
  }

  private failed(why: unknown): void {
    this.stopped.value = why instanceof PythonStopped ? why.why : "";
    this.refused.value = why instanceof RequestError ? why.message : "";
  }

  /** A question about what the program defines. */
  ask<A>(kind: string, question: object, how: PythonCall = {}): Promise<A> {
    return askPython<A>(kind, { ...question, program: this.text.value }, how);
  }
}
