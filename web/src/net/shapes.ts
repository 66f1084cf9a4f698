// Made by ./dev docs from the fields that the server reads and writes: not to be changed by hand.
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };

/** A command that is committed, with the events it made as its seat sees them. */
export interface AckAnswer {
  ok: true;
  /** The command's. */
  id: string;
  /** Its first event; null where nothing had to be written. */
  first: number | null;
  /** Its last event. */
  last: number | null;
  /** Its events, and those that it opened. */
  events: EventView[];
}

/** The best call, with what every option is worth, where it leads, and why. */
export interface AdviceAnswer {
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
  /** What the roll is worth with best play. */
  value: WorthData;
  /** The best option; null where none is open. */
  best: Plain;
  /** Whether it matters what is chosen. */
  matters: boolean;
  /** Options that are as good. */
  ties: Plain[];
  /** What each option is worth. */
  options: OptionAdviceData[];
  /** The best policy, before anything is thrown. */
  calls: PolicyLineText[];
  /** Why it is the best. */
  why: string;
  /** The best policy exactly, as far as it fits. */
  lines?: PolicyLine[];
  /** Who chooses. */
  by?: string;
  /** The best option in words. */
  best_said?: string;
  /** How many options are not listed. */
  left_out?: number;
  /** What it costs. */
  costs?: CostData[];
  /** What counts. */
  goal: GoalData;
  /** What is rolled. */
  title: string;
  /** The goals that go with this roll. */
  goals: GoalOption[];
}

/** Best play: what it is worth, what each option is, and the whole policy as a table. */
export interface AdviceOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  kind: "advice";
  /** What it is worth with best play. */
  value: WorthData;
  /** The best option now; null where none is open. */
  best: string | null;
  /** Whether any decision makes a difference. */
  matters: boolean;
  /** What may be chosen now, the best first. */
  options: OptionShown[];
  /** The policy in short, the likeliest decisions first. */
  calls: PolicyLineText[];
  /** The policy in a sentence. */
  plan: string;
  /** Every decision, for a spreadsheet. */
  csv: string;
  /** What a stated bound has cut off, in a sentence; else empty. */
  cut: string;
}

/** A number exactly, nearly, and in words. */
export interface Amount {
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
  /** The same in words. */
  said: string;
}

/** The outputs of a program of AnyDice, and the same program in Python with our words. */
export interface AnyDiceAnswer {
  /** In their order. */
  outputs: AnyDiceOutput[];
  /** How often one is less, equal or greater than another; up to 60 outputs. */
  duels: Duel[];
  /** What is to be said about them. */
  warnings: string[];
  /** The same as a program of the workbench. */
  python: string;
  /** What could not be put into Python; a comment is there. */
  refused: AnyDiceProblem[];
}

/** The outputs of a program of AnyDice, with their pictures. */
export interface AnyDiceDrawn {
  /** In their order. */
  outputs: AnyDiceOutput[];
  /** How often one is less, equal or greater than another; up to 60 outputs. */
  duels: Duel[];
  /** What is to be said about them. */
  warnings: string[];
  /** The same as a program of the workbench. */
  python: string;
  /** What could not be put into Python; a comment is there. */
  refused: AnyDiceProblem[];
  /** What a program of ours would show of it. */
  drawn: (
    | OddsOutput
    | CompareOutput
    | SweepOutput
    | AdviceOutput
    | RollOutput
    | NumberOutput
    | TextOutput
    | TableOutput
  )[];
}

/** An output of a program: its name, and every outcome with its weight; none for no outcomes. */
export interface AnyDiceOutput {
  /** What it is called. */
  name: string;
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** Weight cut off by a stated bound. */
  lost: string;
  /** Each outcome with its weight. */
  outcomes: WeightedOutcome[];
  /** The same, for bars and columns. */
  fields: FieldData[];
}

/** A place of a program that has no natural form in Python. */
export interface AnyDiceProblem {
  /** A short name for why. */
  code: string;
  /** The line, from 1. */
  line: number;
  /** The place in it, from 1. */
  column: number;
  /** Where it begins in the program. */
  start: number;
  /** Where it ends. */
  end: number;
  /** Why, and what to write instead. */
  said: string;
}

/** An argument of a rule, as a slider or a list needs it. */
export interface ArgumentShown {
  /** Its name. */
  name: string;
  /** What people call it. */
  title?: string;
  /** What it is for. */
  help?: string;
  /** What it holds: int, text, choice, list, value and so on. */
  kind?: string;
  /** Whether it may be null. */
  optional?: boolean;
  /** Whether it must be given. */
  required?: boolean;
  /** The line of the rulebook behind it. */
  rule?: string;
  /** The least. */
  low?: number;
  /** The most. */
  high?: number;
  /** How many, or how long. */
  most?: number;
  /** The words it may be. */
  choices?: string[];
  /** What it takes, in words. */
  would_do?: string;
  /** Whether the game may say it as `name.NAME` of its words. */
  known?: boolean;
  /** What it is where nothing is said. */
  default?: Plain;
  /** The parts of a list. */
  items?: FieldDescription;
  /** The fields of a value. */
  fields?: FieldDescription[];
  /** What it may be instead. */
  any_of?: FieldDescription[];
  /** What it is now; left out where nothing was said. */
  value?: Plain;
  /** What it may be, in order; empty where that is open. */
  values: Plain[];
}

/** A choice that hands tokens out. */
export interface AssignmentView {
  /** How many there are. */
  tokens: number;
  /** Where they may be put. */
  places: PlaceView[];
}

/** An axis that is varied. */
export interface AxisData {
  /** Its path in the request, `policy`, or a name in dice. */
  field: string;
  /** What it takes one by one. */
  values: Plain[];
}

/** Best play for a goal. */
export interface BestPlayForGoal {
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
  /** What the roll is worth with best play. */
  value: WorthData;
  /** The best option; null where none is open. */
  best: Plain;
  /** Whether it matters what is chosen. */
  matters: boolean;
  /** Options that are as good. */
  ties: Plain[];
  /** What each option is worth. */
  options: OptionAdviceData[];
  /** The best policy, before anything is thrown. */
  calls: PolicyLineText[];
  /** Why it is the best. */
  why: string;
  /** The best policy exactly, as far as it fits. */
  lines?: PolicyLine[];
  /** Who chooses. */
  by?: string;
  /** The best option in words. */
  best_said?: string;
  /** How many options are not listed. */
  left_out?: number;
  /** What it costs. */
  costs?: CostData[];
  /** What counts. */
  goal: GoalData;
}

/** A game that cannot be loaded. */
export interface BrokenGame {
  /** Its name. */
  name: string;
  /** What went wrong. */
  problem: string;
}

/** The worth of a roll at one place, or why the rules refuse it. */
export interface CellData {
  /** One of each axis. */
  values: Plain[];
  /** What it is worth there. */
  chance?: MeasureWorth;
  /** What it costs there. */
  costs?: CostData[];
  /** Why it cannot be. */
  problem?: string;
}

/** The cause of a sheet's change: a roll, somebody's hand, an undo, or a new session. */
export interface ChangeCause {
  /** The roll. */
  roll?: string;
  /** Somebody did it by hand. */
  hand?: true;
  /** The change that was taken back. */
  undo?: number;
  /** The session that ended. */
  session?: number;
  /** By which effects. */
  effects?: SheetEffectData[];
  /** Why. */
  why?: SealedText | null;
  /** Fields that could not be taken back. */
  left?: string[];
}

/** How much less or more it is. */
export interface ChangeData {
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
  /** The same in words. */
  said: string;
}

/** Something was said. */
export interface ChatSentEvent {
  /** The seat that did it. */
  by: string;
  /** What. */
  text: SealedText | null;
  /** The seats that hear it, or `all`. */
  to: string | string[];
}

/** Something that was chosen, and how often. */
export interface ChoiceCountData {
  /** What. */
  said: string | Plain[];
  /** How often. */
  n: number;
}

/** The roll waits for somebody to choose. */
export interface ChoiceStepData {
  /** How many. */
  count: number;
  /** The hash of all of them. */
  digest: string;
  /** The choice as a question. */
  question: string | Plain[];
  /** Where it stands. */
  standing?: string | Plain[];
  /** What the dice that lie there add up to. */
  sum?: SumView;
  /** The choice as tokens that are handed out. */
  assign?: AssignmentView;
  /** The goal it is about, where the roll's own is settled. */
  aim?: string;
  /** The choice as a number on its way up. */
  ladder?: LadderView;
  /** Everybody, where one gives another something. */
  party?: MemberView[];
  step: "choice";
  /** Who chooses. */
  by: string[];
  /** What the rule calls them. */
  role: string;
  /** How many throws and choices came before. */
  index: number;
  /** What the choice turns on. */
  about: Record<string, Plain> | null;
  /** What happened so far. */
  told?: string | Plain[];
}

/** A request of a game as a program that can be changed. */
export interface CodeAnswer {
  /** The program. */
  text: string;
}

/** Several rolls side by side. */
export interface CompareAnswer {
  /** Each with its chance and its fields. */
  rolls: ComparedRollData[];
  /** How often one is less, equal or greater than another. */
  duels: Duel[];
}

/** Several distributions side by side. */
export interface CompareOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  kind: "compare";
  /** Of the outcomes, or of each field they share. */
  fields: FieldCompared[];
}

/** One of several rolls. */
export interface ComparedRollData {
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What is rolled. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** What it is called beside the others. */
  name: string;
  /** Of the event or of success; null for dice alone. */
  chance: MeasureWorth | null;
  /** The odds of fields of the outcome. */
  fields: FieldData[];
}

/** The chance of an event, exactly. */
export interface ConditionAnswer {
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What is rolled. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** The event. */
  where: string;
  /** A fraction, written out. */
  chance: string;
  /** The same as a number. */
  number: number;
  /** The weight of the event: a whole number, written out. */
  weight: string;
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** Weight cut off by a stated bound. */
  lost: string;
}

