// Folds events into what they say: rolls out of their events, and the people, sheets and asks of a table.
import type { Ask, Body, Entry, LogEvent, Plain, Roll, Seat, Sheet, TableFacts, Visibility, Waiting } from "./types";

/** A sealed text, if this event still carries it. */
export function textOf(event: LogEvent, sealed: Plain | undefined): string {
  if (sealed === null || sealed === undefined) return "";
  if (typeof sealed === "string") return sealed;
  const ref = (sealed as Body).text;
  return typeof ref === "string" ? (event.texts?.[ref]?.text ?? "") : "";
}

/** What an event is, also where only its audience may know that. */
export const kindOf = (event: LogEvent): string => (event.kind === "sealed" && event.body ? String(event.body.kind ?? "sealed") : event.kind);

export const rollOf = (event: LogEvent): string => {
  const kind = kindOf(event);
  if (!kind.startsWith("roll.") && kind !== "sheet.changed") return "";
  const cause = event.body?.cause as Body | undefined;
  return String(event.body?.roll ?? event.open.roll ?? cause?.roll ?? "");
};

export function foldRoll(id: string, events: LogEvent[]): Roll {
  const first = events[0];
  const roll: Roll = {
    id, by: String(first.open.by ?? first.body?.by ?? ""), title: "", what: null, sheet: "", note: "", ask: "", goal: "",
    visibility: (first.open.visibility as Visibility) ?? "open", physical: false, roles: {}, at: first.at, first: first.seq, last: first.seq, end: 0,
    begun: false, entries: [], after: null, status: "open", revealed: false, waits: [], decided: [], veiled: true, changes: [],
  };
  for (const event of events) foldRollEvent(roll, event);
  return roll;
}

function foldRollEvent(roll: Roll, event: LogEvent): void {
  const { body } = event;
  const kind = kindOf(event);
  if (kind !== "sheet.changed" || !body) roll.last = Math.max(roll.last, event.seq);
  roll.begun ||= kind === "roll.started";
  if (kind === "roll.started" && body) begin(roll, event, body);
  else if (kind === "roll.thrown" || kind === "roll.chosen") roll.entries.push(entryOf(event));
  else if (kind === "roll.back") {
    const last = roll.entries.findLast((entry) => !entry.taken);
    if (last) last.taken = true;
  } else if (kind === "roll.revealed") roll.revealed = true;
  else if ((kind === "roll.applied" || kind === "roll.declined") && body) roll.decided.push({ by: String(body.by), sheets: body.sheets as string[], let: kind === "roll.applied" });
  else if (kind === "roll.undone") roll.status = "undone";
  else if (kind === "roll.abandoned") roll.status = "abandoned";
  else if (kind === "sheet.changed" && body) roll.changes.push({ sheet: String(body.sheet), seq: event.seq, fields: body.changes as never });
  const after = body?.after as Waiting | undefined;
  if (after) {
    roll.after = after;
    if (after.step === "done" && roll.status === "open") roll.status = "done";
    roll.waits = (after.step === "done" && after.waits) || [];
  }
  if (kind !== "sheet.changed" && body?.sheets) roll.waits = roll.waits.filter((sheet) => !(body.sheets as string[]).includes(sheet));
  if (event.open.done === true && roll.status === "open") roll.status = "done";
  if (roll.status !== "done") roll.waits = [];
  if (roll.status !== "open" && !roll.end) roll.end = event.seq;
}

function begin(roll: Roll, event: LogEvent, body: Body): void {
  roll.veiled = false;
  roll.by = String(body.by ?? roll.by);
  roll.title = String(body.title ?? "");
  roll.what = body.what as Roll["what"];
  roll.sheet = String(body.sheet ?? "");
  roll.visibility = (body.visibility as Visibility) ?? "open";
  roll.note = textOf(event, body.note);
  roll.ask = String(body.ask ?? "");
  roll.physical = !!body.physical;
  roll.goal = String(body.goal ?? "");
  roll.roles = (body.roles as Record<string, string>) ?? {};
}

function entryOf(event: LogEvent): Entry {
  const { seq, at, body, open } = event;
  const by = String(body?.by ?? open.by ?? "");
  if (!body) return { kind: "veiled", seq, at, by, taken: false };
  const index = Number(body.index);
  if (kindOf(event) === "roll.chosen") return { kind: "chosen", seq, at, by, index, option: body.option, said: String(body.said ?? ""), taken: false };
  return {
    kind: "thrown", seq, at, by, index, taken: false, faces: body.faces as Plain[], dice: body.dice as string[], pool: body.pool,
    how: String(body.how ?? ""), fair: (body.fair as never) ?? null, locked: (body.locked as Plain[]) ?? [], kept: (body.kept as number[][] | undefined) ?? [], whose: String(body.whose ?? ""),
  };
}

