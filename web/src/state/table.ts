// A table as this browser knows it: its events folded into signals, and the commands one may send.
import { batch, computed, signal } from "@preact/signals";
import { keep, kept } from "../app/kept";
import { remember } from "../fair/own";
import { Line, type Done, type Welcome } from "../net/line";
import { get, post } from "../net/rest";
import type { Command, Events, Looked } from "../net/shapes";
import { newNonce, rememberTable } from "../net/tokens";
import { tellProblem } from "../ui/live";
import { t } from "../words";
import { say } from "../words/text";
import type { Text } from "./card";
import { emptyWorld, foldRoll, foldWorld, kindOf, rollOf, textOf } from "./folding";
import { gameFacts, putInFront } from "./games";
import { worldOf } from "./snapshots";
import type { Body, FeedItem, GameFacts, LogEvent, Role, Roll, Seat, Sheet } from "./types";

export interface Me { seat: string; role: Role; status: Seat["status"] }

const IN_FEED = new Set([
  "said", "ask.made", "sheet.changed", "sheet.made", "sheet.removed", "seat.joined", "seat.admitted", "seat.removed", "seat.renamed",
  "seat.changed", "seat.moved", "person.forgotten", "table.created", "table.changed", "table.imported", "link.changed", "session.ended", "roll.revealed",
]);
/** The id and the owner of what the table shares. */
export const TABLE = "table";
const THROWS = new Set(["roll.start", "roll.choose", "roll.throw", "roll.again", "roll.enter"]);
const PAGE = 200;
const KEPT_NONCES = 64;

/** Loads the page anew, since the server talks otherwise than it; once, and not again where that did not help. */
function loadAnew(): boolean {
  if (kept("anew", false)) return false;
  keep("anew", true);
  location.reload();
  return true;
}

export class Table {
  readonly world;
  readonly me = signal<Me | null>(null);
  readonly connected = signal<string[]>([]);
  /** Where others in the local network reach this server, for links that are made on its own machine. */
  readonly address = signal("");
  readonly game = signal<GameFacts | null>(null);
  readonly items = signal<FeedItem[]>([]);
  readonly head = signal(0);
  readonly ready = signal(false);
  readonly over = signal<{ code: string; message: string } | null>(null);
  readonly older = signal<"some" | "loading" | "none">("some");
  /** Called with the events that happened just now, so that they can be announced. */
  onNews: (events: LogEvent[], table: Table) => void = () => {};

  readonly seats = computed(() => this.world.value.seats);
  readonly here = computed(() => this.seats.value.filter((seat) => seat.status === "here"));
  readonly sheets = computed(() => this.world.value.sheets.filter((sheet) => sheet.id !== TABLE));
  /** What the table shares, where its game lets it. */
  readonly shared = computed(() => this.world.value.sheets.find((sheet) => sheet.id === TABLE));
  readonly mySheet = computed(() => this.sheets.value.find((sheet) => sheet.id === this.me.value?.seat));
  readonly isReferee = computed(() => this.me.value?.role === "referee" && this.me.value.status === "here");
  readonly isPlaying = computed(() => this.me.value?.status === "here" && this.me.value.role !== "spectator");
  readonly openRolls = computed(() => this.items.value.flatMap((item) => ("roll" in item && item.roll.status === "open" && !item.roll.veiled ? [item.roll] : [])));
  /** Rolls that have ended, and that wait for our word before they change somebody's sheet. */
  readonly letRolls = computed(() => this.items.value.flatMap((item) => ("roll" in item && item.roll.waits.some((id) => this.isForeign(item.roll, id) && this.mayLet(item.roll, id)) ? [item.roll] : [])));
  readonly myAsks = computed(() => this.world.value.asks.filter((ask) => !ask.closed && this.isFor(ask.who) && !(this.me.value!.seat in ask.answered)));

  /** The ask that the next roll answers, where somebody picks it by hand. */
  readonly answering = signal("");
  /** House rules as they were before an event changed them, by its place. */
  readonly houses = new Map<number, Body>();
  /** Whether one stands at the door and was never let in. */
  atDoor = false;
  /** When events came that happened just now, by their place. */
  readonly arrived = new Map<number, number>();
  private events = new Map<number, LogEvent>();
  private rolls = new Map<string, Roll>();
  private ofRoll = new Map<string, Set<number>>();
  private line: Line;
  /** Ends when all that this page has thrown is known by its place in the log. */
  throwing: Promise<void> = Promise.resolve();
  private folded = 0;