/** A price of a roll. */
export interface CostData {
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
  /** The same in words. */
  said: string;
  /** Whether it is a chance, which is said in percent. */
  chance: boolean;
  /** The field of the outcome. */
  name: string;
  /** What people call it. */
  title: string;
  /** So much of it, as a person says it: `1 in 10 jams`. */
  words: string;
}

/** A number of a roll for every value of one field, or for every pair of values of two. */
export interface CurveAnswer {
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
  /** What is varied. */
  axes: AxisData[];
  /** The last axis runs fastest. */
  cells: CellData[];
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What stays the same. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** What is shown: its title, and by what. */
  measure: MeasureData;
}

/** A curve or a heat map. */
export interface CurveData {
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
  /** What is varied. */
  axes: AxisData[];
  /** The last axis runs fastest. */
  cells: CellData[];
}

/** A device of a seat, which signs calls. */
export interface DeviceData {
  /** d1, d2, … */
  id: string;
  /** Its public key (Ed25519). */
  key: string;
  /** The bot that holds the key for the person. */
  held?: string;
}

/** A device as everybody at the table sees it. */
export interface DeviceView {
  /** d1, d2, … */
  id: string;
  /** Its public key (Ed25519). */
  key: string;
  /** The bot that holds the key for the person. */
  held?: string;
  /** Whose it is. */
  seat: string;
  /** Which call in its own lane was its last. */
  counter: number;
  /** The same in the lane of the table; for its owner alone. */
  quiet?: number;
  /** Whether it signs no more. */
  gone?: true;
}

/** One kind of die, as often as it showed each face. */
export interface DieCountData {
  /** Its name. */
  die: string;
  /** fair, or typed in from real dice. */
  how: string;
  /** How often it was thrown. */
  throws: number;
  /** Of dice with very many sides, those that came. */
  faces: FaceCountData[];
  /** How often fair dice are at least as uneven; null for too few. */
  p: number | null;
  /** What that means. */
  verdict: string;
}

/** A distribution, for table, chart and spreadsheet. */
export interface Distribution {
  /** The field, or what it is called beside others; empty for one alone. */
  name: string;
  /** What people call it. */
  title: string;
  /** What its values are. */
  kind: "yes" | "number" | "word";
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** Weight cut off by a stated bound. */
  lost: string;
  /** The least number. */
  low?: Plain;
  /** The greatest number. */
  high?: Plain;
  /** What it comes to, in order. */
  rows: OddsRow[];
  /** What a stated bound has cut off, in a sentence; else empty. */
  cut: string;
  /** The average of numbers. */
  mean?: Amount;
  /** How far numbers lie from it. */
  spread?: Spread;
  /** Half of all lie at it or below. */
  median?: Plain;
  /** How likely a yes is. */
  chance?: Amount;
  /** Mean and spread in words; empty for what has none. */
  summary: string;
}

/** A distribution with its picture. */
export interface DistributionDrawn {
  /** The field, or what it is called beside others; empty for one alone. */
  name: string;
  /** What people call it. */
  title: string;
  /** What its values are. */
  kind: "yes" | "number" | "word";
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** Weight cut off by a stated bound. */
  lost: string;
  /** The least number. */
  low?: Plain;
  /** The greatest number. */
  high?: Plain;
  /** What it comes to, in order. */
  rows: OddsRow[];
  /** What a stated bound has cut off, in a sentence; else empty. */
  cut: string;
  /** The average of numbers. */
  mean?: Amount;
  /** How far numbers lie from it. */
  spread?: Spread;
  /** Half of all lie at it or below. */
  median?: Plain;
  /** How likely a yes is. */
  chance?: Amount;
  /** Mean and spread in words; empty for what has none. */
  summary: string;
  /** The picture, which needs nothing else. */
  svg: string;
  /** The exact numbers, for a spreadsheet. */
  csv: string;
}

/** How one roll does against another. */
export interface Duel {
  /** The one by its name. */
  first: string;
  /** The other by its name. */
  second: string;
  /** How often the first is less. */
  less: ExactNumber;
  /** How often they are equal. */
  equal: ExactNumber;
  /** How often the first is greater. */
  greater: ExactNumber;
}

/** An effect of a roll beside its outcome. */
export interface EffectData {
  /** The kind of effect. */
  kind: string;
  /** How much of it. */
  amount: Plain;
  /** Whom or what it is for; empty for whoever rolled. */
  target: string;
  /** The same in words. */
  said: string;
}

/** An effect of a roll on a sheet. */
export interface EffectDone {
  /** The effect in words. */
  said: string;
  /** Whether it has changed the sheet. */
  applied: boolean;
  /** Why it has not, where the game refuses it; else empty. */
  why: string;
}

/** The roll is done. */
export interface EndStepData {
  /** What happened. */
  told: string | Plain[];
  /** In a word; null for dice alone. */
  verdict?: VerdictView | null;
  /** What was added up, where it is about a sum. */
  sum?: SumView;
  /** Whether it went well; null where nobody can say. */
  good: boolean | null;
  /** What it came to, as data. */
  outcome: Plain;
  /** What it came to, by name. */
  fields: Record<string, Plain>;
  step: "done";
  /** What it does beside its outcome. */
  effects: SheetEffectData[];
  /** Events that are open from now on. */
  opened: number[];
  /** Sheets on which something waits. */
  waits?: string[];
}

/** The answer to whatever was not done. */
export interface ErrorAnswer {
  ok: false;
  /** The command's. */
  id?: string | null;
  /** Why. */
  error: ErrorData;
  /** Its event, where the log holds the refusal. */
  first?: number;
  /** The same. */
  last?: number;
}

/** Why something was not done. */
export interface ErrorData {
  /** One of the codes of the documentation. */
  code: string;
  /** One sentence: what came, what would do. */
  message: string;
  /** The field that it is about. */
  field?: string;
  /** Where in an expression it went wrong. */
  start?: number;
  /** Where that ends. */
  end?: number;
  /** In which line of a program, from 1. */
  line?: number;
  /** At which place of that line, from 1. */
  column?: number;
  /** What kind of mistake an expression holds. */
  slip?: string;
  /** Expressions that would do. */
  suggestions?: string[];
  /** What an expression means in the spelling of other tools. */
  readings?: InterpretationData[];
  /** The names that there are. */
  known?: string[];
  /** Which of the faces it is about. */
  face?: number;
  /** Milliseconds to wait. */
  wait?: number;
}

/** An event as a seat sees it: without `body`, `salt` and `texts` where it may not. */
export interface EventView {
  /** Its number in the log, from 1. */
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  /** What has happened; `sealed` where nobody else may know. */
  kind: string;
  /** What everybody may see. */
  open: PublicPart;
  /** What it holds, by its kind. */
  body?: Record<string, Plain>;
  /** The texts of its body. */
  texts?: Record<string, TextData>;
  /** What its digest was made with. */
  salt?: string;
  /** The salted hash of its body. */
  digest: string;
  /** The hash that chains it to the one before. */
  hash: string;
  /** What may be chosen now, beside the event that says so; in no log. */
  offers?: OptionsData;
}

/** A part of the log as a seat sees it. */
export interface EventsAnswer {
  /** The number of the last event of the table. */
  head: number;
  /** The part, and what it opened. */
  events: EventView[];
}

/** A number exactly, and as near as a float can be. */
export interface ExactNumber {
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
}

/** A face of a die. */
export interface FaceCountData {
  /** As it is written. */
  face: string;
  /** How often it came. */
  seen: number;
  /** How often it was to be expected. */
  expected: number;
}

/** The rule of the game fails at what was thrown: the roll is over, without an outcome. */
export interface FailureStepData {
  step: "stopped";
  /** What failed, and whose. */
  why: string | Plain[];
}

/** The proof of a throw of the table. */
export interface FairThrow {
  /** The event with the call that it follows from. */
  call: number;
  /** Its place among the throws of that call, from 0. */
  throw: number;
  /** The host's part; at the roll's end where dice are hidden. */
  key?: string;
}

/** A field of a sheet as it was and as it is. */
export interface FieldChange {
  /** As it was. */
  before: Plain;
  /** As it is. */
  after: Plain;
}

/** Something that several rolls come to, side by side. */
export interface FieldCompared {
  /** The picture, which needs nothing else. */
  svg: string;
  /** The exact numbers, for a spreadsheet. */
  csv: string;
  /** The field; empty for the outcome itself. */
  name: string;
  /** What people call it. */
  title: string;
  /** Each by its name. */
  rolls: Distribution[];
  /** What they come to: the rows of the table. */
  labels: string[];
  /** For each label that of every roll. */
  shares: ShareData[][];
  /** How often one is less, equal or greater than another. */
  duels: Duel[];
}

/** The distribution of a field of the outcome, for bars and columns. */
export interface FieldData {
  /** The field, or what it is called beside others; empty for one alone. */
  name: string;
  /** What people call it. */
  title: string;
  /** What its values are. */
  kind: "yes" | "number" | "word";
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** Weight cut off by a stated bound. */
  lost: string;
  /** The least number. */
  low?: Plain;
  /** The greatest number. */
  high?: Plain;
  /** What it comes to, in order. */
  rows: RowData[];
  /** The average of numbers. */
  mean?: ExactNumber;
  /** How likely a yes is. */
  chance?: ExactNumber;
}

/** A field as a form needs it; what there is nothing to say of is left out. */
export interface FieldDescription {
  /** Its name. */
  name: string;
  /** What people call it. */
  title?: string;
  /** What it is for. */
  help?: string;
  /** What it holds: int, text, choice, list, value and so on. */
  kind?: string;
  /** Whether it may be null. */
  optional?: boolean;
  /** Whether it must be given. */
  required?: boolean;
  /** The line of the rulebook behind it. */
  rule?: string;
  /** The least. */
  low?: number;
  /** The most. */
  high?: number;
  /** How many, or how long. */
  most?: number;
  /** The words it may be. */
  choices?: string[];
  /** What it takes, in words. */
  would_do?: string;
  /** Whether the game may say it as `name.NAME` of its words. */
  known?: boolean;
  /** What it is where nothing is said. */
  default?: Plain;
  /** The parts of a list. */
  items?: FieldDescription;
  /** The fields of a value. */
  fields?: FieldDescription[];
  /** What it may be instead. */
  any_of?: FieldDescription[];
}

