// The shapes of a table as the page holds them; those of the wire are made from the server's fields.
import type { Assign, Card, CardOption, Ladder, Lies, Marks, Member, Sum, Text, Verdict } from "./card";
import type { Catalog } from "../i18n/text";
import type {
  RollSpecData,
  ChangeCause,
  DeviceView,
  FieldChange,
  SheetEffectData,
  EndStepData,
  FairThrow,
  Plain,
  RollStartedEvent,
  SeatView,
  EventView,
  FailureStepData,
  ChoiceStepData,
  ThrowStepData,
} from "../net/shapes";

export type { Plain } from "../net/shapes";
export type Body = Record<string, Plain>;
export type LogEvent = EventView;
export type Role = SeatView["role"];
export type Option = CardOption;
/** The options now, or the reason why they are unknown. */
export interface OptionOffer {
  options: Option[];
  why?: Text;
}
export interface OpenChoice
  extends OptionOffer,
    Omit<ChoiceStepData, "options" | "question" | "standing" | "sum" | "assign" | "ladder" | "party" | "told"> {
  question: Text;
  standing?: Text;
  sum?: Sum;
  assign?: Assign;
  ladder?: Ladder;
  party?: Member[];
  told?: Text;
}
export interface EffectDone extends Omit<SheetEffectData, "said" | "why"> {
  said: Text;
  why?: Text;
}
export interface RollEnding extends Omit<EndStepData, "told" | "effects" | "verdict" | "sum"> {
  told: Text;
  sum?: Sum;
  verdict?: Verdict | null;
  effects: EffectDone[];
}
export interface RollStop extends Omit<FailureStepData, "why"> {
  why: Text;
}
export type RollState = ThrowStepData | OpenChoice | RollEnding | RollStop;
export type Visibility = RollStartedEvent["visibility"];
export interface Seat {
  id: string;
  role: Role;
  name: string;
  status: SeatView["status"];
  look?: SeatView["look"];
}
export type Values = Record<string, Plain>;
export interface Change extends FieldChange {
  seq: number;
  at: number;
  cause: ChangeCause;
}
export interface Sheet {
  id: string;
  owner: string;
  values: Values;
  shown: boolean;
  changes: Record<string, Change>;
}
export interface ThrowEntry {
  kind: "thrown";
  seq: number;
  at: number;
  index: number;
  by: string;
  faces: Plain[];
  dice: string[];
  pool: Plain;
  how: string;
  fair: FairThrow | null;
  whose: string;
  label: Text;
  lies: Lies | null;
  named?: Readonly<Record<string, Text>> | undefined;
  taken: boolean;
}
export interface ChoiceEntry {
  kind: "chosen";
  seq: number;
  at: number;
  index: number;
  by: string;
  option: Plain;
  said: Text;
  agreed: boolean;
  taken: boolean;
}
export interface HiddenEntry {
  kind: "veiled";
  seq: number;
  at: number;
  by: string;
  taken: boolean;
}
export type Entry = ThrowEntry | ChoiceEntry | HiddenEntry;

export interface Roll {
  id: string;
  by: string;
  title: Text;
  /** How faces are read: the hash by which that is known, nothing where nobody says. */
  marks: Marks | string | null;
  what: { request?: Body; expression?: string } | null;
  sheet: string;
  visibility: Visibility;
  note: string;
  ask: string;
  physical: boolean;
  /** Whether the others do not learn that there is such a roll. */
  silent: boolean;
  goal: string;
  /** The policy for its choices; empty to be asked. */
  policy: string;
  /** Whether the seat that asked for it set the policy. */
  bound: boolean;
  roles: Record<string, string>;
  at: number;
  first: number;
  last: number;
  /** The place in the log at which it ended; 0 while it is open. */
  end: number;
  /** Whether its beginning is known; the rest of a roll may come first. */
  begun: boolean;
  entries: Entry[];
  after: RollState | null;
  status: "open" | "done" | "cancelled" | "undone";
  revealed: boolean;
  /** The sheets on which what it does waits until somebody lets it happen. */
  waits: string[];
  /** Who let something of it happen, or did not. */
  decided: { by: string; sheets: string[]; let: boolean }[];
  /** Whether its dice are in the air: what they show is not known yet. */
  air: boolean;
  /** Nothing of it may be seen from this seat. */
  veiled: boolean;
  changes: { sheet: string; seq: number; fields: Record<string, FieldChange> }[];
}

/** The request, as it is written today and as a draft. */
export type RequestedRoll = RollSpecData & { title?: Text };
export interface RollRequest {
  id: string;
  by: string;
  who: string[] | string;
  roll: RequestedRoll;
  note: string;
  visibility: Visibility;
  announce: boolean;
  answered: Record<string, string>;
  closed: boolean;
  at: number;
  seq: number;
}

/** One thing in the feed: a roll with all that belongs to it, or a single event. */
export type FeedItem =
  | { key: string; place: number; at: number; roll: Roll }
  | { key: string; place: number; at: number; event: LogEvent };

/** The facts that keep the dice of a table honest, as far as everybody knows them. */
export interface FairFacts {
  /** The hash of the event that the slots began with. */
  epoch: string;
  /** The slot of each lane. */
  slots: Record<string, string>;
  devices: DeviceView[];
  /** Whether dice wait for somebody else's number. */
  witnesses: boolean;
  /** Numbers of witnesses that wait to be asked for, each with its seat: one's own, and others that were heard of. */
  offers: Record<string, string>;
}

export interface TableFacts {
  id: string;
  game: string;
  title: string;
  house: Body;
  knock: boolean;
  lists: Body;
  dialect: string;
}

/** A field as the server describes it: what it is called, what it holds, what it may be. */
export interface FieldDescription {
  name: string;
  title: string;
  help?: string;
  kind: "int" | "bool" | "text" | "fraction" | "choice" | "list" | "value" | "any";
  optional?: boolean;
  required?: boolean;
  rule?: string;
  low?: number;
  high?: number;
  most?: number;
  choices?: string[];
  would_do?: string;
  known?: boolean;
  default?: Plain;
  items?: FieldDescription;
  fields?: FieldDescription[];
  any_of?: FieldDescription[];
  readings?: { value: Plain; said: string; text: string }[];
}
/** A field as JSON Schema has it, made of how the server describes it. */
export interface FieldSchema {
  type?: string | string[];
  enum?: string[];
  anyOf?: FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  title?: string;
  description?: string;
  default?: Plain;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  const?: string;
}
export interface RollKind {
  roll: string;
  title: string;
  help: string;
  fields: FieldDescription[];
  outcome: { name: string; title: string; cost: string | null }[];
  goals: string[];
  schema: FieldSchema;
}
export interface GameFacts {
  name: string;
  title: string;
  summary: string;
  default_roll: string;
  rolls: Record<string, RollKind>;
  policies: Record<string, { title: string; argument: string }>;
  default_policy: string;
  goals: Record<string, { title: string; rolls: string[] }>;
  default_goal: string;
  house: { fields: FieldDescription[] };
  sheet: { help: string; fields: FieldDescription[] } | null;
  shared?: { fields: FieldDescription[] } | null;
  icons: Record<string, string>;
  /** Its card for interfaces, and its words in the reader's language. */
  card?: Card;
  words?: Catalog;
  languages?: string[];
}
