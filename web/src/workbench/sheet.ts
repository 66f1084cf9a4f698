// A sheet of a game that a program makes, for one: Python keeps it as a table does, and this browser holds its values.
import { computed, signal } from "@preact/signals";
import type { Command, SheetKept } from "../net/shapes";
import type { Place } from "../sheets/sheet_model";
import { emptySnapshot } from "../state/reducer";
import type { Body, Change, GameFacts, Roll, Sheet } from "../state/types";
import { say } from "../i18n/text";
import type { Work } from "./work";

const ME = "s1";
/** The last state of a game's sheet, by its name: it outlives a change of the program that it fits. */
const kept = new Map<string, Body>();

export class OwnSheet implements Place {
  readonly id = "workbench";
  readonly world = signal(emptySnapshot(ME));
  readonly game;
  readonly isPlaying = computed(() => true);
  readonly standing = { value: "open" };
  readonly arrived = new Map<number, number>();
  readonly sheet = signal<Sheet | null>(null);
  readonly sheets = computed(() => (this.sheet.value ? [this.sheet.value] : []));
  private readonly rolls = new Map<string, string>();
  private count = 0;
  /** The last change: changes of the sheet are made one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly work: Work,
    facts: GameFacts,
  ) {
    this.game = signal<GameFacts | null>(facts);
  }

  private get name(): string {
    return this.game.value!.name;
  }

  /** The sheet as it was left, or a new one where it no longer fits. */
  open(): Promise<void> {
    return this.ask({ sheet: kept.get(this.name) ?? null })
      .catch(() => this.ask({}))
      .then((found) => this.take(found, {}));
  }

  begin(values: Body): Promise<void> {
    return this.ask({ sheet: values }).then((found) => this.take(found, { hand: true }));
  }

  /** Changes the sheet by hand. */
  readonly send = (command: Command): Promise<unknown> =>
    this.done({ command: command as unknown as Body }, { hand: true });

  /** Applies the effects of a finished roll; returns those that could not be done, in words. */
  async rolled(title: string, transcript: Body): Promise<readonly string[]> {
    const roll = `r${this.rolls.size + 1}`;
    this.rolls.set(roll, title);
    const found = await this.done({ transcript }, { roll });
    return found.effects.flatMap(({ why }) => (why ? [why] : []));
  }

  /** The sheet as widgets, or what each roll that it begins is worth. */
  readonly get = <A>(path: string, signal?: AbortSignal): Promise<A> =>
    this.work.ask<A>(path.endsWith("/chances") ? "chances" : "sheet", this.about(), signal ? { signal } : {});

  readonly roll = (id: string): Roll | undefined =>
    this.rolls.has(id) ? ({ title: this.rolls.get(id) } as Roll) : undefined;
  readonly said: Place["said"] = (text) => say(text);

  private about(): Body {
    return { game: this.name, sheet: this.sheet.value?.values ?? null };
  }

  private ask(question: Body): Promise<SheetKept> {
    return this.work.ask<SheetKept>("sheet", { game: this.name, ...question });
  }

  private done(what: Body, cause: Change["cause"]): Promise<SheetKept> {
    const next = this.last.then(async () => {
      const found = await this.ask({ ...this.about(), ...what });
      this.take(found, cause);
      return found;
    });
    this.last = next.catch(() => undefined);
    return next;
  }

  private take({ values }: SheetKept, cause: Change["cause"]): void {
    const before = this.sheet.value;
    const seq = (this.count += 1);
    const other = Object.keys(values).filter(
      (name) => before && JSON.stringify(before.values[name]) !== JSON.stringify(values[name]),
    );
    const marks = Object.fromEntries(
      other.map((name) => [name, { seq, at: seq, before: before!.values[name] ?? null, after: values[name]!, cause }]),
    );
    if (other.length) this.arrived.set(seq, seq);
    kept.set(this.name, values as Body);
    this.sheet.value = {
      id: ME,
      owner: ME,
      shown: true,
      values: values as Body,
      changes: { ...before?.changes, ...marks },
    };
  }
}