/** A field or a house rule, and what it does to the roll. */
export interface FieldMoves {
  /** Its path in the request, or a name in dice. */
  field: string;
  /** What people call it. */
  title: string;
  /** Whether it is a house rule. */
  house: boolean;
  /** What it is now. */
  now: Plain;
  /** The same in words. */
  said: string;
  /** The most that it changes. */
  most: ExactNumber;
  /** What else it may be. */
  moves: MoveData[];
}

/** The values of a field that give a chance, and every value that was tried. */
export interface FindAnswer {
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What stays the same. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** What counts: its title, and by what. */
  measure: MeasureData;
  /** What is searched. */
  over: SearchData;
  /** What is wanted. */
  target: WorthData;
  /** What reaches the target while a neighbour does not. */
  found: Plain[];
  /** What comes closest, from above or below. */
  nearest: Plain[];
  /** All that reaches it: first and last of each range. */
  ranges: Plain[][];
  /** Which way it goes. */
  direction: "rises" | "falls" | "level" | "mixed";
  /** Each value with what it gives. */
  rows: ValueWorthData[];
  /** Values that cannot be. */
  refused: ValueErrorData[];
  /** The answer in a sentence. */
  said: string;
}

/** Worked mechanics with their questions. */
export interface GalleryAnswer {
  /** In the order in which they are shown. */
  groups: GalleryGroup[];
  /** Each with its program. */
  items: GalleryItem[];
}

/** Some worked mechanics that belong together. */
export interface GalleryGroup {
  /** Its name. */
  name: string;
  /** What people call it. */
  title: string;
}

/** A worked mechanic. */
export interface GalleryItem {
  /** Its name. */
  name: string;
  /** What people call it. */
  title: string;
  /** What is asked, in a sentence. */
  question: string;
  /** What the rule is and what comes of it, in short. */
  told: string;
  /** What it belongs to, by a name of the gallery's groups. */
  group: string;
  /** The program. */
  text: string;
}

/** Everything about one game. */
export interface GameAnswer {
  /** Its name. */
  name: string;
  /** What people call it. */
  title: string;
  /** What it is, in a line. */
  summary: string;
  /** The usual kind of roll. */
  default_roll: string;
  /** Each kind of roll with its fields. */
  rolls: Record<string, RollDescription>;
  /** How choices may be made. */
  policies: Record<string, PolicyDescription>;
  /** The usual one. */
  default_policy: string;
  /** What may count. */
  goals: Record<string, GoalDescription>;
  /** The usual one. */
  default_goal: string;
  /** House rules. */
  house: HouseRulesDescription;
  /** The sheet. */
  sheet: SheetDescription | null;
  /** What its tables share. */
  shared: SheetDescription | null;
  /** Icons of faces. */
  icons: Record<string, string>;
  /** The lines of the rulebook. */
  rulebook: RulebookLine[];
  /** Questions of its own. */
  questions: Record<string, QuestionDescription>;
  /** What surfaces show of it. */
  card: Record<string, Plain>;
  /** Its messages in the language that was asked for; none without. */
  words: Record<string, Plain>;
  /** The languages that its own words are in. */
  languages: string[];
}

/** A game in short. */
export interface GameSummary {
  /** Its name. */
  name: string;
  /** What people call it. */
  title: string;
  /** What it is, in a line. */
  summary: string;
  /** The kinds of roll, the usual one first. */
  rolls: RollKindName[];
  /** Whether its card has a roll to try. */
  trial: boolean;
  /** Felt and lettering, by light: light and dark. */
  face: Record<string, Record<string, string>>;
}

/** All games, in short. */
export interface GamesAnswer {
  /** Each with its rolls. */
  games: GameSummary[];
  /** What cannot be loaded. */
  broken: BrokenGame[];
}

/** A goal. */
export interface GoalData {
  /** Its name, or prices. */
  name: string;
  /** What people call it. */
  title: string;
}

/** Something that may count. */
export interface GoalDescription {
  /** What people call it. */
  title: string;
  /** The kinds of roll it is for; empty for all. */
  rolls: string[];
}

/** A goal that goes with a roll. */
export interface GoalOption {
  /** Its name, or prices. */
  name: string;
  /** What people call it. */
  title: string;
  /** Whether it is the usual one. */
  default: boolean;
}

/** Numbers that came one after the other, to be taken elsewhere. */
export interface GridAnswer {
  /** The picture, which needs nothing else. */
  svg: string;
  /** The exact numbers, for a spreadsheet. */
  csv: string;
}

/** Something in dice that may have been meant otherwise. */
export interface HintData {
  /** A short name for it. */
  code: string;
  /** Where it begins in the expression. */
  start: number;
  /** Where it ends. */
  end: number;
  /** What was read, and what would be read otherwise. */
  said: string;
  /** The other reading, to be rolled or asked about instead. */
  other: string;
}

/** A house rule with what each of its settings means. */
export interface HouseRuleDescription {
  /** Its name. */
  name: string;
  /** What people call it. */
  title?: string;
  /** What it is for. */
  help?: string;
  /** What it holds: int, text, choice, list, value and so on. */
  kind?: string;
  /** Whether it may be null. */
  optional?: boolean;
  /** Whether it must be given. */
  required?: boolean;
  /** The line of the rulebook behind it. */
  rule?: string;
  /** The least. */
  low?: number;
  /** The most. */
  high?: number;
  /** How many, or how long. */
  most?: number;
  /** The words it may be. */
  choices?: string[];
  /** What it takes, in words. */
  would_do?: string;
  /** Whether the game may say it as `name.NAME` of its words. */
  known?: boolean;
  /** What it is where nothing is said. */
  default?: Plain;
  /** The parts of a list. */
  items?: FieldDescription;
  /** The fields of a value. */
  fields?: FieldDescription[];
  /** What it may be instead. */
  any_of?: FieldDescription[];
  /** Its number in the list of ambiguities. */
  code: string;
  /** Its settings, the default first. */
  readings: SettingDescription[];
  /** The question that shows how much it matters. */
  measured_by: string;
}

/** The house rules of a game. */
export interface HouseRulesDescription {
  /** Each with its readings. */
  fields: HouseRuleDescription[];
}

/** The meaning of an expression in another tool. */
export interface InterpretationData {
  /** The tool by name. */
  dialect: string;
  /** What people call it. */
  title: string;
  /** The same in our spelling. */
  expression: string;
}

/** A table as a link to join by shows it. */
export interface InviteView {
  /** Its id. */
  table: string;
  /** What one joins as. */
  role: "referee" | "player" | "spectator";
  /** The name of its game; empty for dice alone. */
  game: string;
  /** What it is called. */
  title: string | null;
  /** Who invites: the first referee; null where that was erased. */
  host: string | null;
  /** Whether a referee lets each newcomer in. */
  knock: boolean;
}

/** A seat that was taken. */
export interface JoinAnswer {
  ok: true;
  /** Your seat: s1, s2, … */
  seat: string;
  /** What you are at the table. */
  role: "referee" | "player" | "spectator";
  /** Whether a referee has to let you in first. */
  status: "here" | "knocking" | "removed";
}

/** How likely two things are together. */
export interface Joint {
  /** The field whose values head the columns. */
  across: string;
  /** The field whose values head the rows. */
  down: string;
  /** The values of the one. */
  columns: string[];
  /** The values of the other. */
  rows: string[];
  /** Row by row. */
  cells: ShareData[][];
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** The same as a map. */
  svg: string;
  /** The same for a spreadsheet. */
  csv: string;
}

/** A choice that is about how far a number reaches. */
export interface LadderView {
  /** What has a name. */
  rungs: RungView[];
  /** Where it stands. */
  at: number;
  /** What is to be reached. */
  goal?: number;
}

/** A role has a new link. */
export interface LinkChangedEvent {
  /** The seat that did it. */
  by: string;
  /** The role. */
  role: "referee" | "player" | "spectator";
}

/** A whole log as a seat sees it, to be kept, verified or imported. */
export interface LogAnswer {
  /** How it is written. */
  format: 2;
  /** The version that wrote it. */
  rollwright: string;
  /** The id of the table. */
  table: string;
  /** Whose copy it is: a seat, or everybody. */
  for: string;
  /** By it a table can move. */
  handover?: string;
  /** All events. */
  events: EventView[];
}

/** Something that is wrong with a log. */
export interface LogProblem {
  /** The number of the event. */
  seq: number | null;
  /** What is wrong, in a few words. */
  what: string;
  /** One sentence. */
  message: string;
}

/** How high the faces were, each measured by what its die does on average. */
export interface LuckData {
  /** How many. */
  throws: number;
  /** The share who roll lower; null for too few. */
  higher_than: number | null;
  /** What that means. */
  verdict: string;
}

/** How a face is read. */
export interface MarkView {
  /** great, good, mixed, bad, awful, or even. */
  tone: string;
  /** What is drawn on it. */
  symbols?: string[];
  /** Whether that stands in place of the number. */
  alone?: boolean;
  /** What it is, in words. */
  said?: string | Plain[];
  /** Whether these words stand under the die. */
  written?: boolean;
}

/** The title and the measure of what is shown or searched. */
export interface MeasureData {
  /** The event whose chance counts. */
  where?: string;
  /** The field of the outcome that counts. */
  of?: string;
  /** The goal that counts. */
  goal?: GoalData;
  /** What people call it. */
  title: string;
}

/** The worth of a roll, with its measure. */
export interface MeasureWorth {
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
  /** The same in words. */
  said: string;
  /** Whether it is a chance, which is said in percent. */
  chance: boolean;
  /** The event whose chance counts. */
  where?: string;
  /** The field of the outcome that counts. */
  of?: string;
  /** The goal that counts. */
  goal?: GoalData;
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
}