  constructor(readonly id: string, readonly token: string) {
    this.world = signal(emptyWorld(id));
    this.line = new Line(id, token, {
      after: () => (this.ready.value ? { after: this.head.value, hash: this.events.get(this.head.value)?.hash ?? "" } : { after: null, hash: "" }),
      welcome: (welcome) => this.begin(welcome),
      events: (events) => this.take(events, true),
      present: (seats) => (this.connected.value = seats),
      want: (count) => this.offer(count),
      bye: (code, message) => {
        if (code === "protocol" && loadAnew()) return;
        if (this.line.standing.value === "closed") this.over.value = { code, message };
      },
      worded: (message) => this.worded(message),
      refused: tellProblem,
    });
  }

  get standing(): Line["standing"] {
    return this.line.standing;
  }

  get unsent(): Line["unsent"] {
    return this.line.unsent;
  }

  get unheard(): Line["unheard"] {
    return this.line.unheard;
  }

  /** Does something at the table; the promise ends when it is in the log. */
  send(command: Command): Promise<Done> {
    if (command.do === "roll.start") command = this.answered(command);
    if (!THROWS.has(command.do)) return this.line.send(command);
    const nonce = newNonce(), seen = this.head.value;
    const sent = this.line.send({ nonce, ...command } as Command).then((ack) => {
      const hash = this.event(ack.last ?? 0)?.hash;
      if (hash) remember(this.id, { nonce, seen, first: ack.first!, last: ack.last!, hash });
      return ack;
    });
    this.throwing = Promise.allSettled([this.throwing, sent]).then(() => undefined);
    return sent;
  }

  /** People and rolls by their names instead of their numbers. */
  private worded(message: string): string {
    return message.replace(/\b[snr]\d+\b/g, (id) => (this.seat(id) || this.sheet(id) ? this.nameOf(id) : this.roll(id) ? `“${this.said(this.roll(id)!.title)}”` : id));
  }

  /** A roll made by hand that answers an ask says so, and is seen as the ask wants it. */
  private answered<C extends { do: string }>(command: C): C {
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
    this.line.close();
  }

  seat(id: string): Seat | undefined {
    return this.seats.value.find((seat) => seat.id === id);
  }

  sheet(id: string): Sheet | undefined {
    return this.world.value.sheets.find((sheet) => sheet.id === id);
  }

