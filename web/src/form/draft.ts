/** A draft of a roll: what is picked on the sheet, what is set by hand, and who plays which side. */

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { withNumbers, numbersOf } from "../panel/sheet_numbers";
import type { InterpretationData } from "../net/shapes";
import { lastDialect, OURS } from "./dialects";
import type { Start } from "../state/card";
import type { Body, FieldSchema, GameFacts, Plain, Sheet } from "../state/types";

/** The input so far; both `pick` and `set` are nested as the request is. */
export interface Parts {
  readonly pick: Body;
  readonly set: Body;
  readonly roles: Record<string, string>;
}

export const NOTHING: Parts = { pick: {}, set: {}, roles: {} };

/** A path in a draft: `set.rolls.0.dl`. */
export const way = (path: string): string[] => path.split(".");

const isNumber = (name: string): boolean => /^\d+$/.test(name);
const isBare = (value: Plain | undefined): boolean =>
  value !== null && typeof value === "object" && !Object.keys(value).length;
const same = (one: Plain | undefined, other: Plain | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The value at a path. */
export function at(held: Plain | undefined, path: readonly string[]): Plain | undefined {
  return path.reduce<Plain | undefined>(
    (inner, name) => (inner !== null && typeof inner === "object" ? (inner as Record<string, Plain>)[name] : undefined),
    held,
  );
}

/** A value with something in it changed, or taken out where there is no value; nothing is changed in place. */
export function put(held: Plain | undefined, path: readonly string[], value: Plain | undefined): Plain {
  const name = path[0]!;
  const rest = path.slice(1);
  if (isNumber(name)) {
    const list: Plain[] = Array.isArray(held) ? [...held] : [];
    if (!rest.length && value === undefined) return list.filter((_, n) => n !== Number(name));
    while (list.length <= Number(name)) list.push({});
    list[Number(name)] = rest.length ? put(list[Number(name)], rest, value) : value!;
    return list;
  }
  const next: Record<string, Plain> =
    held !== null && typeof held === "object" && !Array.isArray(held) ? { ...held } : {};
  if (value === undefined && next[name] === undefined) return next;
  const inner = rest.length ? put(next[name], rest, value) : value;
  if (inner === undefined || (value === undefined && isBare(inner))) delete next[name];
  else next[name] = inner;
  return next;
}

/** A draft with several paths written; nothing takes a key out. */
export function withChanges(parts: Parts, changes: Readonly<Record<string, Plain | undefined>>): Parts {
  let next = parts as unknown as Plain;
  for (const [path, value] of Object.entries(changes)) next = put(next, way(path), value);
  return partsOf(next as unknown as Partial<Parts>);
}

/**
 * The lists of parts that a form shows, by their path in the request, with what each side of the draft holds of them.
 */
export type Lists = ReadonlyMap<string, ListItems>;
export interface ListItems {
  readonly set: readonly Plain[];
  readonly pick: readonly Plain[];
  readonly length: number;
}

/** The path of a list of parts, on either side of the draft. */
export const listPath = (path: string): string => path.replace(/^(set|pick)\./, "");

/** A list as long as the form shows it; what is not said of a part is open. */
const filled = (list: readonly Plain[], length: number): Plain[] => Array.from({ length }, (_, n) => list[n] ?? {});

/** A list in the input is complete: writing in one part of it writes the others as they are. */
export function startList(parts: Parts, path: string, lists: Lists): Parts {
  let next = parts;
  for (const [list, held] of lists) {
    const side = (["set", "pick"] as const).find((one) => path.startsWith(`${one}.${list}.`));
    const own = side && at(next[side], way(list));
    if (side && !(Array.isArray(own) && own.length === held.length))
      next = withChanges(next, { [`${side}.${list}`]: filled(held[side], held.length) });
  }
  return next;
}

/** The lists of both sides with other parts. */
function relisted(
  parts: Parts,
  path: string,
  held: ListItems,
  change: (list: Plain[], side: "set" | "pick") => Plain[],
): Parts {
  const list = listPath(path);
  const sides = (["set", "pick"] as const).map((side) => {
    const own = at(parts[side], way(list));
    const next = change(filled(Array.isArray(own) && own.length === held.length ? own : held[side], held.length), side);
    return [`${side}.${list}`, side === "pick" && next.every(isBare) ? undefined : next] as const;
  });
  return withChanges(parts, Object.fromEntries(sides));
}

/** One part more: fresh, or a copy of the last. */
export const addPart = (
  parts: Parts,
  path: string,
  held: ListItems,
  fresh?: { readonly pick?: Body; readonly set?: Body },
): Parts =>
  relisted(parts, path, held, (list, side) => [
    ...list,
    fresh ? (fresh[side] ?? {}) : structuredClone(list[list.length - 1] ?? {}),
  ]);

/** One part fewer; those behind it move up. */
export const removePart = (parts: Parts, path: string, held: ListItems, place: number): Parts =>
  relisted(parts, path, held, (list) => list.filter((_, n) => n !== place));

/** Parts of something kept; fields alone are fields that were set. */
export function partsOf(kept: Partial<Parts> | Body): Parts {
  const { pick, set, roles } = kept as Partial<Parts>;
  if (!pick && !set && !roles && Object.keys(kept).length) return { ...NOTHING, set: kept as Body };
  return { pick: pick ?? {}, set: set ?? {}, roles: roles ?? {} };
}

/** One draft over another: the upper one counts, and a list in it replaces the lower one's. */
export function over(under: Plain | undefined, above: Plain | undefined): Plain {
  if (above === undefined) return under!;
  if (!isObject(under) || !isObject(above)) return above;
  return {
    ...under,
    ...Object.fromEntries(Object.entries(above).map(([name, one]) => [name, over(under[name], one)])),
  };
}

/** A draft without what was said before and is not said any more. */
export function without(held: Plain, before: Plain | undefined, now: Plain | undefined): Plain {
  if (!isObject(held) || !isObject(before)) return held;
  const still = isObject(now) ? now : {};
  return Object.fromEntries(
    Object.entries(held)
      .filter(([name]) => before[name] === undefined || still[name] !== undefined)
      .map(([name, one]) => [name, without(one, before[name], still[name])]),
  );
}

const isObject = (value: Plain | undefined): value is Record<string, Plain> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The parts that say something, for a link or a favourite. */
export const dataOf = (parts: Parts): Body =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => Object.keys(value).length)) as Body;