/** Somebody in a roll of several. */
export interface MemberView {
  /** Their name. */
  label: string | Plain[];
  /** Where they stand. */
  said: string | Plain[];
  /** great, good, mixed, bad, awful, or even. */
  tone: string;
  /** How much they have left to give away. */
  gives?: number;
}

/** A memorable roll. */
export interface MomentData {
  /** Why: by its tone, or because it went well or `failed` against the odds. */
  kind: "great" | "awful" | "mixed" | "odds" | "failed";
  /** The roll: r1, r2, … */
  roll: string;
  /** When it began, in milliseconds since 1970. */
  at: number;
  /** The seat that rolled. */
  by: string;
  /** The sheet that it was rolled with; empty without one, or a hidden one. */
  sheet: string;
  /** What was rolled. */
  title: string | Plain[];
  /** What it came to. */
  verdict: VerdictView | null;
  /** What was chosen in between. */
  choices: (string | Plain[])[];
  /** The dice that lie there in the end, the first of many. */
  dice: string[];
  /** What each of them shows. */
  faces: Plain[];
  /** How faces are read. */
  marks: Record<string, Record<string, MarkView>>;
  /** How often it comes to that, exactly, or goes well against which it was; null where not counted. */
  chance: string | null;
}

/** Something set otherwise, and what that does; or why it cannot be. */
export interface MoveData {
  /** What it is set to. */
  to: Plain;
  /** The same in words. */
  said: string;
  /** What the roll is worth then. */
  worth?: WorthData;
  /** What that changes. */
  change?: ChangeData;
  /** Why it cannot be. */
  problem?: string;
}

/** A number. */
export interface NumberOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
  /** The same in words. */
  said: string;
  kind: "number";
  /** The same in percent, where it may be a chance; else empty. */
  chance: string;
}

/** Exact odds: every outcome with its weight, or the chance of an event. */
export interface OddsAnswer {
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What is rolled. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** The weight of all outcomes: a whole number, written out. */
  total: string;
  /** Weight cut off by a stated bound. */
  lost: string;
  /** The fields of the outcomes. */
  fields?: string[];
  /** Each outcome with its weight. */
  outcomes?: WeightedOutcome[];
  /** The event. */
  where?: string;
  /** A fraction, written out. */
  chance?: string;
  /** The same as a number. */
  number?: number;
  /** The weight of the event. */
  weight?: string;
}

/** Exact odds. */
export interface OddsOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  kind: "odds";
  /** Of the outcome, or of each of its fields. */
  fields: DistributionDrawn[];
  /** Two of the fields together, where there are two. */
  joint: Joint | null;
  /** What may have been meant otherwise. */
  remarks: HintData[];
}

/** The same with its chance in words, and with that of more and of less. */
export interface OddsRow {
  /** What it comes to, in words. */
  label: string;
  /** A whole number, written out. */
  weight: string;
  /** The part of the total. */
  share: number;
  /** The first value of the row. */
  first?: Plain;
  /** Its chance in percent, in the reader's language. */
  said: string;
  /** It or more, where outcomes have an order. */
  at_least?: ShareData;
  /** It or less, where outcomes have an order. */
  at_most?: ShareData;
}

/** The worth of one more of a number. */
export interface OneMore {
  /** What it is now. */
  from: number;
  /** Its path in the request. */
  field: string;
  /** What people call it. */
  title: string;
  /** One more. */
  to: number;
  /** What the roll is worth then. */
  value: MeasureWorth;
  /** What that changes. */
  change: ExactNumber;
  /** The same in words. */
  said: string;
}

/** The roll waits for somebody to choose. */
export interface OpenChoice {
  step: "choice";
  /** Who chooses, as the rule calls them. */
  by: string;
  /** What may be chosen. */
  options: OptionData[];
  /** What the choice turns on. */
  about: Record<string, Plain> | null;
  /** The choice as a question. */
  question: string;
  /** Where it stands. */
  standing?: string;
  /** The choice as tokens that are handed out. */
  assign?: Record<string, Plain>;
  /** The goal it is about, where the roll's own is settled. */
  aim?: string;
  /** The choice as a number on its way up. */
  ladder?: Record<string, Plain>;
  /** Everybody, where one gives another something. */
  party?: Record<string, Plain>[];
}

/** The roll waits for dice. */
export interface OpenThrow {
  step: "throw";
  /** The dice by name, in the order of their faces. */
  dice: string[];
  /** The dice as data. */
  pool: Plain;
  /** What dice are called, by their names. */
  named?: Record<string, string>;
}

/** An option, what it is worth, and where it leads. */
export interface OptionAdviceData {
  /** The option as data. */
  option: Plain;
  /** Its place among all options, from 0. */
  number: number;
  /** The same in words. */
  said: string;
  /** What it is worth with best play. */
  value: WorthData;
  /** How much less than the best. */
  less: ExactNumber;
  /** Whether nothing is better. */
  best: boolean;
  /** Whether it is better than every other, as far as can be shown. */
  gains: boolean;
  /** Where it leads, in what differs. */
  odds?: FieldData[];
  /** What it costs. */
  costs?: CostData[];
  /** What it puts where, of what is dealt out. */
  puts?: Record<string, number[]>;
}

/** Something that may be chosen. */
export interface OptionData {
  /** The option as data. */
  option: Plain;
  /** The same in words. */
  said: string;
  /** What it comes to. */
  leads?: string;
  /** Whom it names. */
  who?: string;
  /** The dice that it is about: entry and place. */
  dice?: string[];
  /** Where it leads on the ladder. */
  at?: number;
  /** Whom of the party it is for, by place. */
  member?: number;
}

/** An option and what it is worth. */
export interface OptionShown {
  /** The option in words. */
  said: string;
  /** What it is worth with best play. */
  value: WorthData;
  /** Whether nothing is better. */
  best: boolean;
}

/** Something that may be chosen. */
export interface OptionView {
  /** The option as data. */
  option: Plain;
  /** The option in words. */
  said: string | Plain[];
  /** What it comes to. */
  leads?: string | Plain[];
  /** Whom it names: @s3. */
  who?: string;
  /** The dice that it is about: entry and place, 0.1. */
  dice?: string[];
  /** Where it leads on the ladder. */
  at?: number;
  /** Whom of the party it is for, by place. */
  member?: number;
  /** How what it comes to is: great, good, mixed, bad or awful. */
  tone?: string;
}

/** An option and what it is worth. */
export interface OptionWorth {
  /** The option in words. */
  option: string;
  /** A whole number or a fraction, written out. */
  value: string;
}

/** Options of the open choice: worked out by the rules, and sent beside an event of the log. */
export interface OptionsData {
  /** The options; of very many, the first. */
  options: OptionView[];
  /** Why none can be listed. */
  why?: string | Plain[];
}

/** A field of an outcome. */
export interface OutcomeField {
  /** Its name. */
  name: string;
  /** What people call it. */
  title: string;
  /** What it is called where somebody pays for it. */
  cost: string | null;
}

/** A game of a program as a folder that can be installed. */
export interface PackageAnswer {
  /** The folder's name. */
  name: string;
  /** What lies in it. */
  files: PackageFile[];
}

/** A file of a package. */
export interface PackageFile {
  /** Where it lies in the folder. */
  path: string;
  /** What is in it. */
  content: string;
}

/** A place for tokens. */
export interface PlaceView {
  /** Its name. */
  at: string;
  /** Its name in words. */
  label: string | Plain[];
  /** Whether several make one larger thing. */
  stacks?: boolean;
}

/** The way to decide under which a number holds. */
export interface PolicyData {
  /** How choices are made. */
  policy: string;
  /** What it is called. */
  label: string;
}

/** A way to decide. */
export interface PolicyDescription {
  /** What people call it. */
  title: string;
  /** What may follow its name after a colon; empty for nothing. */
  argument: string;
}

/** One line of the best policy, exactly. */
export interface PolicyLine {
  /** Who chooses. */
  by: string;
  /** What the decision turns on. */
  situation: Plain;
  /** What is best. */
  choose: string;
  /** How often it comes to this: a fraction, written out. */
  chance: string;
  /** What each option is worth. */
  options: OptionWorth[];
}

/** One line of the best policy in words. */
export interface PolicyLineText {
  /** How often it comes to this. */
  chance: string;
  /** What to do then. */
  best_call: string;
  /** What the decision turns on. */
  situation: string;
  /** Who chooses, where several do. */
  who?: string;
}

/** The worth of a roll under one way to decide. */
export interface PolicyWorth {
  /** How choices are made. */
  policy: string;
  /** What it is called. */
  label: string;
  /** Of success. */
  chance: MeasureWorth;
  /** What it costs. */
  costs: CostData[];
  /** The chance and when it holds, in words. */
  said: string;
}

/** A roll not made yet: its odds, its costs, the best calls, and what one more is worth. */
export interface PreviewAnswer {
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What is rolled. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** The request; null for an expression. */
  request: Record<string, Plain> | null;
  /** The goals that go with this roll. */
  goals: GoalOption[];
  /** Of success. */
  chance?: MeasureWorth | null;
  /** Under what play all of it holds, where one chooses. */
  play?: PolicyData;
  /** The same under other ways to decide, where one chooses. */
  plays?: PolicyWorth[];
  /** The odds of fields of the outcome. */
  fields?: FieldData[];
  /** What it costs. */
  costs?: CostData[];
  /** The best calls. */
  best?: BestPlayForGoal | null;
  /** What one more is worth. */
  more?: OneMore[];
  /** A curve or a heat map. */
  vary?: CurveData;
}

/** The price paid for rolls, and the average price of those that could be counted. */
export interface PriceData {
  /** The field of the outcome. */
  name: string;
  /** `chance` for what happens or not, `amount` for what is counted. */
  unit: string;
  /** What it is called. */
  said: string | Plain[];
  /** How much, or how often. */
  n: number;
  /** In how many rolls that could cost it. */
  rolls: number;
  /** How many of them could be counted: the rest is about those. */
  counted: number;
  /** How much of it was paid in the counted. */
  counted_n: number;
  /** How much was to be expected in the counted, exactly. */
  expected: string;
}

