// The card of a game, as the server hands it over: texts, forms, sheets, marks and verdicts.
import type { Value } from "../i18n/say";
import type { Body, Plain } from "./types";

/** Something to be said: as it is, a message by its id with values, or one sentence after the other. */
export type Text = string | Message | { readonly all: readonly Text[] };
export type Message = readonly [id: string, values?: Readonly<Record<string, Value>>];

export type Tone = "great" | "good" | "mixed" | "bad" | "awful" | "even";

/** How a face is read. */
export interface Mark {
  readonly tone?: Tone;
  readonly symbols?: readonly string[];
  readonly alone?: boolean;
  readonly said?: Text;
  readonly written?: boolean;
}
/** By the die's name or shape, then by a face or a range of faces. */
export type Marks = Readonly<Record<string, Readonly<Record<string, Mark>>>>;
/** How dice lie, by entry and place: "0.1". */
export type Lies = Readonly<Record<string, "dropped" | "kept" | "again" | "counts">>;

/** An addition: the dice, then what else counts, by name. */
export interface Sum {
  readonly terms: readonly Text[];
  readonly total: number;
}
export interface Verdict {
  readonly word: Text;
  readonly tone: Tone;
  readonly detail?: readonly Text[];
  readonly paid?: readonly Text[];
}

/** An option of a choice as people read it; older logs have what it is called as `said`. */
export interface CardOption {
  readonly option: Plain;
  readonly label?: Text;
  readonly said?: Text;
  readonly leads?: Text;
  readonly who?: string;
  readonly dice?: readonly string[];
  readonly at?: number;
  readonly member?: number;
  readonly tone?: Tone;
}
/** A number on its way up, past what has a name. */
export interface Ladder {
  readonly rungs: readonly { readonly at: number; readonly label: Text }[];
  readonly at: number;
  readonly goal?: number;
}
/** Somebody in a roll of several: their score, and what they have left to give. */
export interface Member {
  readonly label: Text;
  readonly said: Text;
  readonly tone: Tone;
  readonly gives?: number;
}
/** Things that are dealt out: each place gets some. */
export interface Assign {
  readonly tokens: number;
  readonly places: readonly { readonly at: string; readonly label: Text; readonly stacks?: boolean }[];
  readonly ask?: Text;
}

/** The beginning of a roll: things of the sheet by name, and fields by hand. */
export interface Start {
  readonly roll: string;
  readonly pick?: Body;
  readonly set?: Body;
  readonly roles?: Record<string, string>;
}

/** The presentation of a kind of roll beside its fields. */
export interface RollCard {
  readonly goal?: string;
  readonly policy?: string;
  readonly policies?: readonly { readonly value: string; readonly label: Text }[];
  readonly drawn?: readonly string[];
  readonly more?: readonly string[];
  readonly asked?: readonly string[];
  readonly needed?: readonly (readonly string[])[];
  readonly explore?: {
    readonly along?: string;
    readonly map?: readonly [string, string];
    readonly builds?: readonly Body[];
    readonly values?: Readonly<Record<string, readonly Plain[]>>;
  };
  readonly only_explored?: boolean;
}

export interface Card {
  readonly rolls?: Readonly<Record<string, RollCard>>;
  readonly outcome?: Readonly<
    Record<
      string,
      {
        readonly title?: Text;
        readonly tones?: Readonly<Record<string, Tone>>;
        readonly labels?: Readonly<Record<string, Text>>;
      }
    >
  >;
  readonly prices?: Readonly<Record<string, { readonly unit: "chance" | "amount"; readonly said: Text }>>;
  readonly dice?: Readonly<
    Record<
      string,
      { readonly sides?: number; readonly label?: Text; readonly set?: string; readonly numerals?: boolean }
    >
  >;
  readonly theme?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly icons?: Readonly<Record<string, string>>;
  readonly starters?: readonly { readonly name: Text; readonly values: Body }[];
  readonly trial?: {
    readonly said: Text;
    readonly roll: string;
    readonly fields: Body;
    readonly faces: readonly Plain[];
  } | null;
}

export interface Choosable {
  readonly value: Plain;
  readonly label: Text;
  readonly note?: Text;
  readonly off?: Text;
  readonly set?: Body;
  readonly group?: Text;
  readonly none?: boolean;
}

interface Common {
  /** The path in the draft that it writes: `set.ammo_dice`, `pick.weapon`. */
  readonly at?: string;
  readonly label?: Text;
  readonly help?: Text;
  readonly value?: Plain;
  /** Who said the value: somebody here, the sheet, or the rules. */
  readonly from?: "you" | "sheet" | "book";
  readonly wrong?: Text;
  /** Why it is limited. */
  readonly why?: Text;
  /** Whether it is beside the chance and the button, if there is a dock. */
  readonly docked?: boolean;
}

