/** A roll without a table: thrown by the server or by this browser's Python, held by nobody but this page. */

import { signal } from "@preact/signals";
import { movesHere } from "../dice/motion";
import { ask as asked } from "../net/queries";
import type { HintData } from "../net/shapes";
import type { Assign, CardOption, Lies, Marks, Sum, Text, Verdict } from "../state/card";
import type { Body, Plain } from "../state/types";
import type { Cost, ShownField, Worth } from "../panel/preview_query";
import { language } from "../i18n";

export interface Throw {
  readonly pool: Plain;
  readonly faces: readonly Plain[];
  readonly named?: Readonly<Record<string, Text>>;
}
export interface Effect {
  readonly kind: string;
  readonly amount: Plain;
  readonly target: string;
  readonly said: Text;
}
export type Step =
  | {
      readonly step: "done";
      readonly fields: Record<string, Plain>;
      readonly good: boolean | null;
      readonly effects: readonly Effect[];
      readonly verdict?: Verdict | null;
      readonly sum?: Sum;
    }
  | {
      readonly step: "choice";
      readonly by: string;
      readonly options: readonly CardOption[];
      readonly question: Text;
      readonly standing?: Text;
      readonly sum?: Sum;
      readonly assign?: Assign;
    }
  | {
      readonly step: "throw";
      readonly dice: readonly string[];
      readonly pool: Plain;
      readonly named?: Readonly<Record<string, Text>>;
    };
export interface RollData {
  readonly remarks?: readonly HintData[];
  readonly transcript: Body;
  readonly marks?: Marks;
  readonly lies?: Lies;
  readonly label?: Text;
  readonly told: Text;
  readonly step: Step;
  readonly throws: readonly Throw[];
}
export interface OptionAdvice {
  readonly number: number;
  readonly said: string;
  readonly value: Worth;
  readonly best: boolean;
  readonly gains: boolean;
  readonly costs?: readonly Cost[];
  readonly odds?: readonly ShownField[];
}
export interface Advice {
  readonly goal?: { readonly name: string; readonly title: string };
  readonly matters: boolean;
  readonly why: string;
  readonly options: readonly OptionAdvice[];
}

export interface LocalRoll {
  readonly id: number;
  readonly title: string;
  readonly game: string;
  readonly request: Body | null;
  readonly rolled: RollData | null;
  /** How their faces are read. */
  readonly marks?: Marks | undefined;
  /** Dice that tumble while the answer is on its way. */
  readonly waiting: readonly string[];
  /** How many throws lay there before, so that only the new ones tumble. */
  readonly before: number;
  /** Throws in the air: until they land, their results are hidden. */
  readonly air: readonly number[];
  readonly advice: Advice | null;
  /** Whether real dice are thrown, and their faces typed. */
  readonly physical: boolean;
}

let last = 0;

/** The throws that take off once they are known: those that are new, where anything moves. */
const flying = ({ throws }: RollData, before: number, physical: boolean): number[] =>
  physical || !movesHere() ? [] : throws.flatMap((_, n) => (n >= before ? [n] : []));

/** No faces yet: the roll waits for them instead of being thrown. */
const noFaces = (physical: boolean): Body => (physical ? { faces: [] } : {});

/** The rolls made on this page, the newest first. */
export class LocalRolls {
  readonly list = signal<readonly LocalRoll[]>([]);

  /** Asks the page's own source, unless another throws the dice. */
  constructor(private readonly ask: <A>(kind: string, question: object) => Promise<A> = asked) {}

  async start(
    what: Body,
    about: Pick<LocalRoll, "title" | "game" | "request" | "physical" | "marks">,
    waiting: readonly string[],
    goal: string,
  ): Promise<void> {
    const id = ++last;
    this.list.value = [
      { id, ...about, rolled: null, waiting, before: 0, air: [], advice: null },
      ...this.list.value,
    ].slice(0, 30);
    try {
      const asking = { ...what, language: language.value, ...noFaces(about.physical) };
      const rolled = await this.ask<RollData>("roll", asking);
      this.put(id, { rolled, waiting: [], air: flying(rolled, 0, about.physical) });
    } catch (problem) {
      this.list.value = this.list.value.filter((one) => one.id !== id);
      throw problem;
    }
    await this.advise(id, goal);
  }

  /** A roll that begins with faces somebody wrote down; from the first choice on the server throws. */
  async try(request: Body, faces: readonly Plain[], game: string): Promise<void> {
    const id = ++last;
    const rolled = await this.ask<RollData>("roll", { request, faces: faces as Plain[], language: language.value });
    const air = flying(rolled, 0, false);
    this.list.value = [
      { id, title: "", game, request, rolled, waiting: [], before: 0, air, advice: null, physical: false },
    ];
    await this.advise(id, "");
  }

  choose(id: number, number: number, goal: string): Promise<void> {
    return this.go(id, { number, ...noFaces(!!this.find(id)?.physical) }, goal);
  }

  /** Deals out tokens. */
  deal(id: number, puts: Record<string, number[]>, goal: string): Promise<void> {
    return this.go(id, { puts, ...noFaces(!!this.find(id)?.physical) }, goal);
  }

  /** Faces read off real dice. */
  enter(id: number, faces: Plain[], goal: string): Promise<void> {
    return this.go(id, { faces }, goal);
  }

  /** From here on the server throws. */
  virtual(id: number, goal: string): Promise<void> {
    this.put(id, { physical: false });
    return this.go(id, {}, goal);
  }

  /** A throw has come to rest. */
  land(id: number, number: number): void {
    const { air = [] } = this.find(id) ?? {};
    if (air.includes(number)) this.put(id, { air: air.filter((one) => one !== number) });
  }

  private async go(id: number, answer: Body, goal: string): Promise<void> {
    const { rolled, physical = false } = this.find(id) ?? {};
    if (!rolled) return;
    const next = await this.ask<RollData>("roll", {
      transcript: rolled.transcript,
      language: language.value,
      ...answer,
    });
    const before = rolled.throws.length;
    this.put(id, { rolled: next, before, air: flying(next, before, physical), advice: null });
    await this.advise(id, goal);
  }

  private async advise(id: number, goal: string): Promise<void> {
    const rolled = this.find(id)?.rolled;
    if (rolled?.step.step !== "choice") return;
    const advice = await this.ask<Advice>("advise", { transcript: rolled.transcript, ...(goal ? { goal } : {}) }).catch(
      () => null,
    );
    if (this.find(id)?.rolled === rolled) this.put(id, { advice });
  }

  private find(id: number): LocalRoll | undefined {
    return this.list.value.find((one) => one.id === id);
  }

  private put(id: number, changes: Partial<LocalRoll>): void {
    this.list.value = this.list.value.map((one) => (one.id === id ? { ...one, ...changes } : one));
  }
}