/** Output that the program printed. */
export interface Printed {
  /** As far as there is room. */
  text: string;
  /** How many characters more there were. */
  left_out: number;
}

/** A problem, with its place, in a sentence. */
export interface ProblemShown {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** bad_syntax, bad_expression, unknown_name, refused, failed, too_much_work, left, anydice. */
  code: string;
  /** One sentence, in the reader's language. */
  message: string;
  /** What would do instead; often nothing. */
  suggestions: string[];
  /** What Python says of it, for who asks. */
  traceback: string;
}

/** The output of a program. */
export interface ProgramAnswer {
  /** What its lines show, in order. */
  outputs: (
    | OddsOutput
    | CompareOutput
    | SweepOutput
    | AdviceOutput
    | RollOutput
    | NumberOutput
    | TextOutput
    | TableOutput
  )[];
  /** The rules in it, with what they take. */
  rules: RuleShown[];
  /** The games in it, which can be asked about by name. */
  games: GameSummary[];
  /** What is wrong with it, in order. */
  problems: ProblemShown[];
  /** What it printed. */
  printed: Printed;
  /** Steps of counting that it took. */
  spent: number;
}

/** Something that the other tool asks before it rolls, which is a name in the dice here. */
export interface PromptData {
  /** The name, for `variables`. */
  name: string;
  /** The question, as it was written. */
  prompt: string;
  /** The number without another; null where one must be given. */
  value: Plain;
  /** What may be chosen, where there is a list. */
  options: PromptOption[];
}

/** A number that may be chosen. */
export interface PromptOption {
  /** What it is called. */
  label: string;
  /** The number; a fraction is written out. */
  value: Plain;
}

/** The part of an event that everybody may see. */
export interface PublicPart {
  /** The next slot of each lane that has a new one. */
  slots?: Record<string, string>;
  /** The witness whose number is waited for. */
  witness?: WitnessRequest;
  /** The seat that did it. */
  by?: string;
  /** The secret roll that it belongs to. */
  roll?: string;
  /** Who sees that roll. */
  visibility?: string;
  /** What that roll waits for. */
  after?: SecretStepData;
}

/** The answer of a game to one of its own questions. */
export interface QuestionAnswer {
  /** Its name. */
  game: string;
  /** What was asked. */
  question: string;
  /** The question in words. */
  title: string;
  /** What to do, in a sentence, where that is asked; else empty. */
  said: string;
  /** How choices are made. */
  policy?: string;
  /** Data of the kind that the question says. */
  answer: Plain;
}

/** A question of a game's own. */
export interface QuestionDescription {
  /** The question in words. */
  title: string;
  /** What it wants to know. */
  arguments: FieldDescription[];
}

/** A session looked back on, as everybody may know it. */
export interface RecapAnswer {
  /** Which one, from 1. */
  session: number;
  /** Whether it has ended. */
  over: boolean;
  /** In milliseconds since 1970. */
  began: number;
  /** In milliseconds since 1970. */
  ended: number;
  /** The seats that rolled. */
  people: string[];
  /** What everybody is called, by seat or sheet. */
  names: Record<string, string>;
  /** How many have ended. */
  rolls: number;
  /** How many were thrown. */
  dice: number;
  /** Of everybody with rolls or calls that came to nothing, or were chosen from. */
  given_up: SeatUnfinishedData[];
  /** What people will tell of. */
  moments: MomentData[];
  /** For everybody whose rolls went well or did not. */
  luck: SeatLuckData[];
  /** What was paid. */
  prices: PriceData[];
  /** The most frequent, without tokens that were handed out. */
  choices: ChoiceCountData[];
  /** What waits for the next time. */
  waits: ReminderData[];
}

/** Something that waits for the next time. */
export interface ReminderData {
  /** The seat or the sheet that it is about. */
  sheet: string;
  /** What. */
  text: string | Plain[];
  /** The thing on the sheet that it is about, if it is one. */
  of: string | Plain[];
  /** Where it stands, if it is a number. */
  value?: Plain | null;
  /** Of how much. */
  most?: number | null;
}

/** Somebody has rolled what was asked for. */
export interface RequestAnsweredEvent {
  /** The seat that did it. */
  by: string;
  /** The ask: a1, a2, … */
  ask: string;
  /** Who answered. */
  seat: string;
  /** The roll. */
  roll: string;
}

/** An ask is over. */
export interface RequestClosedEvent {
  /** The seat that did it. */
  by: string;
  /** The ask: a1, a2, … */
  ask: string;
}

/** Somebody is asked to roll. */
export interface RequestCreatedEvent {
  /** The seat that did it. */
  by: string;
  /** The ask: a1, a2, … */
  ask: string;
  /** The seats that are asked, or `all`. */
  who: string | string[];
  /** What is to be rolled. */
  roll: RollSpecData;
  /** A word about it. */
  note: SealedText | null;
  /** Who will see it. */
  visibility: "open" | "private" | "blind" | "hidden";
  /** Whether the others learn that something is rolled. */
  announce: boolean;
}

/** A roll's subject: an expression, or a request of the game. */
export interface ResolvedRoll {
  /** Dice as they are written. */
  expression?: string;
  /** A roll of the game, whole. */
  request?: Record<string, Plain>;
}

/** A roll: as data to go on with, in words, and what it waits for. */
export interface RollAnswer {
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** The roll, to go on with. */
  transcript: Record<string, Plain>;
  /** What happened. */
  told: string;
  /** What it waits for, or what it came to. */
  step: OpenThrow | OpenChoice | RollEnding;
  /** The dice that were thrown. */
  throws: ThrowData[];
  /** How faces are read: by die, then by face. */
  marks: Record<string, Plain>;
  /** Whose the last throw is, or which turn's. */
  label?: string;
  /** What its dice are called, by their names. */
  named?: Record<string, string>;
  /** How dice lie, by entry and place. */
  lies?: Record<string, string>;
}

/** An open roll was let go. */
export interface RollCancelledEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** Events that are open from now on. */
  opened: number[];
}

/** Somebody chose. */
export interface RollChosenEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** What it waits for then. */
  after: ThrowStepData | ChoiceStepData | EndStepData | FailureStepData;
  /** How many throws and choices came before. */
  index: number;
  /** What was chosen, as data. */
  option: Plain;
  /** What the rule calls whoever chose. */
  role: string;
  /** What was chosen, in words. */
  said: string | Plain[];
  /** Made for the roller, as was agreed. */
  agreed?: true;
}

/** A roll was revealed, or what waited of it was let happen, or not. */
export interface RollDecidedEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** The sheets it was decided for. */
  sheets?: string[];
  /** How many more rolls nobody heard of. */
  unshown?: number;
}

/** A kind of roll with its fields. */
export interface RollDescription {
  /** Its name. */
  roll: string;
  /** What people call it. */
  title: string;
  /** Another one when it comes to something else than before. */
  version: string;
  /** What it is. */
  help: string;
  /** What is decided before the dice are thrown. */
  fields: FieldDescription[];
  /** What it comes to. */
  outcome: OutcomeField[];
  /** The goals that go with it. */
  goals: string[];
}

/** The roll has ended. */
export interface RollEnding {
  step: "done";
  /** What it came to, as data. */
  outcome: Plain;
  /** What it came to, by name. */
  fields: Record<string, Plain>;
  /** What happened. */
  told: string;
  /** In a word; null for dice alone. */
  verdict?: VerdictData | null;
  /** Whether it went well; null where nobody can say. */
  good: boolean | null;
  /** What it does beside its outcome. */
  effects: EffectData[];
}

/** A kind of roll. */
export interface RollKindName {
  /** Its name. */
  roll: string;
  /** What people call it. */
  title: string;
  /** Another one when it comes to something else than before. */
  version: string;
}

/** A roll: its dice, what they were read as, and what it came to or waits for. */
export interface RollOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  kind: "roll";
  /** As the question `roll` answers it. */
  roll: RollAnswer;
}

/** A call was refused after its number was known: nothing was thrown. */
export interface RollRefusedEvent {
  /** The seat that did it. */
  by: string;
  /** The call. */
  call: SignedCommand;
  /** The host's part, which so cannot be used again. */
  key?: string;
  /** Why, for programs. */
  code: string;
  /** Why. */
  why: string | Plain[];
  /** The roll that it was for, if it had begun. */
  roll?: string;
}

/** An ask that is open. */
export interface RollRequestView {
  /** a1, a2, … */
  ask: string;
  /** The seat that asks. */
  by: string;
  /** The seats that are asked, or `all`. */
  who: string | string[];
  /** What is to be rolled. */
  roll: RollSpecData;
  /** A word about it. */
  note: string | null;
  /** Who will see it. */
  visibility: "open" | "private" | "blind" | "hidden";
  /** Whether the others learn that something is rolled. */
  announce: boolean;
  /** Seats with the rolls by which they answered. */
  answered: Record<string, string>;
}

/** A request to roll, and how; the roller decides what it leaves out. */
export interface RollSpecData {
  /** Dice as they are written. */
  expression?: string;
  /** A roll of the game, whole. */
  request?: Record<string, Plain>;
  /** `roll`, `pick` and `set`; a sheet fills in the rest. */
  draft?: Record<string, Plain>;
  /** Seats of the rule with seats of the table. */
  roles?: Record<string, string>;
  /** Whether the dice are real ones. */
  physical?: boolean;
  /** What advice goes by. */
  goal?: string;
  /** The way to decide that is agreed; `ask`, or by name. */
  policy?: string;
}