  roll(id: string): Roll | undefined {
    return this.rolls.get(id);
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

  /** What was said with an ask, and by whom; null for one without words, or before what is known. */
  wordsOf(ask: string): { by: string; note: string } | null {
    const held = this.world.value.asks.find((one) => one.id === ask);
    if (held) return held.note ? { by: held.by, note: held.note } : null;
    const made = ask && this.known().find((event) => kindOf(event) === "ask.made" && event.body?.ask === ask);
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
    if (!me || me.status !== "here" || !who) return false;
    if (who === "all") return me.role === "player";
    return who.includes(me.seat) || (who.includes("referee") && me.role === "referee");
  }

  /** Whether a sheet is somebody else's than the roller's, who is no referee: then its owner has a say. */
  isForeign(roll: Roll, id: string): boolean {
    const owner = this.sheet(id)?.owner;
    return owner !== roll.by && owner !== TABLE && this.seat(roll.by)?.role !== "referee";
  }

  /** Whether we decide if what waits of a roll happens to a sheet. */
  mayLet(roll: Roll, id: string): boolean {
    const sheet = this.sheet(id);
    return !!sheet && (this.isReferee.value || (this.isPlaying.value && this.me.value?.seat === (this.isForeign(roll, id) ? sheet.owner : roll.by)));
  }

  /** Loads earlier events into the feed. */
  async loadOlder(): Promise<void> {
    if (this.older.value !== "some") return;
    this.older.value = "loading";
    try {
      const first = Math.min(...this.events.keys());
      const { events } = await this.get<Events>(`/events?before=${first}&limit=${PAGE}`);
      this.take(events, false);
      this.older.value = !events.length || events[0].seq <= 1 ? "none" : "some";
    } catch {
      this.older.value = "some";
    }
  }

  /** Takes the people, sheets and asks anew from the server; what came while it answered is not lost. */
  async refresh(): Promise<void> {
    const snapshot = await this.get<Looked>("");
    const later = this.known().filter((event) => event.seq > Number(snapshot.head));
    this.world.value = later.reduce(foldWorld, worldOf(this.id, snapshot));
  }

  private begin(welcome: Welcome): void {
    keep("anew", undefined);
    // Whoever knows a log and is shown the table anew knows another: nothing of it may be mixed in.
    if (this.ready.value && welcome.snapshot) return location.reload();
    batch(() => {
      this.me.value = welcome.you ?? null;
      this.atDoor = this.me.value?.status === "knocking" || (this.atDoor && this.me.value?.status !== "here");
      this.connected.value = welcome.connected ?? [];
      this.address.value = welcome.address ?? "";
      if (welcome.snapshot && welcome.head !== undefined) {
        for (const held of [this.events, this.rolls, this.ofRoll]) held.clear();
        this.world.value = worldOf(this.id, welcome.snapshot);
        this.folded = welcome.head;
        const { recent = [], rolls = {} } = welcome.snapshot;
        const open = Object.values(rolls).flat();
        this.take([...open, ...recent], false);
        this.head.value = welcome.head;
        this.older.value = (recent[0]?.seq ?? 1) <= 1 ? "none" : "some";
        this.ready.value = true;
      }
    });
    if (welcome.head !== undefined) void this.learnGame();
  }

  private async learnGame(): Promise<void> {
    const { game, title } = this.world.value.table;
    rememberTable(this.id, { game, title, ...(this.me.value ? { seat: this.me.value.seat } : {}) });
    if (game && !this.game.value) putInFront((this.game.value = await gameFacts(game)));
  }

  private take(events: LogEvent[], live: boolean): void {
    const touched = new Set<string>();
    let stale = false;
    let world = this.world.value;
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
        world = foldWorld(world, event);
        this.folded = event.seq;
        news.push(event);
        this.arrived.set(event.seq, performance.now());
      }
    }
    for (const event of news) if (kindOf(event) === "person.forgotten") for (const id of this.forget(String(event.body?.seat))) touched.add(id);
    batch(() => {
      this.world.value = world;
      for (const id of touched) this.rolls.set(id, foldRoll(id, this.rollEvents(id)));
      this.items.value = this.itemsNow();
      if (live) this.head.value = Math.max(this.head.value, ...events.map((event) => event.seq));
      this.renewMe();
    });
    for (const event of news) if (kindOf(event) === "roll.revealed") void this.open(rollOf(event));
    if (stale || news.some((event) => kindOf(event) === "person.forgotten")) void this.refresh();
    if (news.length) this.onNews(news, this);
    if (news.some((event) => event.kind === "table.changed" || event.kind === "table.created")) void this.learnGame();
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
    const hidden = this.rollEvents(roll).filter((event) => !event.body);
    if (!hidden.length) return;
    const { events } = await this.get<Events>(`/events?after=${hidden[0].seq - 1}&limit=${PAGE}`);
    this.take(events.filter((event) => this.events.get(event.seq)?.body === undefined), true);
  }

  private renewMe(): void {
    const me = this.me.value;
    const seat = me && this.seat(me.seat);
    if (seat && (seat.role !== me.role || seat.status !== me.status)) this.me.value = { seat: seat.id, role: seat.role, status: seat.status };
  }

  private itemsNow(): FeedItem[] {
    const items: FeedItem[] = [];
    for (const roll of this.rolls.values()) {
      // A roll whose beginning nobody has told of, or that lies further back, is no card yet.
      if (!roll.begun) continue;
      items.push({ key: roll.id, place: roll.veiled ? roll.first : roll.end || roll.last, at: roll.at, roll });
    }
    for (const event of this.events.values()) {
      const ofRoll = kindOf(event) === "sheet.changed" && this.roll(rollOf(event))?.veiled === false;
      if (IN_FEED.has(kindOf(event)) && event.body && !ofRoll && !(kindOf(event) === "sheet.made" && event.body.sheet === TABLE)) items.push({ key: `e${event.seq}`, place: event.seq, at: event.at, event });
    }
    return items.sort((a, b) => a.place - b.place);
  }

  private offer(count: number): void {
    if (!count || this.me.value?.status !== "here") return;
    const nonces = Array.from({ length: Math.min(count, 8) }, newNonce);
    keep(`witness.${this.id}`, [...kept<string[]>(`witness.${this.id}`, []), ...nonces].slice(-KEPT_NONCES));
    this.send({ do: "witness.offer", nonces }).catch(() => {});
  }
}
