// A table as this browser knows it: its events folded into signals, and the commands one may send.
import { batch, computed, signal } from "@preact/signals";
import { writeStored, readStored } from "../app/storage";
import { TableSocket, type CommandAck, type Welcome } from "../net/table_socket";
import { get, post } from "../net/http";
import type { Command, EventsAnswer, SnapshotAnswer } from "../net/shapes";
import { rememberTable } from "../net/tokens";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { say } from "../i18n/text";
import { findFlight, isHeld, addThrows, landThrow, MOST_IN_AIR, type Flight } from "./flights";
import type { Text } from "./card";
import type { Caller } from "./calling";
import { emptySnapshot, reduceRoll, applyEvent, kindOf, rollOf, textOf, type TableSnapshot } from "./reducer";
import { gameFacts, setActiveGame } from "./games";
import { snapshotOf } from "./snapshots";
import type { Body, FeedItem, GameFacts, LogEvent, Role, Roll, Seat, Sheet } from "./types";

export interface Me {
  seat: string;
  role: Role;
  status: Seat["status"];
}

const IN_FEED = new Set([
  "chat.sent",
  "roll_request.created",
  "sheet.changed",
  "sheet.created",
  "sheet.removed",
  "seat.joined",
  "seat.admitted",
  "seat.removed",
  "seat.renamed",
  "seat.role_changed",
  "seat.moved",
  "person.erased",
  "table.created",
  "table.changed",
  "table.imported",
  "link.changed",
  "session.ended",
  "roll.revealed",
]);
/** The id and the owner of what the table shares. */
export const TABLE = "table";
/** Commands that devices sign. */
const CALLS = new Set([
  "roll.start",
  "roll.choose",
  "roll.throw",
  "roll.repeat",
  "roll.enter",
  "roll.take_back",
  "roll.cancel",
  "witness.commit",
  "witness.reveal",
  "seat.move",
]);
const PAGE = 200;

export const rollsIn = (items: readonly FeedItem[]): Roll[] =>
  items.flatMap((item) => ("roll" in item ? [item.roll] : []));

/** Reloads the page, since the server's protocol differs; once, and not again if that did not help. */
function loadAnew(): boolean {
  if (readStored("anew", false)) return false;
  writeStored("anew", true);
  location.reload();
  return true;
}

export class Table {
  readonly world;
  readonly me = signal<Me | null>(null);
  readonly connected = signal<string[]>([]);
  /** The server's address in the local network, for links that are made on its own machine. */
  readonly address = signal("");
  readonly game = signal<GameFacts | null>(null);
  /**
   * The items shown: all that has happened but what dice in the air will show. So is everything that follows from it.
   */
  readonly items = signal<FeedItem[]>([]);
  /** All that has happened, for choosing the watched roll. */
  readonly happened = signal<FeedItem[]>([]);
  /** The dice that are in the air before our eyes. */
  readonly air = signal<Flight | null>(null);
  readonly head = signal(0);
  readonly ready = signal(false);
  readonly over = signal<{ code: string; message: string } | null>(null);
  readonly older = signal<"some" | "loading" | "none">("some");
  /** Which roll is watched, so that its dice are seen in the air; empty for none, or where nothing moves. */
  watched: () => string = () => "";
  /** Called with the throws that take off, so that they can be heard. */
  onThrown: (events: LogEvent[]) => void = () => {};
  /** Called with the events that are shown from now on, so that they can be announced. */
  onNews: (events: LogEvent[], table: Table) => void = () => {};

  readonly seats = computed(() => this.world.value.seats);
  readonly here = computed(() => this.seats.value.filter((seat) => seat.status === "here"));
  readonly sheets = computed(() => this.world.value.sheets.filter((sheet) => sheet.id !== TABLE));
  /** The shared sheet, if the game has one. */
  readonly shared = computed(() => this.world.value.sheets.find((sheet) => sheet.id === TABLE));
  readonly mySheet = computed(() => this.sheets.value.find((sheet) => sheet.id === this.me.value?.seat));
  readonly isReferee = computed(() => this.me.value?.role === "referee" && this.me.value.status === "here");
  readonly isPlaying = computed(() => this.me.value?.status === "here" && this.me.value.role !== "spectator");
  readonly openRolls = computed(() => rollsIn(this.items.value).filter((roll) => this.isGoing(roll)));
  /** Rolls that have ended, and that wait for our word before they change somebody's sheet. */
  readonly letRolls = computed(() => rollsIn(this.items.value).filter((roll) => this.waitsForWord(roll)));
  readonly devices = computed(() => this.world.value.fair.devices);
  /** Slots, devices and offers as they are, also while dice are in the air. */
  get fair(): TableSnapshot["fair"] {
    return this.truth.fair;
  }
  readonly myAsks = computed(() =>
    this.world.value.asks.filter((ask) => !ask.closed && this.isFor(ask.who) && !(this.me.value!.seat in ask.answered)),
  );

