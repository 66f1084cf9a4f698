// Made by ./dev docs from the fields that the server reads and writes: not to be changed by hand.
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };

/** A command that is committed, with the events it made as its seat sees them. */
export interface Ack {
  ok: true;
  /** The command's. */
  id: string;
  /** Its first event; null where nothing had to be written. */
  first: number | null;
  /** Its last event. */
  last: number | null;
  /** Its events, and those that it opened. */
  events: Seen[];
}

/** Somebody has rolled what was asked for. */
export interface AskAnswered {
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
export interface AskClosed {
  /** The seat that did it. */
  by: string;
  /** The ask: a1, a2, … */
  ask: string;
}

/** Somebody is asked to roll. */
export interface AskMade {
  /** The seat that did it. */
  by: string;
  /** The ask: a1, a2, … */
  ask: string;
  /** The seats that are asked, or `all`. */
  who: string | string[];
  /** What is to be rolled. */
  roll: Asked;
  /** A word about it. */
  note: SealedText | null;
  /** Who will see it. */
  visibility: "open" | "private" | "blind" | "hidden";
  /** Whether the others learn that something is rolled. */
  announce: boolean;
}

/** An ask that is open. */
export interface AskSeen {
  /** a1, a2, … */
  ask: string;
  /** The seat that asks. */
  by: string;
  /** The seats that are asked, or `all`. */
  who: string | string[];
  /** What is to be rolled. */
  roll: Asked;
  /** A word about it. */
  note: string | null;
  /** Who will see it. */
  visibility: "open" | "private" | "blind" | "hidden";
  /** Whether the others learn that something is rolled. */
  announce: boolean;
  /** Seats with the rolls by which they answered. */
  answered: Record<string, string>;
}

/** What somebody is asked to roll, and how; what is not said is theirs to say. */
export interface Asked {
  /** Dice as they are written. */
  expression?: string;
  /** A roll of the game, whole. */
  request?: Record<string, Plain>;
  /** `roll`, and what the sheet does not fill in. */
  from_sheet?: Record<string, Plain>;
  /** Seats of the rule with seats of the table. */
  roles?: Record<string, string>;
  /** Whether the dice are real ones. */
  physical?: boolean;
  /** What advice goes by. */
  goal?: string;
}

/** What changed a sheet: a roll, somebody's hand, an undo, or a new session. */
export interface Cause {
  /** The roll. */
  roll?: string;
  /** Somebody did it by hand. */
  hand?: true;
  /** The change that was taken back. */
  undo?: number;
  /** The session that ended. */
  session?: number;
  /** By which effects. */
  effects?: EffectSaid[];
  /** Why. */
  why?: SealedText | null;
  /** Fields that could not be taken back. */
  left?: string[];
}

/** One kind of die, as often as it showed each face. */
export interface DieSeen {
  /** Its name. */
  die: string;
  /** fair, or typed in from real dice. */
  how: string;
  /** How often it was thrown. */
  throws: number;
  /** Of dice with very many sides, those that came. */
  faces: FaceSeen[];
  /** How often fair dice are at least as uneven; null for too few. */
  p: number | null;
  /** What that means. */
  verdict: string;
}

/** A field of a sheet as it was and as it is. */
export interface Difference {
  /** As it was. */
  before: Plain;
  /** As it is. */
  after: Plain;
}

/** A table as a link to join by shows it. */
export interface Door {
  /** Its id. */
  table: string;
  /** What one joins as. */
  role: "referee" | "player" | "spectator";
  /** The name of its game; empty for dice alone. */
  game: string;
  /** What it is called. */
  title: string | null;
  /** Whether a referee lets each newcomer in. */
  knock: boolean;
}

/** What a roll does beside its outcome. */
export interface EffectSaid {
  /** The kind of effect. */
  kind: string;
  /** How much of it. */
  amount: Plain;
  /** What on a sheet it is for. */
  target: string;
  /** The effect in words. */
  said: string;
  /** The sheet that it is for; empty where there is none. */
  sheet: string;
  /** Whether it has changed the sheet. */
  applied: boolean;
  /** Nobody wants to hear of it. */
  quiet?: true;
  /** Somebody has to let it happen. */
  waits?: true;
  /** Why it did not go with the sheet. */
  why?: string;
}

/** The roll is done. */
export interface Ended {
  /** What it came to, as data. */
  outcome: Plain;
  /** What it came to, by name. */
  fields: Record<string, Plain>;
  /** What happened, in one sentence. */
  told: string;
  /** Whether it went well; null where nobody can say. */
  good: boolean | null;
  step: "done";
  /** What it does beside its outcome. */
  effects: EffectSaid[];
  /** Events that are open from now on. */
  opened: number[];
  /** Sheets on which something waits. */
  waits?: string[];
}

/** Why something was not done. */
export interface Error {
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
  /** What kind of mistake an expression holds. */
  slip?: string;
  /** Expressions that would do. */
  suggestions?: string[];
  /** The names that there are. */
  known?: string[];
  /** Which of the faces it is about. */
  face?: number;
  /** Milliseconds to wait. */
  wait?: number;
}

/** A part of the log as a seat sees it. */
export interface Events {
  /** The number of the last event of the table. */
  head: number;
  /** The part, and what it opened. */
  events: Seen[];
}

/** A face of a die. */
export interface FaceSeen {
  /** As it is written. */
  face: string;
  /** How often it came. */
  seen: number;
  /** How often it was to be expected. */
  expected: number;
}

/** What proves a throw of the table. */
export interface FairThrow {
  /** Which of the table's fair throws it is. */
  number: number;
  /** The host's part. */
  key: string;
  /** The part of whoever threw. */
  nonce: string;
  /** Somebody else's part. */
  witness: Witness | null;
}

/** A seat that was taken. */
export interface Joined {
  ok: true;
  /** Your seat: s1, s2, … */
  seat: string;
  /** What you are at the table. */
  role: "referee" | "player" | "spectator";
  /** Whether a referee has to let you in first. */
  status: "here" | "knocking" | "removed";
}

/** A role has a new link. */
export interface LinkChanged {
  /** The seat that did it. */
  by: string;
  /** The role. */
  role: "referee" | "player" | "spectator";
}

/** A whole log as a seat sees it, to be kept, verified or imported. */
export interface Log {
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
  events: Seen[];
}

/** The table as a seat sees it; with a link to join by, its door. */
export interface Looked {
  /** Null for somebody who watches. */
  you?: You | null;
  /** The number of the last event. */
  head?: number;
  /** The hash of the last event. */
  hash?: string;
  /** The seats that are connected. */
  connected?: string[];
  /** The table itself. */
  table?: TableSeen;
  /** Everybody who ever sat down. */
  seats?: SeatSeen[];
  /** Which session it is, from 1. */
  session?: number;
  /** The sheets that you may see. */
  sheets?: SheetSeen[];
  /** The asks that are open. */
  asks?: AskSeen[];
  /** Events of open rolls. */
  rolls?: Record<string, Seen[]>;
  /** The latest events. */
  recent?: Seen[];
  /** With a link to join by, only this. */
  door?: Door;
}

/** How high the faces were, each measured by what its die does on average. */
export interface Luck {
  /** How many. */
  throws: number;
  /** The share who roll lower; null for too few. */
  higher_than: number | null;
  /** What that means. */
  verdict: string;
}

/** A table that was made, now or when its id was first sent. */
export interface MadeTable {
  ok: true;
  /** Its id. */
  table: string;
  /** Your seat. */
  seat: string;
}

/** Something that may be chosen. */
export interface OptionSaid {
  /** The option as data. */
  option: Plain;
  /** The option in words. */
  said: string;
}

/** The answer to whatever was not done. */
export interface Refused {
  ok: false;
  /** The command's. */
  id?: string | null;
  /** Why. */
  error: Error;
}

/** An open roll was let go. */
export interface RollAbandoned {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** Events that are open from now on. */
  opened: number[];
}

/** The last entry was taken back. */
export interface RollBack {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What it waits for then. */
  after: WaitsForThrow | WaitsForChoice | Ended;
  /** Its place. */
  index: number;
  /** What it was. */
  taken: "faces" | "choice";
}

/** Somebody chose. */
export interface RollChosen {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What it waits for then. */
  after: WaitsForThrow | WaitsForChoice | Ended;
  /** How many throws and choices came before. */
  index: number;
  /** What was chosen, as data. */
  option: Plain;
  /** What the rule calls whoever chose. */
  role: string;
  /** What was chosen, in words. */
  said: string;
}

/** A roll was revealed, or what waited of it was let happen, or not. */
export interface RollLet {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** The sheets it was decided for. */
  sheets?: string[];
  /** How many more rolls nobody heard of. */
  unshown?: number;
}

/** A roll began. */
export interface RollStarted {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What it waits for then. */
  after: WaitsForThrow | WaitsForChoice | Ended;
  /** What is rolled. */
  what: What;
  /** What is rolled, in a few words. */
  title: string;
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
  /** Of the rule. */
  version: string;
  /** What was said beside the sheet. */
  from_sheet?: Record<string, Plain>;
}

/** Dice were thrown, or typed. */
export interface RollThrown {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What it waits for then. */
  after: WaitsForThrow | WaitsForChoice | Ended;
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
  /** Earlier faces that stay on the table: entry and place of each. */
  kept?: number[][];
}

/** A roll counts no more. */
export interface RollUndone {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** Why. */
  why: SealedText | null;
}

/** Whoever goes on is told so after a throw that was hidden from them. */
export interface RollWaits {
  /** The seat that did it. */
  by: string;
  /** The roll: r1, r2, … */
  roll: string;
  /** What it waits for then. */
  after: WaitsForThrow | WaitsForChoice | Ended;
}

/** Something was said. */
export interface Said {
  /** The seat that did it. */
  by: string;
  /** What. */
  text: SealedText | null;
  /** The seats that hear it, or `all`. */
  to: string | string[];
}

/** What stands in an event for a text: the text lies beside it, and can be erased. */
export interface SealedText {
  /** Where it lies in `texts`. */
  text: string;
  /** Its salted hash. */
  seal: string;
}

/** A seat has another role. */
export interface SeatChanged {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** What it may do. */
  role: "referee" | "player" | "spectator";
}

/** Somebody sat down, or knocks. */
export interface SeatJoined {
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
}

/** A seat has another name. */
export interface SeatRenamed {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
  /** Whose it is. */
  name: SealedText | null;
}

/** A seat at the table. */
export interface SeatSeen {
  /** s1, s2, … */
  seat: string;
  /** What it may do. */
  role: "referee" | "player" | "spectator";
  /** Whether it is let in. */
  status: "here" | "knocking" | "removed";
  /** Whose it is; null where that was erased. */
  name: string | null;
}

/** A seat was let in, removed, moved to another device, or its person forgotten. */
export interface SeatTouched {
  /** The seat that did it. */
  by: string;
  /** The seat. */
  seat: string;
}

/** An event as a seat sees it: without `body`, `salt` and `texts` where it may not. */
export interface Seen {
  /** Its number in the log, from 1. */
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  /** What has happened; `sealed` where nobody else may know. */
  kind: string;
  /** What everybody may see. */
  open: Shown;
  /** What it holds, by its kind. */
  body?: Record<string, Plain>;
  /** The texts of its body. */
  texts?: Record<string, TextSeen>;
  /** What its digest was made with. */
  salt?: string;
  /** The salted hash of its body. */
  digest: string;
  /** The hash that chains it to the one before. */
  hash: string;
}

/** A session is over. */
export interface SessionEnded {
  /** The seat that did it. */
  by: string;
  /** Which, from 1. */
  number: number;
  /** Of the game's sheets. */
  version: string;
}

/** A sheet has changed. */
export interface SheetChanged {
  /** The seat that did it. */
  by: string;
  /** The sheet. */
  sheet: string;
  /** The fields that changed. */
  changes: Record<string, Difference>;
  /** What changed it. */
  cause: Cause;
}

/** A sheet was made. */
export interface SheetMade {
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

/** A sheet was taken away. */
export interface SheetRemoved {
  /** The seat that did it. */
  by: string;
  /** The sheet. */
  sheet: string;
}

/** A sheet. */
export interface SheetSeen {
  /** The seat whose it is, or n1, n2, … of the referees'. */
  sheet: string;
  /** The seat that owns it; `referee` for those of the referees. */
  owner: string;
  /** Whether everybody sees it. */
  shown: boolean;
  /** What stands on it. */
  values: Record<string, Plain>;
}

/** What everybody may see of an event. */
export interface Shown {
  /** Of a fair throw. */
  number?: number;
  /** The commitment to the key of the next fair throw. */
  next?: string;
  /** The seat that did it. */
  by?: string;
  /** The secret roll that it belongs to. */
  roll?: string;
  /** Who sees that roll. */
  visibility?: string;
  /** What that roll waits for. */
  after?: ShownStep;
}

/** What a secret roll waits for. */
export interface ShownStep {
  /** `throw`, `choice` or `done`. */
  step: string;
  /** Whose turn it is. */
  by?: string | string[];
}

/** Faces and luck, observed against expected, with a verdict. */
export interface Statistics {
  /** Of each seat. */
  seats: Thrower[];
  /** Of all together. */
  table: Thrower;
  /** How many comparisons were made. */
  compared: number;
  /** Secret throws, which are not counted. */
  unseen: number;
  /** How to read it. */
  caution: string;
}

/** What was said of the table has changed; what has not is left out. */
export interface TableChanged {
  /** The seat that did it. */
  by: string;
  /** All its house rules. */
  house?: Record<string, Plain>;
  /** Whether a referee lets each newcomer in. */
  knock?: boolean;
  /** Lists of its own. */
  lists?: Plain;
  /** What it is called. */
  title?: SealedText | null;
}

/** A table was made. */
export interface TableCreated {
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
}

/** The table goes on at another host, or as a copy. */
export interface TableImported {
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

/** The table itself; somebody at the door is told less. */
export interface TableSeen {
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
  /** The number of the next fair throw. */
  number?: number;
  /** When the link of a role was made. */
  links?: Record<string, number>;
}

/** A text of an event. */
export interface TextSeen {
  /** What its seal was made with. */
  salt: string;
  /** The text. */
  text: string;
}

/** What one seat threw, or the whole table. */
export interface Thrower {
  /** The seat; empty for the table. */
  seat: string;
  /** Whose it is. */
  name: string;
  /** Each kind of die. */
  dice: DieSeen[];
  /** How high the faces were. */
  luck: Luck;
}

/** The roll waits for somebody to choose. */
export interface WaitsForChoice {
  /** What may be chosen; of many, the first. */
  options: OptionSaid[];
  /** How many there are where not all are listed. */
  count?: number;
  /** The hash of all where not all are listed. */
  digest?: string;
  step: "choice";
  /** Who chooses. */
  by: string[];
  /** What the rule calls them. */
  role: string;
  /** How many throws and choices came before. */
  index: number;
  /** What the choice turns on. */
  about: Record<string, Plain> | null;
  /** The choice as a question. */
  question: string;
  /** What happened so far. */
  told?: string;
}

/** The roll waits for dice. */
export interface WaitsForThrow {
  step: "throw";
  /** The dice by name, in the order of their faces. */
  dice: string[];
  /** The dice as data. */
  pool: Plain;
  /** Who throws. */
  by: string;
  /** How many throws and choices came before. */
  index: number;
}

/** What is rolled: an expression, or a request of the game. */
export interface What {
  /** Dice as they are written. */
  expression?: string;
  /** A roll of the game, whole. */
  request?: Record<string, Plain>;
}

/** Somebody else's part in a throw. */
export interface Witness {
  /** Who offered it. */
  seat: string;
  /** The number. */
  nonce: string;
}

/** Somebody offers numbers that later throws may use. */
export interface WitnessOffered {
  /** The seat that did it. */
  by: string;
  /** Their hashes. */
  commitments: string[];
}

/** Who somebody is at a table. */
export interface You {
  /** The seat: s1, s2, … */
  seat: string;
  /** What it is at the table. */
  role: "referee" | "player" | "spectator";
  /** Whether it is let in. */
  status: "here" | "knocking" | "removed";
}

/** What each kind of event holds. */
export interface EventBodies {
  "table.created": TableCreated;
  "table.changed": TableChanged;
  "table.imported": TableImported;
  "link.changed": LinkChanged;
  "seat.joined": SeatJoined;
  "seat.admitted": SeatTouched;
  "seat.removed": SeatTouched;
  "seat.moved": SeatTouched;
  "person.forgotten": SeatTouched;
  "seat.renamed": SeatRenamed;
  "seat.changed": SeatChanged;
  "roll.started": RollStarted;
  "roll.thrown": RollThrown;
  "roll.chosen": RollChosen;
  "roll.waits": RollWaits;
  "roll.back": RollBack;
  "roll.revealed": RollLet;
  "roll.applied": RollLet;
  "roll.declined": RollLet;
  "roll.undone": RollUndone;
  "roll.abandoned": RollAbandoned;
  "sheet.made": SheetMade;
  "sheet.changed": SheetChanged;
  "sheet.removed": SheetRemoved;
  "ask.made": AskMade;
  "ask.answered": AskAnswered;
  "ask.closed": AskClosed;
  "said": Said;
  "witness.offered": WitnessOffered;
  "session.ended": SessionEnded;
}

/** The fields of each command. */
export interface Commands {
  "table.change": { house?: Record<string, Plain> | null; knock?: boolean | null; title?: string | null; lists?: Plain | null };
  "link.rotate": { role: "referee" | "player" | "spectator"; token_hash: string };
  "seat.admit": { seat: string };
  "seat.refuse": { seat: string };
  "seat.remove": { seat?: string };
  "seat.rename": { seat?: string; name: string };
  "seat.move": { seat?: string; token_hash: string; keep_old?: boolean };
  "seat.role": { seat: string; role: "referee" | "player" | "spectator" };
  "person.forget": { seat?: string };
  "sheet.make": { sheet?: string; values?: Record<string, Plain> | null; shown?: boolean };
  "sheet.change": { sheet: string; why?: string; values: Record<string, Plain> };
  "sheet.remove": { sheet: string };
  "sheet.effect": { sheet: string; why?: string; kind: string; amount?: Plain; target?: string };
  "sheet.undo": { seq: number; why?: string };
  "roll.start": { expression?: string | null; request?: Record<string, Plain> | null; from_sheet?: Record<string, Plain> | null; visibility?: "open" | "private" | "blind" | "hidden" | null; announce?: boolean; roles?: Record<string, string> | null; physical?: boolean; goal?: string; note?: string; sheet?: string; ask?: string; nonce?: string };
  "roll.reveal": { roll: string };
  "roll.apply": { roll: string; sheet?: string };
  "roll.decline": { roll: string; sheet?: string };
  "roll.abandon": { roll: string };
  "roll.undo": { roll: string; why?: string };
  "roll.again": { roll: string; nonce?: string };
  "roll.enter": { roll: string; index?: number | null; nonce?: string; faces: Plain[] };
  "roll.throw": { roll: string; index?: number | null; nonce?: string };
  "roll.choose": { roll: string; index?: number | null; nonce?: string; option?: Plain | null; number?: number | null; anyway?: boolean };
  "roll.back": { roll: string; index?: number | null };
  "say": { text: string; to?: "all" | string[] };
  "witness.offer": { nonces: string[] };
  "session.end": object;
  "ask.make": { expression?: string | null; request?: Record<string, Plain> | null; from_sheet?: Record<string, Plain> | null; visibility?: "open" | "private" | "blind" | "hidden" | null; announce?: boolean; roles?: Record<string, string> | null; physical?: boolean; goal?: string; note?: string; who: "all" | string[] };
  "ask.close": { ask: string };
}

/** Something to be done at the table. */
export type Command = { [Do in keyof Commands]: { do: Do } & Commands[Do] }[keyof Commands];