/** A draft as the server reads it. */
export const draftOf = (roll: string, parts: Parts): Required<Start> => ({ roll, ...parts });

export interface FieldError {
  /** Where: `set.ammo_dice`, `members[0].name`; empty for the whole. */
  readonly field: string;
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
  readonly suggestions?: readonly string[];
  /** The meanings of dice in the spelling of other tools. */
  readonly readings?: readonly InterpretationData[];
}

/** A roll as it is kept: as a favourite, among the recent ones, or in a link. */
export interface SavedRoll {
  readonly roll: string;
  readonly fields: Body;
  readonly expression: string;
  /** Whose spelling the expression has; ours where it is left out. */
  readonly dialect?: string;
}

export const EXPRESSION = "";

/** A roll in preparation, as signals: dice in writing, or a draft of one of the game's rolls. */
export class Draft {
  readonly roll = signal(EXPRESSION);
  readonly expression = signal("");
  /** Whose spelling it has, as somebody said; empty for what is usual here. */
  readonly dialect = signal(lastDialect.peek());
  readonly policy = signal("");
  readonly goal = signal("");
  readonly wrong = signal<FieldError | null>(null);
  /** House rules of this roll, where no table has settled them. */
  readonly ruled = signal<Body>({});
  /** Number of changes: it identifies answers to older drafts. */
  readonly n = signal(0);
  /** Whether a slider is being moved: its form is asked for when it is let go. */
  readonly moves = signal(false);
  /** The draft as the server last read it: with what the roll starts with, without what is refused. */
  readonly effective = signal<{
    readonly n: number;
    readonly draft: Start;
    readonly kind: string;
    readonly asked: Plain | undefined;
  } | null>(null);
  /** The request as the server last filled it. */
  readonly request = signal<Body | null>(null);
  /** The lists of parts that the form shows. */
  lists: Lists = new Map();
  /** The input for each kind of roll, so that switching back finds it again. */
  private readonly said = signal<Readonly<Record<string, Parts>>>({});

  /** The fields of the request, as they are described. */
  readonly schema: ReadonlySignal<FieldSchema | null> = computed(
    () => this.game?.rolls[this.roll.value]?.schema ?? null,
  );
  readonly parts: ReadonlySignal<Parts> = computed(() => this.said.value[this.roll.value] ?? NOTHING);

  constructor(
    readonly game: GameFacts | null,
    readonly sheet: ReadonlySignal<Sheet | undefined>,
  ) {
    this.roll.value = game
      ? Object.keys(game.rolls).find((roll) => !game.card?.rolls?.[roll]?.only_explored)!
      : EXPRESSION;
  }

