/** What somebody is about to roll: the kind of roll, its fields, and the question they make. */

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOf, toldOf } from "./refusals";
import { filledIn, numbersOf } from "./sheet_numbers";
import type { Body, FieldSchema, GameFacts, Plain, Sheet } from "../state/types";

export interface Wrong {
  /** Where: `ammo_dice`, `active.modifier`, `members[0].name`; empty for the whole. */
  readonly field: string;
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
  readonly suggestions?: readonly string[];
}

/** A roll as it is kept: as a favourite, among the recent ones, or in a link. */
export interface Saved {
  readonly roll: string;
  readonly fields: Body;
  readonly expression: string;
}

/** Somebody at the table whom a roll may name: written `@s3`, so that they choose for themselves. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly player: boolean;
  readonly sheet: Sheet | undefined;
}

export const EXPRESSION = "";

/** The state of a roll panel. */
export class Form {
  readonly roll = signal(EXPRESSION);
  readonly expression = signal("");
  readonly policy = signal("");
  readonly goal = signal("");
  readonly wrong = signal<Wrong | null>(null);
  /** House rules of this roll, where no table has settled them. */
  readonly ruled = signal<Body>({});
  /** Who at the table plays which side of the roll, where the request itself does not say. */
  readonly roles = signal<Record<string, string>>({});
  /** The values of each kind of roll, so that switching back finds them again. */
  private readonly all = signal<Record<string, Body>>({});

  /** What was set, or else what the roll starts with; a sheet that begins to know brings a new start. */
  readonly fields: ReadonlySignal<Body> = computed(() => this.all.value[this.place] ?? this.first(this.roll.value, this.sheet.value));
  readonly schema: ReadonlySignal<FieldSchema | null> = computed(
    () => this.game?.rolls[this.roll.value]?.schema ?? null,
  );

  constructor(
    readonly game: GameFacts | null,
    readonly sheet: ReadonlySignal<Sheet | undefined>,
    /** What a kind of roll starts with, by the game's layout. */
    private readonly first: (roll: string, sheet: Sheet | undefined) => Body = () => ({}),
    /** Who is at the table; nobody where there is none. */
    readonly people: ReadonlySignal<readonly Person[]> = signal([]),
    private readonly house: () => Body = () => ({}),
    /** What the sheet rules even where its skills are not used: the Luck or Adrenaline there is. */
    private readonly ofSheet: (roll: string, numbers: ReadonlyMap<string, number>, fields: Body) => Body = () => ({}),
  ) {
    this.pick(game ? Object.keys(game.rolls)[0]! : EXPRESSION);
  }

  /** Whether the sheet fills in what it knows. */
  readonly fromSheet = computed(() => this.roll.value !== EXPRESSION && !!this.sheet.value && this.sheetKnows());

  /** Where the values of this kind of roll are kept: other fields are asked for with a sheet than without. */
  private get place(): string {
    return `${this.roll.value}${this.fromSheet.value ? "+" : ""}`;
  }

  pick(roll: string): void {
    this.roll.value = roll;
    this.roles.value = {};
    this.wrong.value = null;
    if (!this.game?.rolls[roll]?.goals?.includes(this.goal.value)) this.goal.value = "";
  }

  get(path: string): Plain | undefined {
    return path.split(".").reduce<Plain | undefined>(
      (held, name) => (held && typeof held === "object" ? (held as Record<string, Plain>)[name] : undefined),
      this.fields.value as Plain,
    );
  }

  /** A field's number, or what counts where it is not given. */
  number(path: string, otherwise = 0): number {
    const held = this.get(path);
    return typeof held === "number" ? held : otherwise;
  }

  /** A number among the house rules of the table, or what the book says. */
  houseNumber(name: string): number {
    const usual = this.game?.house.fields.find((field) => field.name === name)?.default;
    return Number(this.ruled.value[name] ?? this.house()[name] ?? usual ?? 0);
  }

