// Folds events into what they say: rolls out of their events, and the people, sheets and asks of a table.
import type {
  SignedCommand,
  DeviceData,
  EventBodies,
  RollChosenEvent,
  RollStartedEvent,
  RollThrownEvent,
  SealedText,
} from "../net/shapes";
import type { Lies, Marks, Text } from "./card";
import type {
  RollRequest,
  Body,
  Entry,
  FairFacts,
  LogEvent,
  OptionOffer,
  Plain,
  Roll,
  Seat,
  Sheet,
  TableFacts,
  Visibility,
  RollState,
} from "./types";

/** A sealed text, if this event still carries it. */
export function textOf(event: LogEvent, sealed: SealedText | Plain | undefined): string {
  const ref = (sealed as SealedText | null | undefined)?.text;
  return (ref && event.texts?.[ref]?.text) || "";
}

/** The kind of an event, even if only its audience may know it. */
export const kindOf = (event: LogEvent): string =>
  event.kind === "sealed" && event.body ? String(event.body.kind ?? "sealed") : event.kind;

/** The call of an event, if it is the act of a command that devices sign. */
export const callOf = ({ body }: LogEvent): SignedCommand | undefined =>
  body?.call as unknown as SignedCommand | undefined;

export const rollOf = (event: LogEvent): string => {
  const kind = kindOf(event);
  if (!kind.startsWith("roll.") && kind !== "sheet.changed") return "";
  const cause = event.body?.cause as Body | undefined;
  return String(event.body?.roll ?? event.open.roll ?? cause?.roll ?? "");
};

export function reduceRoll(id: string, events: LogEvent[]): Roll {
  const [first] = events;
  if (!first) throw new RangeError(`no event of roll ${id}`);
  const roll: Roll = {
    id,
    by: String(first.open.by ?? first.body?.by ?? ""),
    title: "",
    marks: null,
    what: null,
    sheet: "",
    note: "",
    ask: "",
    goal: "",
    policy: "",
    bound: false,
    visibility: (first.open.visibility as Visibility) ?? "open",
    physical: false,
    silent: false,
    roles: {},
    at: first.at,
    first: first.seq,
    last: first.seq,
    end: 0,
    begun: false,
    entries: [],
    after: null,
    status: "open",
    revealed: false,
    waits: [],
    decided: [],
    air: false,
    veiled: true,
    changes: [],
  };
  for (const event of events) foldRollEvent(roll, event);
  return roll;
}

function foldRollEvent(roll: Roll, event: LogEvent): void {
  const { body } = event;
  const kind = kindOf(event);
  // A refused call leaves the roll and its narration as they were.
  if ((kind !== "sheet.changed" && kind !== "roll.refused") || !body) roll.last = Math.max(roll.last, event.seq);
  roll.begun ||= kind === "roll.started";
  if (kind === "roll.started" && body) begin(roll, event, body as unknown as Begun);
  else if (kind === "roll.thrown" || kind === "roll.chosen") roll.entries.push(entryOf(event));
  else if (kind === "roll.taken_back") {
    const last = roll.entries.findLast((entry) => !entry.taken);
    if (last) last.taken = true;
    // A choice made by policy may be taken back after the end: then the roll is open again.
    if (roll.status === "done") Object.assign(roll, { status: "open", end: 0, decided: [] });
  } else if (kind === "roll.revealed") roll.revealed = true;
  else if ((kind === "roll.applied" || kind === "roll.declined") && body)
    roll.decided.push({ by: String(body.by), sheets: body.sheets as string[], let: kind === "roll.applied" });
  else if (kind === "roll.undone") roll.status = "undone";
  else if (kind === "roll.cancelled") roll.status = "cancelled";
  else if (kind === "sheet.changed" && body)
    roll.changes.push({ sheet: String(body.sheet), seq: event.seq, fields: body.changes as never });
  const after = body?.after as RollState | undefined;
  if (after) {
    // The options are beside the event while it is open.
    roll.after =
      after.step === "choice" ? { ...after, options: [], ...(event.offers as OptionOffer | undefined) } : after;
    if (after.step === "done" && roll.status === "open") roll.status = "done";
    if (after.step === "stopped") roll.status = "cancelled";
    roll.waits = (after.step === "done" && after.waits) || [];
  }
  if (kind !== "sheet.changed" && body?.sheets)
    roll.waits = roll.waits.filter((sheet) => !(body.sheets as string[]).includes(sheet));
  if (event.open.after?.step === "done" && roll.status === "open") roll.status = "done";
  if (event.open.after?.step === "stopped") roll.status = "cancelled";
  if (roll.status !== "done") roll.waits = [];
  if (roll.status !== "open" && !roll.end) roll.end = event.seq;
}