/** A roll began. */
export interface RollStartedEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** What it waits for then. */
  after: ThrowStepData | ChoiceStepData | EndStepData | FailureStepData;
  /** What is rolled. */
  what: ResolvedRoll;
  /** What is rolled, in a few words. */
  title: string | Plain[];
  /** The hash of how faces are read. */
  marks?: string;
  /** The sheet that it is rolled with; empty without one. */
  sheet: string;
  /** Who sees it. */
  visibility: "open" | "private" | "blind" | "hidden";
  /** Whether the others learn that something is rolled. */
  announce: boolean;
  /** A word about it. */
  note: SealedText | null;
  /** Seats of the rule with seats of the table. */
  roles: Record<string, string>;
  /** The ask that it answers; empty without one. */
  ask: string;
  /** Whether the dice are real ones. */
  physical: boolean;
  /** What advice goes by. */
  goal: string;
  /** The way to decide that was agreed; `ask`, or by name. */
  policy?: string;
  /** Whether whoever asked for the roll said so. */
  bound?: true;
  /** Whether people throw the dice that are theirs. */
  each?: true;
  /** Those of them whose dice are thrown for them. */
  away?: string[];
  /** The roll that is rolled again by it. */
  again?: string;
  /** Of the rule. */
  version: string;
  /** What was said: `roll`, `pick` and `set`. */
  draft?: Record<string, Plain>;
}

/** The last entry was taken back. */
export interface RollTakenBackEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** What it waits for then. */
  after: ThrowStepData | ChoiceStepData | EndStepData | FailureStepData;
  /** Its place. */
  index: number;
  /** What it was. */
  taken: "faces" | "choice";
}

/** Dice were thrown, or typed. */
export interface RollThrownEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** What it waits for then. */
  after: ThrowStepData | ChoiceStepData | EndStepData | FailureStepData;
  /** Whose dice or which turn's, in words. */
  label?: string | Plain[];
  /** What dice are called, by their names. */
  named?: Record<string, string | Plain[]>;
  /** How dice lie, by entry and place: counts, dropped, kept, again. */
  lies?: Record<string, string>;
  /** How many throws and choices came before. */
  index: number;
  /** A face for each die. */
  faces: Plain[];
  /** The dice by name, in the same order. */
  dice: string[];
  /** The dice as data. */
  pool: Plain;
  /** Whether the table threw. */
  how: "fair" | "typed";
  /** What proves it. */
  fair: FairThrow | null;
  /** Whose dice, where several people throw. */
  whose?: string;
}

/** A roll counts no more. */
export interface RollUndoneEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** Why. */
  why: SealedText | null;
}

/** Notice of what is waited for, after a throw that was hidden from the seat that goes on. */
export interface RollWaitingEvent {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What was sent for it, where this is what was asked for. */
  call?: SignedCommand;
  /** At its end, keys that were kept closed: by their calls. */
  keys?: Record<string, string>;
  /** What it waits for then. */
  after: ThrowStepData | ChoiceStepData | EndStepData | FailureStepData;
}

/** One thing that a field comes to, or several that are shown together. */
export interface RowData {
  /** What it comes to, in words. */
  label: string;
  /** A whole number, written out. */
  weight: string;
  /** The part of the total. */
  share: number;
  /** The first value of the row. */
  first?: Plain;
}

/** A rule of the program. */
export interface RuleShown {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** Its name. */
  name: string;
  /** What it is, in its own words. */
  told: string;
  /** What it takes. */
  arguments: ArgumentShown[];
  /** The arguments that have no value yet. */
  missing: string[];
  /** The arguments that can be moved: two of them make a heat map. */
  numbers: string[];
  /** The fields of what comes of it; empty for a number or a word. */
  outcome: string[];
  /** Whether somebody chooses in it, as far as it was counted. */
  chooses: boolean;
  /** Why it was not counted, in a sentence; empty where it was. */
  needs: string;
  /** The request that asks about it: for `roll`, `find`, `map` and so on. */
  request: Record<string, Plain> | null;
  /** How choices may be made, by name. */
  policies: string[];
  /** What may count, by name. */
  goals: string[];
}

/** A line of the rulebook in our own words. */
export interface RulebookLine {
  /** Its number, as tests cite it. */
  line: string;
  /** What it says. */
  text: string;
  /** Whether it is advice to people. */
  guidance: boolean;
}

/** A number that has a name. */
export interface RungView {
  /** The number. */
  at: number;
  /** Its name. */
  label: string | Plain[];
}

/** A text in an event by reference: the text is stored beside it, and can be erased. */
export interface SealedText {
  /** Where it lies in `texts`. */
  text: string;
  /** Its salted hash. */
  seal: string;
}

/** The field that is searched. */
export interface SearchData {
  /** Its path in the request, or a name in dice. */
  field: string;
  /** What people call it. */
  title: string;
}

/** A seat was let in or removed, or its person forgotten. */
export interface SeatEvent {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
}

/** Somebody sat down, or knocks. */
export interface SeatJoinedEvent {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** Whose it is. */
  name: SealedText | null;
  /** What it may do. */
  role: "referee" | "player" | "spectator";
  /** Whether it is let in. */
  status: "here" | "knocking" | "removed";
  /** Their device, if it signs. */
  device?: DeviceData;
}

/** How often somebody's rolls went well, and how often that was expected of the counted ones. */
export interface SeatLuckData {
  /** Whose. */
  seat: string;
  /** How many went well or did not. */
  rolls: number;
  /** How many of them went well. */
  good: number;
  /** How many of them could be counted: the rest is about those. */
  counted: number;
  /** How many of the counted went well. */
  counted_good: number;
  /** How many of the counted were to be expected to, exactly. */
  expected: string;
  /** The share of evenings that go at least as well, exactly. */
  at_least: string;
  /** The share of evenings that go at most as well, exactly. */
  at_most: string;
}

/** A seat goes on from another device. */
export interface SeatMovedEvent {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** Whether its other devices stay good. */
  keep_old: boolean;
  /** The device, if it signs. */
  device?: DeviceData;
  /** By which device, if one signed it. */
  call?: SignedCommand;
}

/** A seat has another name. */
export interface SeatRenamedEvent {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** Whose it is. */
  name: SealedText | null;
}

/** A seat has another role. */
export interface SeatRoleChangedEvent {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** What it may do. */
  role: "referee" | "player" | "spectator";
}

/** The look of a seat and its dice. */
export interface SeatStyleData {
  /** Its colour; empty for that of its place. */
  colour: "" | "green" | "orange" | "violet" | "olive" | "blue" | "red" | "amber" | "pink";
  /** What stands for it; empty for its letters. */
  symbol:
    | ""
    | "star"
    | "crown"
    | "skull"
    | "bolt"
    | "heart"
    | "compass"
    | "flag"
    | "clover"
    | "wrench"
    | "bullet"
    | "hourglass"
    | "burst";
  /** What it throws with; empty for the dice of the game. */
  dice: "" | "own" | "bone" | "coal" | "brass" | "glass";
}

/** A seat looks otherwise, and so do its dice. */
export interface SeatStyledEvent {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** What it looks like. */
  look: SeatStyleData;
}

/** The same of one seat. */
export interface SeatUnfinishedData {
  /** Given up before their end. */
  rolls: number;
  /** How many of them after dice had been seen. */
  after_dice: number;
  /** Begun as another roll once more. */
  again: number;
  /** Taken back by a referee. */
  undone: number;
  /** Calls that the table refused. */
  refused: number;
  /** Calls that the table never answered. */
  unanswered: number;
  /** Left open: nobody has ended them. */
  open: number;
  /** How many of them with dice that had been seen. */
  open_after_dice: number;
  /** Secret rolls that were not shown, where others of theirs were. */
  secret: number;
  /** Whose. */
  seat: string;
}

/** A seat at the table. */
export interface SeatView {
  /** s1, s2, … */
  seat: string;
  /** What it may do. */
  role: "referee" | "player" | "spectator";
  /** Whether it is let in. */
  status: "here" | "knocking" | "removed";
  /** Whose it is; null where that was erased. */
  name: string | null;
  /** What it looks like, where somebody chose that. */
  look?: SeatStyleData;
}

/** The step at which a secret roll waits. */
export interface SecretStepData {
  /** `throw`, `choice`, `done` or `stopped`. */
  step: string;
  /** Whose turn it is. */
  by?: string | string[];
}

/** The fields that move a roll, the strongest first. */
export interface SensitivityAnswer {
  /** What may have been meant otherwise. */
  remarks?: HintData[];
  /** What was rolled, where it came in the spelling of a tool. */
  translation?: TranslationData;
  /** What dice out of a chat mean in the tools of such chats. */
  readings?: InterpretationData[];
  /** What is rolled. */
  title: string;
  /** How choices are made. */
  policy: string;
  /** The largest share that a stated bound cut off: numbers are at least so. */
  lost?: WorthData;
  /** What counts: its title, and by what. */
  measure: MeasureData;
  /** What it is now. */
  now: WorthData;
  /** Of changes: percentage points, or the goal's own. */
  unit: string;
  /** What moves it. */
  rows: FieldMoves[];
  /** How many are not listed. */
  left_out: number;
}

/** A session is over. */
export interface SessionEndedEvent {
  /** The seat that did it. */
  by: string;
  /** Which, from 1. */
  number: number;
  /** Of the game's sheets. */
  version: string;
}

/** One setting of a house rule. */
export interface SettingDescription {
  /** The setting. */
  value: Plain;
  /** The same in words. */
  said: string;
  /** What it means. */
  text: string;
}

/** A part of all that can come. */
export interface ShareData {
  /** A whole number, written out. */
  weight: string;
  /** The part of the total. */
  share: number;
  /** The same in percent, in the reader's language. */
  said: string;
}

/** A sheet has changed. */
export interface SheetChangedEvent {
  /** The seat that did it. */
  by: string;
  /** The sheet. */
  sheet: string;
  /** The fields that changed. */
  changes: Record<string, FieldChange>;
  /** What changed it. */
  cause: ChangeCause;
}

/** A sheet was made. */
export interface SheetCreatedEvent {
  /** The seat that did it. */
  by: string;
  /** The sheet. */
  sheet: string;
  /** The seat that owns it, or `referee`. */
  owner: string;
  /** What stands on it. */
  values: Record<string, Plain>;
  /** Whether everybody sees it. */
  shown: boolean;
  /** Of the game's sheets. */
  version: string;
}