  /** Go to a kind of roll, as it was left or with a start of its own. */
  open(roll: string, start?: Omit<Start, "roll">): void {
    this.roll.value = roll;
    this.wrong.value = null;
    this.request.value = null;
    this.moves.value = false;
    if (!this.game?.rolls[roll]?.goals?.includes(this.goal.value)) this.goal.value = "";
    if (start) this.change(partsOf({ ...start }));
    else this.n.value += 1;
  }

  change(parts: Parts): void {
    this.said.value = { ...this.said.value, [this.roll.value]: parts };
    this.n.value += 1;
  }

  /** Write at paths of the draft; nothing takes the key out, and what the sheet or the book says counts again. */
  write(changes: Readonly<Record<string, Plain | undefined>>): void {
    const whole = Object.keys(changes).reduce((parts, path) => startList(parts, path, this.lists), this.parts.value);
    this.change(withChanges(whole, changes));
  }

  /** The value at a path of the draft. */
  at(path: string): Plain | undefined {
    return at(this.parts.value as unknown as Plain, way(path));
  }

  /** Give a field of the request a value. */
  give(field: string, value: Plain): void {
    this.write({ [`set.${field}`]: value });
  }

  /** A field's number as it counts now. */
  number(field: string, otherwise = 0): number {
    const held = this.at(`set.${field}`) ?? at(this.request.value as Plain, way(field));
    return typeof held === "number" ? held : otherwise;
  }

  load(saved: SavedRoll): void {
    if (saved.roll && !this.game?.rolls[saved.roll]) return;
    const { house, ...fields } = saved.fields;
    this.expression.value = saved.expression;
    if (!saved.roll && saved.expression) this.dialect.value = saved.dialect || OURS;
    this.ruled.value = (house ?? {}) as Body;
    this.lists = new Map();
    this.open(saved.roll, partsOf(fields));
  }

  saved(): SavedRoll {
    return {
      roll: this.roll.value,
      fields: { ...dataOf(this.parts.value), ...this.house() },
      expression: this.expression.value,
      ...(this.spelling.value === OURS ? {} : { dialect: this.spelling.value }),
    };
  }

  /** The house rules as a field, if any is changed. */
  protected house(): Body {
    return this.roll.value !== EXPRESSION && Object.keys(this.ruled.value).length ? { house: this.ruled.value } : {};
  }

  /** The numbers of the sheet by name; what nobody has changed is as the game begins. */
  readonly numbers: ReadonlySignal<ReadonlyMap<string, number>> = computed(() =>
    numbersOf(this.sheet.value?.values, this.game?.sheet?.fields ?? []),
  );

  /** The expression with the numbers of the sheet in the place of their names. */
  readonly written: ReadonlySignal<string> = computed(() => withNumbers(this.expression.value, this.numbers.value));

  /** The question for the server, and the roll; null while there is nothing to ask. */
  readonly what: ReadonlySignal<Body | null> = computed((): Body | null => {
    if (this.roll.value !== EXPRESSION) return this.drafted();
    const text = this.written.value.trim();
    return text
      ? { expression: text, ...(this.spelling.value === this.usual() ? {} : { dialect: this.spelling.value }) }
      : null;
  });

  /** Whose spelling dice have where nobody says another. */
  usual: () => string = () => OURS;

  /** Whose spelling they have now. */
  readonly spelling: ReadonlySignal<string> = computed(() => this.dialect.value || this.usual());

  /** Which kind of roll it is, and of whom: what one sheet fills in is nothing to roll with another. */
  get kind(): string {
    return `${this.roll.value} ${this.sheet.value?.id ?? ""}`;
  }

  /** The draft that counts: as the server read it, with what was touched since; null until it has read one. */
  protected drafted(): Body | null {
    const known = this.effective.value;
    if (known?.kind !== this.kind) return null;
    const parts = partsOf({ ...known.draft, roll: undefined, roles: this.parts.value.roles } as Partial<Parts>);
    if (known.n === this.n.value) return this.about(parts);
    const said = this.parts.value as unknown as Plain;
    return this.about(over(without(parts as unknown as Plain, known.asked, said), said) as unknown as Parts);
  }

  /** The draft as somebody made it, for its form. */
  asked(): Body {
    return this.about(this.parts.value);
  }

  /** A draft as a question; without a table it names the game and its house rules. */
  about(parts: Parts): Body {
    const sheet = this.sheet.value;
    return {
      draft: draftOf(this.roll.value, parts) as unknown as Plain,
      ...(sheet ? { sheet: sheet.id } : {}),
      ...(this.free ? { game: this.game!.name, ...this.house() } : {}),
    };
  }

  /** Whether no table says which game it is. */
  free = false;
}

export { same };