type Begun = Omit<RollStartedEvent, "title" | "marks"> & { title: Text; marks?: Marks | string };

function begin(
  roll: Roll,
  event: LogEvent,
  { by, title, marks, what, sheet, visibility, note, ask, physical, goal, roles, policy = "", bound }: Begun,
): void {
  Object.assign(roll, {
    veiled: false,
    silent: event.kind === "sealed",
    by,
    title,
    marks: marks ?? null,
    what: what as Roll["what"],
    sheet,
    visibility,
    note: textOf(event, note),
    ask,
    physical,
    goal,
    roles,
    policy,
    bound: !!bound,
  });
}

function entryOf({ seq, at, open, body: held }: LogEvent): Entry {
  if (!held) return { kind: "veiled", seq, at, by: String(open.by ?? ""), taken: false };
  const body = held as unknown as
    | (Omit<RollThrownEvent, "label" | "lies" | "named"> & { label?: Text; lies?: Lies; named?: Record<string, Text> })
    | (Omit<RollChosenEvent, "said"> & { said: Text });
  const { by, index } = body;
  if ("option" in body)
    return {
      kind: "chosen",
      seq,
      at,
      by,
      index,
      option: body.option,
      said: body.said,
      agreed: !!body.agreed,
      taken: false,
    };
  const { faces, dice, pool, how, fair, whose = "", label = "", lies = null, named } = body;
  return {
    kind: "thrown",
    seq,
    at,
    by,
    index,
    taken: false,
    faces,
    dice,
    pool,
    how,
    fair,
    whose,
    label,
    lies,
    named,
  };
}

/** The people, sheets, asks and facts of a table; folding gives new values and leaves the old ones as they were. */
export interface TableSnapshot {
  table: TableFacts;
  seats: Seat[];
  sheets: Sheet[];
  asks: RollRequest[];
  session: number;
  fair: FairFacts;
}

export const emptySnapshot = (id: string): TableSnapshot => ({
  table: { id, game: "", title: "", house: {}, knock: false, lists: {}, dialect: "" },
  seats: [],
  sheets: [],
  asks: [],
  session: 1,
  fair: { epoch: "", slots: {}, devices: [], witnesses: false, offers: {} },
});

type Fold<Kind extends keyof EventBodies> = (
  world: TableSnapshot,
  event: LogEvent,
  body: EventBodies[Kind],
) => Partial<TableSnapshot>;
const changed = <T extends { id: string }>(all: T[], id: string, change: (one: T) => T): T[] =>
  all.map((one) => (one.id === id ? change(one) : one));