export type Control = Common &
  (
    | {
        readonly control: "pick";
        readonly style?: "row" | "chips" | "menu" | "board";
        readonly options: readonly Choosable[];
      }
    | { readonly control: "picks"; readonly options: readonly Choosable[]; readonly most?: number; readonly add?: Text }
    | {
        readonly control: "number";
        readonly style?: "stepper" | "taps" | "slider";
        readonly low?: number;
        readonly high?: number;
        readonly row?: readonly number[];
        readonly words?: Readonly<Record<string, Text>>;
        readonly signed?: boolean;
        readonly none?: Text;
        readonly ahead?: boolean;
        readonly live?: boolean;
      }
    | {
        readonly control: "numbers";
        readonly offers: readonly number[];
        readonly most?: number;
        readonly signed?: boolean;
        readonly low?: number;
        readonly high?: number;
      }
    | { readonly control: "switch" }
    | {
        readonly control: "text";
        readonly most?: number;
        readonly known?: boolean;
        readonly suggest?: readonly string[];
        readonly words?: boolean;
        readonly options?: readonly { readonly value: string; readonly label: Text }[];
      }
    | {
        readonly control: "parts";
        readonly parts: readonly { readonly title: Text; readonly form: readonly Control[] }[];
        readonly add?: Text;
        readonly most?: number;
        readonly fold?: boolean;
        readonly fresh?: { readonly pick?: Body; readonly set?: Body };
        readonly held?: { readonly pick?: readonly Plain[]; readonly set?: readonly Plain[] };
      }
    | {
        readonly control: "group";
        readonly title?: Text;
        readonly columns?: 2 | 3;
        readonly fold?: boolean;
        readonly form: readonly Control[];
      }
    | { readonly control: "note"; readonly text: Text; readonly tone?: Tone }
    | { readonly control: "jump"; readonly text: Text; readonly draft: Start }
    | {
        readonly control: "act";
        readonly text: Text;
        readonly effect: string;
        readonly amount?: Plain;
        readonly target?: string;
        readonly off?: Text;
      }
  );
export type ControlOf<Name extends Control["control"]> = Extract<Control, { control: Name }>;

/** The server's answer to a draft: its controls, and whether it can be rolled. */
export interface FormAnswer {
  readonly n: number;
  readonly hash: string;
  /** Null where the form that the page has is the form. */
  readonly form: readonly Control[] | null;
  /** The draft with what the roll starts with, without what is refused. */
  readonly draft?: Start;
  readonly request: Body | null;
  readonly title: Text;
  readonly can: boolean;
  readonly why: Text | null;
  /** The line of the rulebook behind a refusal. */
  readonly rule?: string;
  /** The dice of the first throw; null where a choice comes first. */
  readonly dice: readonly string[] | null;
  readonly pool: Plain;
  readonly marks: Marks;
  readonly marks_hash: string;
  /** The request, as the sheet can roll it; null if it cannot. And what it lacks: it rolls without, or cannot. */
  readonly fits?: Start | null;
  readonly lacks?: readonly string[];
}

/** An effect of the game on a sheet. */
interface Doing {
  readonly effect: string;
  readonly amount?: Plain;
  readonly target?: string;
}
interface Shown {
  readonly set?: boolean;
  readonly label?: Text;
  readonly at?: string;
  readonly begins?: Start;
  readonly icon?: string;
  readonly tone?: Tone;
}

export type Widget = Shown &
  (
    | {
        readonly widget: "track";
        readonly style?: "boxes" | "bar" | "dots";
        readonly value: number;
        readonly most: number;
        readonly low?: number;
      }
    | {
        readonly widget: "number";
        readonly value: number;
        readonly low?: number;
        readonly high?: number;
        readonly signed?: boolean;
        readonly step?: boolean;
      }
    | {
        readonly widget: "level";
        readonly value: Plain;
        readonly options: readonly { readonly value: Plain; readonly label: Text }[];
        readonly big?: boolean;
      }
    | { readonly widget: "flag"; readonly value: boolean }
    | { readonly widget: "text"; readonly value: string; readonly most?: number }
    | {
        readonly widget: "words";
        readonly value: readonly Text[];
        readonly most?: number;
        readonly adds?: { readonly effect: string; readonly text?: Text };
        readonly drops?: readonly Doing[];
      }
    | {
        readonly widget: "things";
        readonly key: string;
        readonly rows?: readonly {
          readonly key: string;
          readonly title: Text;
          readonly chips?: readonly Text[];
          readonly show?: readonly Widget[];
          readonly begins?: Start;
        }[];
        readonly empty?: Text;
        readonly most?: number;
      }
    | { readonly widget: "note"; readonly text: Text }
    | {
        readonly widget: "act";
        readonly text: Text;
        readonly effect: string;
        readonly amount?: Plain;
        readonly target?: string;
        readonly off?: Text;
      }
    | { readonly widget: "roll"; readonly begins: Start }
    | {
        readonly widget: "group";
        readonly title?: Text;
        readonly columns?: number;
        readonly fold?: boolean;
        readonly show?: readonly Widget[];
      }
  );
export type WidgetOf<Name extends Widget["widget"]> = Extract<Widget, { widget: Name }>;