  /** The ask that the next roll answers, where somebody picks it by hand. */
  readonly answering = signal("");
  /** House rules as they were before an event changed them, by its place. */
  readonly houses = new Map<number, Body>();
  /** Whether one is at the door and was never let in. */
  atDoor = false;
  /** When events of this evening were shown, by their place. */
  readonly arrived = new Map<number, number>();
  private events = new Map<number, LogEvent>();
  private rolls = new Map<string, Roll>();
  private ofRoll = new Map<string, Set<number>>();
  private line: TableSocket;
  /** The last event of the table that is known of. */
  last = { seq: 0, hash: "" };
  /** The signer of this device, with its protests; loaded once the table is in sight. */
  readonly caller = signal<Caller | null>(null);
  private calling: Promise<Caller> | null = null;
  private folded = 0;
  /** The world as it is, the one before anything that waits for dice, and what has happened since that. */
  private truth: TableSnapshot;
  private base: TableSnapshot;
  private since: LogEvent[] = [];
  /** Events that have happened and are not shown yet. */
  private unshown: LogEvent[] = [];
  /** A roll whose dice are in the air: without them, and as it will be when they lie. */
  private aloft: { before: Roll; coming: Roll } | null = null;
  private landing = 0;

  constructor(
    readonly id: string,
    readonly token: string,
  ) {
    this.truth = this.base = emptySnapshot(id);
    this.world = signal(this.truth);
    this.line = new TableSocket(id, token, {
      after: () =>
        this.ready.value
          ? { after: this.head.value, hash: this.events.get(this.head.value)?.hash ?? "" }
          : { after: null, hash: "" },
      welcome: (welcome) => this.begin(welcome),
      events: (events) => this.applyEvents(events, true),
      present: (seats) => (this.connected.value = seats),
      isCall: (command) => CALLS.has(command.do),
      ready: async (command) => (await this.called()).ready(command),
      settled: (wire, ack) => !!this.caller.value?.settled(wire, ack),
      bye: (code, message) => {
        if (code === "protocol" && loadAnew()) return;
        if (this.line.standing.value === "closed") this.over.value = { code, message };
      },
      withNames: (message) => this.worded(message),
      refused: showError,
    });
  }

  get standing(): TableSocket["standing"] {
    return this.line.standing;
  }

  get unsent(): TableSocket["unsent"] {
    return this.line.unsent;
  }

  get unheard(): TableSocket["unheard"] {
    return this.line.unheard;
  }

  /** Does something at the table; the promise ends when it is in the log. */
  send(command: Command): Promise<CommandAck> {
    if (command.do === "roll.start") command = this.withRollRequest(command);
    return this.line.send(command);
  }

  /** The signer; fetched once, and again if that failed. */
  private called(): Promise<Caller> {
    this.calling ??= import("./calling").then(
      ({ Caller }) => (this.caller.value = new Caller(this)),
      (problem) => {
        this.calling = null;
        throw problem;
      },
    );
    return this.calling;
  }

  /** The epoch of an event; empty if it is further back than is loaded. */
  epochAt(seq: number): string {
    const began = this.known().filter(({ kind }) => kind === "table.created" || kind === "table.imported");
    return began.findLast((event) => event.seq <= seq)?.hash ?? (began.length ? "" : this.fair.epoch);
  }

  /** People and rolls by their names instead of their numbers. */
  private worded(message: string): string {
    return message.replace(/\b[snr]\d+\b/g, (id) =>
      this.seat(id) || this.sheet(id) ? this.nameOf(id) : this.roll(id) ? `“${this.said(this.roll(id)!.title)}”` : id,
    );
  }

  /** A roll made by hand that answers an ask says so, and is seen as the ask wants it. */
  private withRollRequest<C extends { do: string }>(command: C): C {
    const ask = this.myAsks.value.find((one) => one.id === this.answering.value);
    return ask && !("ask" in command) ? { ...command, ask: ask.id, visibility: ask.visibility } : command;
  }

