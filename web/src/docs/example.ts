// An example on a page of the documentation: its text, and what came of running it after those above it.
import { batch, signal } from "@preact/signals";
import { RequestError } from "../net/http";
import type { ProgramAnswer } from "../net/shapes";
import { askPython, PythonStopped, type Why } from "../python";

/** Seconds an example may run: the reader may wait, and has a button to stop. */
const SECONDS = 60;

export class Example {
  readonly text;
  readonly editing = signal(false);
  readonly runs = signal(false);
  readonly answer = signal<ProgramAnswer | null>(null);
  readonly stopped = signal<Why | "">("");
  readonly refused = signal("");
  private asked: AbortController | null = null;
  /** Shows a place in its text, while that is being changed. */
  goTo = (_line: number, _column: number): void => {};

  /** `needs` is the module that no browser has, for itself or for what it builds on. */
  constructor(
    readonly block: HTMLElement,
    readonly source: string,
    readonly needs: string,
    private readonly above: readonly Example[],
  ) {
    this.text = signal(source);
  }

  async run(): Promise<void> {
    if (this.runs.value) return;
    this.runs.value = true;
    this.asked = new AbortController();
    const above = this.above.filter((one) => !one.needs).map((one) => one.text.value);
    try {
      const answer = await askPython<ProgramAnswer>(
        "example",
        { text: this.text.value, above },
        { seconds: SECONDS, signal: this.asked.signal },
      );
      this.done(answer);
    } catch (why) {
      this.done(null, why instanceof PythonStopped ? why.why : "", why instanceof RequestError ? why.message : "");
    }
  }

  private done(answer: ProgramAnswer | null, stopped: Why | "" = "", refused = ""): void {
    batch(() => {
      this.runs.value = false;
      this.answer.value = answer;
      this.stopped.value = stopped;
      this.refused.value = refused;
    });
  }

  stop(): void {
    this.asked?.abort(new PythonStopped("asked"));
  }

  /** As it stood on the page. */
  restore(): void {
    batch(() => {
      this.text.value = this.source;
      this.editing.value = false;
      this.done(null);
    });
  }
}