/** A sheet. */
export interface SheetData {
  /** The seat whose it is, or n1, n2, … of the referees'. */
  sheet: string;
  /** The seat that owns it; `referee` for those of the referees. */
  owner: string;
  /** Whether everybody sees it. */
  shown: boolean;
  /** What stands on it. */
  values: Record<string, Plain>;
}

/** The sheet of a game, or what its tables share. */
export interface SheetDescription {
  /** What it is. */
  help: string;
  /** What stands on it. */
  fields: FieldDescription[];
}

/** An effect of a roll beside its outcome. */
export interface SheetEffectData {
  /** The kind of effect. */
  kind: string;
  /** How much of it. */
  amount: Plain;
  /** What on a sheet it is for. */
  target: string;
  /** The effect in words. */
  said: string | Plain[];
  /** The sheet that it is for; empty where there is none. */
  sheet: string;
  /** Whether it has changed the sheet. */
  applied: boolean;
  /** Nobody wants to hear of it. */
  quiet?: true;
  /** Somebody has to let it happen. */
  waits?: true;
  /** Why it was not done to the sheet. */
  why?: string | Plain[];
}

/** A sheet as widgets, with its values and what was done to it. */
export interface SheetKept {
  /** By which it is known again. */
  hash: string;
  /** What it is shown with. */
  widgets: Record<string, Plain>[];
  /** All of its fields, to be asked with next time. */
  values: Record<string, Plain>;
  /** What the roll did to it. */
  effects: EffectDone[];
}

/** A sheet was taken away. */
export interface SheetRemovedEvent {
  /** The seat that did it. */
  by: string;
  /** The sheet. */
  sheet: string;
}

/** A call for dice; signed as a whole if the seat has a device. */
export interface SignedCommand {
  /** The slot that it spends; empty where nothing can be thrown. */
  slot: string;
  /** The caller's part in the dice; empty where there is none. */
  number: string;
  /** Whose call it is, where nobody signed it. */
  seat?: string;
  /** The device that signed it: d1, d2, … */
  device?: string;
  /** The device's own, or `table` where nobody is to know. */
  lane?: string;
  /** Which call of the device in that lane it is. */
  counter?: number;
  /** The last event that the device had seen. */
  seen?: number;
  /** The first 32 digits of the hash of that event. */
  head?: string;
  /** The command, with seals in the place of texts. */
  command?: Record<string, Plain>;
  /** By the device, over the hash of all this. */
  signature?: string;
}

/** The table as a seat sees it; with a link to join by, its door. */
export interface SnapshotAnswer {
  /** Null for somebody who watches. */
  you?: YouData | null;
  /** The number of the last event. */
  head?: number;
  /** The hash of the last event. */
  hash?: string;
  /** The seats that are connected. */
  connected?: string[];
  /** The table itself. */
  table?: TableView;
  /** Everybody who ever sat down. */
  seats?: SeatView[];
  /** Which session it is, from 1. */
  session?: number;
  /** The sheets that you may see. */
  sheets?: SheetData[];
  /** The asks that are open. */
  asks?: RollRequestView[];
  /** Events of open rolls. */
  rolls?: Record<string, EventView[]>;
  /** The latest events. */
  recent?: EventView[];
  /** With a link to join by, only this. */
  door?: InviteView;
}

/** One thing that is spelled otherwise here. */
export interface SpellingChangeData {
  /** As it was written. */
  before: string;
  /** As it is written here; empty where it is left out. */
  after: string;
  /** Why. */
  why: string;
}

/** How far numbers lie from their average: the standard deviation, which is seldom exact. */
export interface Spread {
  /** As a number. */
  number: number;
  /** The same in words. */
  said: string;
  /** Its square, exactly. */
  variance: string;
}

/** Faces and luck, observed against expected, with a verdict. */
export interface StatisticsAnswer {
  /** Of each seat. */
  seats: ThrowerData[];
  /** Of all together. */
  table: ThrowerData;
  /** How many comparisons were made. */
  compared: number;
  /** Throws of secret rolls that were announced: they do not count. */
  unseen: number;
  /** How to read it. */
  caution: string;
}

/** An addition. */
export interface SumView {
  /** The dice, then what else counts, by name. */
  terms: (string | Plain[])[];
  /** What all of it makes. */
  total: number;
}

/** One number for every value of one thing, as a line, or of two, as a heat map. */
export interface SweepOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  /** The picture, which needs nothing else. */
  svg: string;
  /** The exact numbers, for a spreadsheet. */
  csv: string;
  kind: "sweep";
  /** What people call it. */
  title: string;
  /** What was moved: one or two. */
  axes: AxisData[];
  /** The last axis runs fastest. */
  cells: SweptCell[];
  /** What a stated bound has cut off, in a sentence; else empty. */
  cut: string;
}

/** The measure at one place. */
export interface SweptCell {
  /** One of each axis. */
  values: Plain[];
  /** What was measured there. */
  worth: WorthData;
}

/** A table that was made, now or when its id was first sent. */
export interface TableAnswer {
  ok: true;
  /** Its id. */
  table: string;
  /** Your seat. */
  seat: string;
}

/** A change of the table's properties; those that stay are left out. */
export interface TableChangedEvent {
  /** The seat that did it. */
  by: string;
  /** All its house rules. */
  house?: Record<string, Plain>;
  /** Whether a referee lets each newcomer in. */
  knock?: boolean;
  /** Lists of its own. */
  lists?: Plain;
  /** The tool whose spelling dice have; empty for ours. */
  dialect?: string;
  /** What it is called. */
  title?: SealedText | null;
  /** Whether dice wait for somebody else's number. */
  witnesses?: boolean;
}

/** A table was made. */
export interface TableCreatedEvent {
  /** The seat that did it. */
  by: string;
  /** Its id. */
  table: string;
  /** How its log is written. */
  format: number;
  /** The version that made it. */
  rollwright: string;
  /** The name of its game; empty for dice alone. */
  game: string;
  /** All its house rules. */
  house: Record<string, Plain>;
  /** Whether a referee lets each newcomer in. */
  knock: boolean;
  /** Lists of its own. */
  lists: Plain;
  /** What it is called. */
  title: SealedText | null;
  /** The commitment by which it can go on elsewhere. */
  handover: string;
  /** Whether dice wait for somebody else's number. */
  witnesses?: boolean;
}

/** The table goes on at another host, or as a copy. */
export interface TableImportedEvent {
  /** The seat that did it. */
  by: string;
  /** The last event that came from elsewhere. */
  from_seq: number;
  /** The version that goes on with it. */
  rollwright: string;
  /** The commitment by which it can go on elsewhere. */
  handover: string;
  /** Whether the host made a copy. */
  copy?: true;
}

/** Numbers and words in rows. */
export interface TableOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  kind: "table";
  /** What the columns are. */
  head: string[];
  /** Row by row. */
  rows: string[][];
  /** The same for a spreadsheet. */
  csv: string;
}

/** The table itself; somebody at the door gets less. */
export interface TableView {
  /** Its id. */
  table: string;
  /** The name of its game; empty for dice alone. */
  game: string;
  /** What it is called. */
  title: string | null;
  /** Whether a referee lets each newcomer in. */
  knock: boolean;
  /** The number of the last event. */
  head: number;
  /** The hash of the last event. */
  hash: string;
  /** Its house rules. */
  house?: Record<string, Plain>;
  /** Lists of its own. */
  lists?: Plain;
  /** The tool whose spelling dice have; empty for ours. */
  dialect?: string;
  /** The hash of the event that its slots began with. */
  epoch?: string;
  /** The slot of each lane. */
  slots?: Record<string, string>;
  /** The devices that sign calls. */
  devices?: DeviceView[];
  /** Whether dice wait for somebody else's number. */
  witnesses?: boolean;
  /** Your own numbers that wait to be asked for. */
  offers?: string[];
  /** When the link of a role was made. */
  links?: Record<string, number>;
}

/** A text of an event. */
export interface TextData {
  /** What its seal was made with. */
  salt: string;
  /** The text. */
  text: string;
}

/** Anything else, as it says itself. */
export interface TextOutput {
  /** The line that it begins in. */
  line: number;
  /** The column that it begins at. */
  column: number;
  /** The line that it ends in. */
  end_line: number;
  /** The column behind its end. */
  end_column: number;
  /** What it is called: its name, the note above it, or as it is written. */
  name: string;
  /** The rule it is of, where nobody wrote a line for it; else empty. */
  rule: string;
  kind: "text";
  /** As it says itself. */
  text: string;
}

/** Dice that were thrown. */
export interface ThrowData {
  /** The dice as data. */
  pool: Plain;
  /** What they show. */
  faces: Plain[];
  /** Whose they are, or which turn's. */
  label?: string;
  /** What dice are called, by their names. */
  named?: Record<string, string>;
}

/** The roll waits for dice. */
export interface ThrowStepData {
  step: "throw";
  /** The dice by name, in the order of their faces. */
  dice: string[];
  /** The dice as data. */
  pool: Plain;
  /** Who throws. */
  by: string;
  /** How many throws and choices came before. */
  index: number;
  /** What they throw, where somebody throws for themselves. */
  said?: string | Plain[];
  /** What dice are called, by their names. */
  named?: Record<string, string | Plain[]>;
  /** The seat whose number the dice wait for. */
  witness?: string;
}

/** The dice that one seat threw, or the whole table. */
export interface ThrowerData {
  /** The seat; empty for the table. */
  seat: string;
  /** Whose it is. */
  name: string;
  /** Each kind of die. */
  dice: DieCountData[];
  /** How high the faces were. */
  luck: LuckData;
  /** Rolls and calls that came to nothing, or were chosen from. */
  given_up: UnfinishedTextData;
}

/** An expression of another tool in our spelling. */
export interface TranslationData {
  /** The tool by name. */
  dialect: string;
  /** What people call it. */
  title: string;
  /** The same in our spelling. */
  expression: string;
  /** What is spelled otherwise, and why. */
  changes: SpellingChangeData[];
  /** What the tool asks for. */
  queries: PromptData[];
}