  /** Takes back what was never sent. */
  takeBack(): void {
    this.line.takeBack(t("offline.taken"));
  }

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return get<T>(`/tables/${this.id}${path}`, { token: this.token, signal });
  }

  post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return post<T>(`/tables/${this.id}${path}`, body, { token: this.token, signal });
  }

  leave(): void {
    clearTimeout(this.landing);
    this.line.close();
  }

  seat(id: string): Seat | undefined {
    return this.seats.value.find((seat) => seat.id === id);
  }

  sheet(id: string): Sheet | undefined {
    return this.world.value.sheets.find((sheet) => sheet.id === id);
  }

  roll(id: string): Roll | undefined {
    return this.aloft?.before.id === id ? this.aloft.before : this.rolls.get(id);
  }

  /** A roll as it will be when its dice lie; as it is where none are in the air. */
  coming(roll: Roll): Roll {
    return this.aloft?.before.id === roll.id ? this.aloft.coming : roll;
  }

  /** Lands a throw, also if nobody sees it any longer: when all of a flight have landed, their results are shown. */
  land(seq: number): void {
    const air = this.air.peek();
    if (!air?.up.has(seq)) return;
    const left = landThrow(air, seq);
    if (left.up.size) this.air.value = left;
    else this.flyOn(air);
  }

  rollEvents(id: string): LogEvent[] {
    return [...(this.ofRoll.get(id) ?? [])].sort((a, b) => a - b).map((seq) => this.events.get(seq)!);
  }

  known(): LogEvent[] {
    return [...this.events.values()].sort((a, b) => a.seq - b.seq);
  }

  event(seq: number): LogEvent | undefined {
    return this.events.get(seq);
  }

  /** The note of an ask, and its author; null for one without words, or before what is known. */
  wordsOf(ask: string): { by: string; note: string } | null {
    const held = this.world.value.asks.find((one) => one.id === ask);
    if (held) return held.note ? { by: held.by, note: held.note } : null;
    const made =
      ask && this.known().find((event) => kindOf(event) === "roll_request.created" && event.body?.ask === ask);
    const note = made ? textOf(made, made.body!.note) : "";
    return note ? { by: String((made as LogEvent).body!.by), note } : null;
  }

  nameOf(id: string): string {
    if (id === "referee") return t("people.referee");
    if (id === TABLE) return t("shared.title");
    const sheet = this.sheet(id);
    if (/^n\d+$/.test(id)) return String(sheet?.values.name || t("people.npc"));
    return this.seat(id)?.name || t("people.someone");
  }

  /** Whom a roll is about: the character by its name, where there is one. */
  characterOf(id: string): string {
    return String(this.sheet(id)?.values.name || this.nameOf(id));
  }

  /** A text in words, with the names of characters and people in the place of their seats. */
  said(text: Text | null | undefined): string {
    return say(text, (ref) => this.characterOf(ref.replace("@", "")));
  }

  isFor(who: string[] | string | undefined): boolean {
    const me = this.me.value;
    if (me?.status !== "here" || !who) return false;
    if (who === "all") return me.role === "player";
    return who.includes(me.seat) || (who.includes("referee") && me.role === "referee");
  }

  /** Whether a sheet is somebody else's than the roller's, who is no referee: then its owner has a say. */
  isForeign(roll: Roll, id: string): boolean {
    const owner = this.sheet(id)?.owner;
    return owner !== roll.by && owner !== TABLE && this.seat(roll.by)?.role !== "referee";
  }

  /** Whether a roll waits for something: what nobody was told of ends with whoever made it and has left. */
  isGoing(roll: Roll): boolean {
    const hasLeft = this.seats.value.some(({ id, status }) => id === roll.by && status === "removed");
    return roll.status === "open" && !roll.veiled && !(hasLeft && roll.silent && !roll.revealed);
  }

  /** Whether a roll waits for our word before it changes somebody's sheet. */
  waitsForWord(roll: Roll): boolean {
    return roll.waits.some((id) => this.isForeign(roll, id) && this.mayLet(roll, id));
  }

  /** Whether we decide if what waits of a roll happens to a sheet. */
  mayLet(roll: Roll, id: string): boolean {
    const sheet = this.sheet(id);
    return (
      !!sheet &&
      (this.isReferee.value ||
        (this.isPlaying.value && this.me.value?.seat === (this.isForeign(roll, id) ? sheet.owner : roll.by)))
    );
  }

  /** Loads earlier events into the feed. */
  async loadOlder(): Promise<void> {
    if (this.older.value !== "some") return;
    this.older.value = "loading";
    try {
      const first = Math.min(...this.events.keys());
      const { events } = await this.get<EventsAnswer>(`/events?before=${first}&limit=${PAGE}`);
      this.applyEvents(events, false);
      this.older.value = (events[0]?.seq ?? 0) <= 1 ? "none" : "some";
    } catch {
      this.older.value = "some";
    }
  }

  /** Fetches the people, sheets and asks again from the server; events that came while it answered are not lost. */
  async refresh(): Promise<void> {
    const snapshot = await this.get<SnapshotAnswer>("");
    const later = this.known().filter((event) => event.seq > Number(snapshot.head));
    this.truth = later.reduce(applyEvent, snapshotOf(this.id, snapshot));
    // A snapshot knows what dice in the air will show: then they lie.
    this.startFlight(null);
  }

  private begin(welcome: Welcome): void {
    writeStored("anew", undefined);
    // A page that knows a log and gets a new snapshot is at another log: nothing of it may be mixed in.
    if (this.ready.value && welcome.snapshot) return location.reload();
    batch(() => {
      this.me.value = welcome.you ?? null;
      this.atDoor = this.me.value?.status === "knocking" || (this.atDoor && this.me.value?.status !== "here");
      this.connected.value = welcome.connected ?? [];
      this.address.value = welcome.address ?? "";
      if (welcome.snapshot && welcome.head !== undefined) {
        for (const held of [this.events, this.rolls, this.ofRoll]) held.clear();
        this.truth = snapshotOf(this.id, welcome.snapshot);
        this.folded = welcome.head;
        const { recent = [], rolls = {} } = welcome.snapshot;
        const open = Object.values(rolls).flat();
        this.last = { seq: welcome.head, hash: welcome.hash ?? "" };
        this.applyEvents([...open, ...recent], false);
        this.head.value = welcome.head;
        this.older.value = (recent[0]?.seq ?? 1) <= 1 ? "none" : "some";
        this.ready.value = true;
      }
    });
    const { head } = welcome;
    if (head === undefined) return;
    void this.learnGame();
    if (this.me.value)
      this.called().then(
        (caller) => caller.begin(head),
        () => undefined,
      );
  }

  private async learnGame(): Promise<void> {
    const { game, title } = this.world.value.table;
    rememberTable(this.id, { game, title, ...(this.me.value ? { seat: this.me.value.seat } : {}) });
    if (game && !this.game.value) setActiveGame((this.game.value = await gameFacts(game)));
  }

  private applyEvents(events: LogEvent[], live: boolean): void {
    const touched = new Set<string>();
    let stale = false;
    let world = this.truth;
    const news: LogEvent[] = [];
    for (const event of events) {
      const before = this.events.get(event.seq);
      if (before && (before.body || !event.body)) continue;
      this.events.set(event.seq, event);
      const roll = rollOf(event);
      if (roll) {
        touched.add(roll);
        (this.ofRoll.get(roll) ?? this.ofRoll.set(roll, new Set()).get(roll)!).add(event.seq);
      }
      if (before || (live && event.seq <= this.folded)) stale ||= !!event.body && kindOf(event) === "sheet.changed";
      else if (live) {
        if (kindOf(event) === "table.changed") this.houses.set(event.seq, world.table.house);
        world = applyEvent(world, event);
        this.folded = event.seq;
        news.push(event);
      }
    }
    for (const event of news)
      if (kindOf(event) === "person.erased") for (const id of this.forget(String(event.body?.seat))) touched.add(id);
    batch(() => {
      this.truth = world;
      this.since.push(...news);
      this.unshown.push(...news);
      for (const id of touched) this.rolls.set(id, reduceRoll(id, this.rollEvents(id)));
      this.happened.value = this.itemsOf((id) => this.rolls.get(id));
      if (live) this.head.value = Math.max(this.head.value, ...events.map((event) => event.seq));
      this.takeOff();
      this.renewMe();
    });
    for (const event of news) if (kindOf(event) === "roll.revealed") void this.open(rollOf(event));
    if (stale || news.some((event) => kindOf(event) === "person.erased")) void this.refresh();
    const last = live ? events.at(-1) : undefined;
    if (last && last.seq >= this.last.seq) this.last = { seq: last.seq, hash: last.hash };
    this.caller.value?.hear(news);
    if (news.some((event) => event.kind === "table.changed" || event.kind === "table.created")) void this.learnGame();
  }

  /** Has the dice of the roll that is watched fly, where some were just thrown; those of another lie. */
  private takeOff(): void {
    const watched = this.watched();
    const air = this.air.peek();
    if (air && air.roll === watched) this.startFlight(addThrows(air, this.unshown));
    else this.startFlight(watched ? findFlight(watched, this.unshown) : null);
  }

  /** A flight has ended: the next throw of the same moment takes off, or all is shown. */
  private flyOn({ roll, next, before }: Flight): void {
    const later = this.unshown.filter((event) => event.seq >= next);
    this.startFlight(findFlight(roll, later, before + 1));
  }

  /** Shows everything but what the dice in the air will show; newly shown events are news. */
  private startFlight(air: Flight | null): void {
    const before = this.air.peek();
    const anew = air && air.from !== before?.from;
    const news = this.unshown.filter((event) => !isHeld(event, air));
    this.unshown = this.unshown.filter((event) => isHeld(event, air));
    for (const event of news) this.arrived.set(event.seq, performance.now());
    batch(() => {
      this.air.value = air;
      this.aloft = air && this.inAir(air);
      this.world.value = air
        ? this.since.filter((event) => !isHeld(event, air)).reduce(applyEvent, this.base)
        : this.truth;
      this.items.value = air ? this.itemsOf((id) => this.roll(id), air) : this.happened.peek();
    });
    if (!air) {
      this.base = this.truth;
      this.since = [];
    }
    if (!air || anew) clearTimeout(this.landing);
    if (air && anew) {
      this.landing = window.setTimeout(() => this.flyOn(this.air.peek() ?? air), MOST_IN_AIR);
      this.onThrown(this.unshown.filter((event) => air.throws.has(event.seq)));
    }
    if (news.length) this.onNews(news, this);
  }

  /** A roll without the dice that are in the air, and with all that they bring. */
  private inAir({ roll: id, from, next }: Flight): { before: Roll; coming: Roll } {
    const events = this.rollEvents(id);
    const upTo = (end: number): Roll =>
      reduceRoll(
        id,
        events.filter((event) => event.seq < end),
      );
    return { before: { ...upTo(from), after: null, waits: [], air: true }, coming: upTo(next) };
  }

  /** Lets go of somebody's name and words, as the server has done; the rolls that held some are given back. */
  private forget(seat: string): Set<string> {
    const rolls = new Set<string>();
    for (const event of this.events.values()) {
      const of = event.body && ("name" in event.body ? event.body.seat : event.body.by);
      if (!event.texts || of !== seat) continue;
      this.events.set(event.seq, { ...event, texts: {} });
      if (rollOf(event)) rolls.add(rollOf(event));
    }
    return rolls;
  }

  /** Fetches what a revealed roll has hidden so far, where the frame did not bring it. */
  private async open(roll: string): Promise<void> {
    const hidden = this.rollEvents(roll).find((event) => !event.body);
    if (!hidden) return;
    const { events } = await this.get<EventsAnswer>(`/events?after=${hidden.seq - 1}&limit=${PAGE}`);
    this.applyEvents(
      events.filter((event) => this.events.get(event.seq)?.body === undefined),
      true,
    );
  }

  private renewMe(): void {
    const me = this.me.value;
    const seat = me && this.seat(me.seat);
    if (seat && (seat.role !== me.role || seat.status !== me.status))
      this.me.value = { seat: seat.id, role: seat.role, status: seat.status };
  }

  private itemsOf(rollOfId: (id: string) => Roll | undefined, air: Flight | null = null): FeedItem[] {
    const items: FeedItem[] = [];
    for (const id of this.rolls.keys()) {
      const roll = rollOfId(id)!;
      // A roll whose beginning is unknown, or further back, is no card yet.
      if (!roll.begun) continue;
      items.push({ key: roll.id, place: roll.veiled ? roll.first : roll.end || roll.last, at: roll.at, roll });
    }
    for (const event of this.events.values()) {
      const ofRoll = kindOf(event) === "sheet.changed" && rollOfId(rollOf(event))?.veiled === false;
      if (
        !isHeld(event, air) &&
        IN_FEED.has(kindOf(event)) &&
        event.body &&
        !ofRoll &&
        !(kindOf(event) === "sheet.created" && event.body.sheet === TABLE)
      )
        items.push({ key: `e${event.seq}`, place: event.seq, at: event.at, event });
    }
    return items.sort((a, b) => a.place - b.place);
  }
}