const FOLDS: { [Kind in keyof EventBodies]?: Fold<Kind> } = {
  "table.created": (world, event, { game, house, knock, lists, title }) => ({
    table: { ...world.table, game, house, knock, lists: (lists as Body | null) ?? {}, title: textOf(event, title) },
  }),
  "table.changed": (world, event, body) => ({
    table: {
      ...world.table,
      ...(body.house ? { house: body.house } : {}),
      ...("knock" in body ? { knock: !!body.knock } : {}),
      ...("lists" in body ? { lists: body.lists as Body } : {}),
      ...("dialect" in body ? { dialect: body.dialect ?? "" } : {}),
      ...("title" in body ? { title: textOf(event, body.title) } : {}),
    },
  }),
  "seat.joined": (world, event, { seat, role, name, status }) => ({
    seats: [...world.seats.filter((one) => one.id !== seat), { id: seat, role, name: textOf(event, name), status }],
  }),
  "seat.admitted": (world, _, body) => ({
    seats: changed(world.seats, body.seat, (seat) => ({ ...seat, status: "here" })),
  }),
  "seat.removed": (world, _, body) => ({
    seats: changed(world.seats, body.seat, (seat) => ({ ...seat, status: "removed" })),
  }),
  "seat.renamed": (world, event, body) => ({
    seats: changed(world.seats, body.seat, (seat) => ({ ...seat, name: textOf(event, body.name) })),
  }),
  "seat.role_changed": (world, _, body) => ({
    seats: changed(world.seats, body.seat, (seat) => ({ ...seat, role: body.role })),
  }),
  "seat.styled": (world, _, { seat: id, look }) => ({
    seats: changed(world.seats, id, (seat) => ({ ...seat, look })),
  }),
  "person.erased": (world, _, body) => ({
    seats: changed(world.seats, body.seat, (seat) => ({ ...seat, name: "", look: undefined })),
  }),
  "sheet.created": (world, _, { sheet, owner, values, shown }) => ({
    sheets: [...world.sheets.filter((one) => one.id !== sheet), { id: sheet, owner, values, shown, changes: {} }],
  }),
  "sheet.changed": (world, event, body) => ({
    sheets: changed(world.sheets, body.sheet, (sheet) => {
      const fields = Object.entries(body.changes);
      const values = { ...sheet.values, ...Object.fromEntries(fields.map(([name, { after }]) => [name, after])) };
      const changes = Object.fromEntries(
        fields.map(([name, change]) => [name, { ...change, seq: event.seq, at: event.at, cause: body.cause }]),
      );
      return { ...sheet, values, changes: { ...sheet.changes, ...changes } };
    }),
  }),
  "sheet.removed": (world, _, body) => ({ sheets: world.sheets.filter((sheet) => sheet.id !== body.sheet) }),
  "roll_request.created": (world, event, { ask, by, who, roll, note, visibility, announce }) => ({
    asks: [
      ...world.asks.filter((one) => one.id !== ask),
      {
        id: ask,
        by,
        who,
        roll,
        note: textOf(event, note),
        visibility,
        announce,
        answered: {},
        closed: false,
        at: event.at,
        seq: event.seq,
      } as RollRequest,
    ],
  }),
  "roll_request.answered": (world, _, body) => ({
    asks: changed(world.asks, body.ask, (ask) => ({ ...ask, answered: { ...ask.answered, [body.seat]: body.roll } })),
  }),
  "roll_request.closed": (world, _, body) => ({
    asks: changed(world.asks, body.ask, (ask) => ({ ...ask, closed: true })),
  }),
  "session.ended": (_, __, body) => ({ session: body.number + 1 }),
};

/** Slots, devices and numbers of witnesses after one event more; much of that is seen of secret events as well. */
function foldFair(fair: FairFacts, event: LogEvent): FairFacts {
  const { open, body = {} } = event;
  const kind = kindOf(event);
  const next = { ...fair, slots: { ...fair.slots, ...open.slots } };
  if (kind === "table.created" || kind === "table.imported")
    Object.assign(next, { epoch: event.hash, slots: open.slots ?? {}, offers: {} });
  if ("witnesses" in body) next.witnesses = !!body.witnesses;
  if (kind === "seat.moved" && !body.keep_old) next.devices = changedDevices(fair, "seat", body.seat, { gone: true });
  if (body.device && (kind === "seat.joined" || kind === "seat.moved"))
    next.devices = [
      ...next.devices,
      { ...(body.device as unknown as DeviceData), seat: String(body.seat), counter: 0, quiet: 0 },
    ];
  const call = callOf(event);
  if (call?.counter)
    next.devices = changedDevices(next, "id", call.device, {
      [call.lane === "table" ? "quiet" : "counter"]: call.counter,
    });
  const offers = Object.entries(next.offers);
  if (kind === "witness.committed")
    offers.push(...(body.commitments as string[]).map((one) => [one, String(body.by)] as [string, string]));
  const waits = ([offer, seat]: [string, string]): boolean =>
    offer !== open.witness?.offer && !(kind === "witness.timed_out" && seat === body.seat);
  if (kind.startsWith("witness.") || open.witness) next.offers = Object.fromEntries(offers.filter(waits));
  return next;
}

const changedDevices = (
  { devices }: FairFacts,
  by: "seat" | "id",
  name: Plain | undefined,
  change: Partial<FairFacts["devices"][number]>,
): FairFacts["devices"] => devices.map((one) => (one[by] === name ? { ...one, ...change } : one));

export function applyEvent(world: TableSnapshot, event: LogEvent): TableSnapshot {
  const fold = FOLDS[kindOf(event) as keyof EventBodies] as
    | ((world: TableSnapshot, event: LogEvent, body: Body) => Partial<TableSnapshot>)
    | undefined;
  const fair = foldFair(world.fair, event);
  return fold && event.body ? { ...world, fair, ...fold(world, event, event.body) } : { ...world, fair };
}