/** The same in words. */
export interface UnfinishedTextData {
  /** Given up before their end. */
  rolls: number;
  /** How many of them after dice had been seen. */
  after_dice: number;
  /** Begun as another roll once more. */
  again: number;
  /** Taken back by a referee. */
  undone: number;
  /** Calls that the table refused. */
  refused: number;
  /** Calls that the table never answered. */
  unanswered: number;
  /** Left open: nobody has ended them. */
  open: number;
  /** How many of them with dice that had been seen. */
  open_after_dice: number;
  /** Secret rolls that were not shown, where others of theirs were. */
  secret: number;
  /** In a sentence; empty where there was none. */
  said: string;
}

/** A value that cannot be. */
export interface ValueErrorData {
  /** The value. */
  value: Plain;
  /** Why. */
  problem: string;
}

/** A value that was tried. */
export interface ValueWorthData {
  /** The value. */
  value: Plain;
  /** The same in words. */
  said: string;
  /** What the roll is worth with it. */
  worth: WorthData;
  /** How far that is from the target. */
  off: ExactNumber;
  /** Whether it is at least the target. */
  reaches: boolean;
}

/** The verdict on a roll, in a word. */
export interface VerdictData {
  /** great, good, mixed, bad, awful, or even. */
  tone: string;
  /** In a word. */
  word?: string;
  /** What belongs to it. */
  detail?: string[];
  /** What it has cost. */
  paid?: string[];
}

/** The result of a roll, to be read across the table. */
export interface VerdictView {
  /** In a word. */
  word?: string | Plain[];
  /** great, good, mixed, bad, awful, or even. */
  tone: string;
  /** What belongs to it. */
  detail?: (string | Plain[])[];
  /** What it has cost. */
  paid?: (string | Plain[])[];
}

/** Whether it is true; where it is not, what is wrong. */
export interface VerifyAnswer {
  /** Whose copy of the log it is. */
  for?: string;
  /** Null where not all of it could be checked here. */
  true: boolean | null;
  /** The same in a word. */
  verdict: "true" | "partly" | "false";
  /** Of a roll: whether it is done. */
  state?: "done" | "open";
  /** What happened. */
  told?: string;
  /** Where it is wrong. */
  place?: string;
  /** What is wrong. */
  problem?: string;
  /** The table of a log. */
  table?: string;
  /** The hash of the last event. */
  head?: string;
  /** What was checked. */
  checked?: Record<string, number>;
  /** What could not be. */
  unchecked?: Record<string, number>;
  /** What is wrong with a log. */
  problems?: LogProblem[];
  /** How many problems are not listed. */
  more?: number;
  /** Games whose rules are not here, or here in another version. */
  not_here?: string[];
  /** The same in words. */
  said?: string[];
}

/** An outcome with its weight. */
export interface WeightedOutcome {
  /** The outcome, by its fields where it has some. */
  value: Plain;
  /** A whole number, written out. */
  weight: string;
}

/** Somebody has numbers ready that later throws may wait for. */
export interface WitnessCommittedEvent {
  /** The seat that did it. */
  by: string;
  /** The commitments to them; the numbers stay on the device. */
  commitments: string[];
  /** By which device, if one signed it. */
  call?: SignedCommand;
}

/** Whose number the dice of a call wait for. */
export interface WitnessRequest {
  /** The witness. */
  seat: string;
  /** The commitment that is to be opened. */
  offer: string;
}

/** A witness opens the number that was asked for. */
export interface WitnessRevealedEvent {
  /** The seat that did it. */
  by: string;
  /** The event that asked for it. */
  asked: number;
  /** The number. */
  number: string;
  /** By which device, if one signed it. */
  call?: SignedCommand;
}

/** A witness did not answer in time, as the host says. */
export interface WitnessTimedOutEvent {
  /** The seat that did it. */
  by: string;
  /** The event that asked. */
  asked: number;
  /** The witness. */
  seat: string;
}

/** The worth of something: a chance, or a number. */
export interface WorthData {
  /** A whole number or a fraction, written out. */
  exact: string;
  /** The same as a number. */
  number: number;
  /** The same in words. */
  said: string;
  /** Whether it is a chance, which is said in percent. */
  chance: boolean;
}

/** Who somebody is at a table. */
export interface YouData {
  /** The seat: s1, s2, … */
  seat: string;
  /** What it is at the table. */
  role: "referee" | "player" | "spectator";
  /** Whether it is let in. */
  status: "here" | "knocking" | "removed";
}

/** What each kind of event holds. */
export interface EventBodies {
  "table.created": TableCreatedEvent;
  "table.changed": TableChangedEvent;
  "table.imported": TableImportedEvent;
  "link.changed": LinkChangedEvent;
  "seat.joined": SeatJoinedEvent;
  "seat.admitted": SeatEvent;
  "seat.removed": SeatEvent;
  "seat.moved": SeatMovedEvent;
  "person.erased": SeatEvent;
  "seat.renamed": SeatRenamedEvent;
  "seat.role_changed": SeatRoleChangedEvent;
  "seat.styled": SeatStyledEvent;
  "roll.started": RollStartedEvent;
  "roll.thrown": RollThrownEvent;
  "roll.chosen": RollChosenEvent;
  "roll.waiting": RollWaitingEvent;
  "roll.called": RollWaitingEvent;
  "roll.refused": RollRefusedEvent;
  "roll.taken_back": RollTakenBackEvent;
  "roll.revealed": RollDecidedEvent;
  "roll.applied": RollDecidedEvent;
  "roll.declined": RollDecidedEvent;
  "roll.undone": RollUndoneEvent;
  "roll.cancelled": RollCancelledEvent;
  "sheet.created": SheetCreatedEvent;
  "sheet.changed": SheetChangedEvent;
  "sheet.removed": SheetRemovedEvent;
  "roll_request.created": RequestCreatedEvent;
  "roll_request.answered": RequestAnsweredEvent;
  "roll_request.closed": RequestClosedEvent;
  "chat.sent": ChatSentEvent;
  "witness.committed": WitnessCommittedEvent;
  "witness.revealed": WitnessRevealedEvent;
  "witness.timed_out": WitnessTimedOutEvent;
  "session.ended": SessionEndedEvent;
}

/** The fields of each command. */
export interface Commands {
  "table.change": {
    house?: Record<string, Plain> | null;
    knock?: boolean | null;
    title?: string | null;
    lists?: Plain | null;
    witnesses?: boolean | null;
    dialect?: string | null;
  };
  "link.rotate": { role: "referee" | "player" | "spectator"; token_hash: string };
  "seat.admit": { seat: string };
  "seat.refuse": { seat: string };
  "seat.remove": { seat?: string };
  "seat.rename": { seat?: string; name: string };
  "seat.style": {
    seat?: string;
    colour?: "" | "green" | "orange" | "violet" | "olive" | "blue" | "red" | "amber" | "pink";
    symbol?:
      | ""
      | "star"
      | "crown"
      | "skull"
      | "bolt"
      | "heart"
      | "compass"
      | "flag"
      | "clover"
      | "wrench"
      | "bullet"
      | "hourglass"
      | "burst";
    dice?: "" | "own" | "bone" | "coal" | "brass" | "glass";
  };
  "seat.move": { seat?: string; token_hash: string; keep_old?: boolean; key?: string; held?: string };
  "seat.change_role": { seat: string; role: "referee" | "player" | "spectator" };
  "person.erase": { seat?: string };
  "sheet.create": { sheet?: string; values?: Record<string, Plain> | null; shown?: boolean };
  "sheet.change": { sheet: string; why?: string; values: Record<string, Plain> };
  "sheet.change_item": {
    sheet: string;
    why?: string;
    list: string;
    before?: Record<string, Plain> | null;
    after?: Record<string, Plain> | null;
  };
  "sheet.remove": { sheet: string };
  "sheet.apply_effect": { sheet: string; why?: string; kind: string; amount?: Plain; target?: string };
  "sheet.undo": { seq: number; why?: string };
  "roll.start": {
    expression?: string | null;
    dialect?: string;
    request?: Record<string, Plain> | null;
    draft?: Record<string, Plain> | null;
    visibility?: "open" | "private" | "blind" | "hidden" | null;
    announce?: boolean;
    roles?: Record<string, string> | null;
    physical?: boolean;
    goal?: string;
    policy?: string;
    note?: string;
    sheet?: string;
    ask?: string;
    each?: boolean;
    away?: string[];
    nonce?: string;
  };
  "roll.reveal": { roll: string };
  "roll.apply": { roll: string; sheet?: string };
  "roll.decline": { roll: string; sheet?: string };
  "roll.cancel": { roll: string };
  "roll.undo": { roll: string; why?: string };
  "roll.repeat": { roll: string; nonce?: string };
  "roll.enter": { roll: string; index?: number | null; faces: Plain[] };
  "roll.throw": { roll: string; index?: number | null; nonce?: string };
  "roll.choose": {
    roll: string;
    index?: number | null;
    nonce?: string;
    option?: Plain | null;
    number?: number | null;
    puts?: Record<string, Plain> | null;
    anyway?: boolean;
  };
  "roll.take_back": { roll: string; index?: number | null };
  "chat.send": { text: string; to?: "all" | string[] };
  "witness.commit": { commitments: string[] };
  "witness.reveal": { asked: number; number: string };
  "session.end": { keep_open?: boolean };
  "roll_request.create": {
    expression?: string | null;
    dialect?: string;
    request?: Record<string, Plain> | null;
    draft?: Record<string, Plain> | null;
    visibility?: "open" | "private" | "blind" | "hidden" | null;
    announce?: boolean;
    roles?: Record<string, string> | null;
    physical?: boolean;
    goal?: string;
    policy?: string;
    note?: string;
    who: "all" | string[];
  };
  "roll_request.close": { ask: string };
}

/** Something to be done at the table. */
export type Command = { [Do in keyof Commands]: { do: Do } & Commands[Do] }[keyof Commands];