  set(path: string, value: Plain | undefined): void {
    this.all.value = { ...this.all.value, [this.place]: put(this.fields.value, path.split("."), value) as Body };
  }

  load(saved: Saved): void {
    if (saved.roll && !this.game?.rolls[saved.roll]) return;
    this.expression.value = saved.expression;
    this.roll.value = saved.roll;
    const { house, ...fields } = saved.fields;
    this.all.value = { ...this.all.value, [this.place]: fields };
    this.ruled.value = (house ?? {}) as Body;
    this.wrong.value = null;
  }

  saved(): Saved {
    return { roll: this.roll.value, fields: { ...this.fields.value, ...this.withRules() }, expression: this.expression.value };
  }

  /** The house rules as a field, if any is changed. */
  private withRules(): Body {
    return this.roll.value !== EXPRESSION && Object.keys(this.ruled.value).length ? { house: this.ruled.value } : {};
  }

  clear(): void {
    const { [this.place]: _, ...others } = this.all.value;
    this.all.value = others;
  }

  /** The numbers of the sheet by name; what nobody has changed is as the game begins. */
  readonly numbers: ReadonlySignal<ReadonlyMap<string, number>> = computed(() => numbersOf(this.sheet.value?.values, this.game?.sheet?.fields ?? []));

  /** The expression with the numbers of the sheet in the place of their names. */
  readonly written: ReadonlySignal<string> = computed(() => filledIn(this.expression.value, this.numbers.value));

  /** What the server is asked about, and what is rolled; null where nothing is to be asked yet. */
  readonly what: ReadonlySignal<Body | null> = computed((): Body | null => {
    const roll = this.roll.value;
    if (roll === EXPRESSION) {
      const text = this.written.value.trim();
      return text ? { expression: text } : null;
    }
    const fields = this.fields.value;
    if (this.fromSheet.value) return { from_sheet: { roll, ...fields }, sheet: this.sheet.value!.id };
    const sheet = this.sheet.value;
    const ruled = sheet ? this.ofSheet(roll, this.numbers.value, fields) : {};
    return { request: { game: this.game!.name, roll, ...fields, ...ruled, ...this.withRules() }, ...(sheet ? { sheet: sheet.id } : {}) };
  });

  /** What is wrong with a field, for its control to say; `members[0].name` is the control at `members.0.name`. */
  wrongAt(path: string): string {
    const wrong = this.wrong.value;
    return wrong && pathOf(wrong) === path ? toldOf(wrong).said : "";
  }

  private sheetKnows(): boolean {
    const game = this.game?.name;
    const values = this.sheet.value?.values ?? {};
    if (game === "twilight2000") return needsWeapon(this.roll.value) ? filled(values["weapons"]) : true;
    if (game === "dust") return filled(values["stats"]);
    if (game === "edge20") return filled(values["skills"]) || filled(values["items"]);
    if (game === "ghostburn") return filled(values["skills"]);
    if (game === "kleptonomicon" && this.roll.value === "group") return !this.people.value.length;
    return !!this.game?.sheet;
  }
}

const needsWeapon = (roll: string): boolean => ["attack", "clear_jam", "magazine"].includes(roll);
const filled = (value: Plain | undefined): boolean => Array.isArray(value) && value.length > 0;

/** A value with something in it changed; nothing is changed in place. */
export function put(held: Plain | undefined, path: string[], value: Plain | undefined): Plain {
  const [name, ...rest] = path;
  if (Array.isArray(held)) {
    const list = [...held];
    list[Number(name)] = rest.length ? put(list[Number(name)], rest, value) : (value as Plain);
    return list;
  }
  const next: Record<string, Plain> = { ...(held as Record<string, Plain> | undefined) };
  if (rest.length) next[name!] = put(next[name!], rest, value);
  else if (value === undefined) delete next[name!];
  else next[name!] = value;
  return next;
}