/** The people, sheets, asks and facts of a table; folding gives new values and leaves the old ones as they were. */
export interface World { table: TableFacts; seats: Seat[]; sheets: Sheet[]; asks: Ask[]; session: number }

export const emptyWorld = (id: string): World => ({
  table: { id, game: "", title: "", house: {}, knock: false, lists: {} }, seats: [], sheets: [], asks: [], session: 1,
});

type Fold = (world: World, event: LogEvent, body: Body) => Partial<World>;
const changed = <T extends { id: string }>(all: T[], id: Plain | undefined, change: (one: T) => T): T[] => all.map((one) => (one.id === id ? change(one) : one));

const FOLDS: Record<string, Fold> = {
  "table.created": (world, event, body) => ({
    table: { ...world.table, game: String(body.game ?? ""), house: body.house as Body, knock: !!body.knock, lists: (body.lists as Body) ?? {}, title: textOf(event, body.title) },
  }),
  "table.changed": (world, event, body) => ({
    table: {
      ...world.table,
      ...("house" in body ? { house: body.house as Body } : {}),
      ...("knock" in body ? { knock: !!body.knock } : {}),
      ...("lists" in body ? { lists: body.lists as Body } : {}),
      ...("title" in body ? { title: textOf(event, body.title) } : {}),
    },
  }),
  "seat.joined": (world, event, body) => ({
    seats: [...world.seats.filter((seat) => seat.id !== body.seat), { id: String(body.seat), role: body.role as Seat["role"], name: textOf(event, body.name), status: (body.status as Seat["status"]) ?? "here" }],
  }),
  "seat.admitted": (world, _, body) => ({ seats: changed(world.seats, body.seat, (seat) => ({ ...seat, status: "here" })) }),
  "seat.removed": (world, _, body) => ({ seats: changed(world.seats, body.seat, (seat) => ({ ...seat, status: "removed" })) }),
  "seat.renamed": (world, event, body) => ({ seats: changed(world.seats, body.seat, (seat) => ({ ...seat, name: textOf(event, body.name) })) }),
  "seat.changed": (world, _, body) => ({ seats: changed(world.seats, body.seat, (seat) => ({ ...seat, role: body.role as Seat["role"] })) }),
  "person.forgotten": (world, _, body) => ({ seats: changed(world.seats, body.seat, (seat) => ({ ...seat, name: "" })) }),
  "sheet.made": (world, _, body) => ({
    sheets: [...world.sheets.filter((sheet) => sheet.id !== body.sheet), { id: String(body.sheet), owner: String(body.owner), values: (body.values as Body) ?? {}, shown: body.shown !== false, changes: {} }],
  }),
  "sheet.changed": (world, event, body) => ({
    sheets: changed(world.sheets, body.sheet, (sheet) => {
      const fields = Object.entries(body.changes as Record<string, { before: Plain; after: Plain }>);
      const values = { ...sheet.values, ...Object.fromEntries(fields.map(([name, { after }]) => [name, after])) };
      const changes = Object.fromEntries(fields.map(([name, change]) => [name, { ...change, seq: event.seq, at: event.at, cause: body.cause as Body }]));
      return { ...sheet, values, changes: { ...sheet.changes, ...changes } };
    }),
  }),
  "sheet.removed": (world, _, body) => ({ sheets: world.sheets.filter((sheet) => sheet.id !== body.sheet) }),
  "ask.made": (world, event, body) => ({
    asks: [...world.asks.filter((ask) => ask.id !== body.ask), {
      id: String(body.ask), by: String(body.by), who: body.who as string[] | string, roll: body.roll as Body, note: textOf(event, body.note),
      visibility: (body.visibility as Visibility) ?? "open", answered: {}, closed: false, at: event.at, seq: event.seq,
    }],
  }),
  "ask.answered": (world, _, body) => ({ asks: changed(world.asks, body.ask, (ask) => ({ ...ask, answered: { ...ask.answered, [String(body.seat)]: String(body.roll) } })) }),
  "ask.closed": (world, _, body) => ({ asks: changed(world.asks, body.ask, (ask) => ({ ...ask, closed: true })) }),
  "session.ended": (_, __, body) => ({ session: Number(body.number) + 1 }),
};

export function foldWorld(world: World, event: LogEvent): World {
  const fold = FOLDS[kindOf(event)] as Fold | undefined;
  return fold && event.body ? { ...world, ...fold(world, event, event.body) } : world;
}
