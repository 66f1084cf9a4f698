// The calls that this device signs at a table, its answers as a witness, and its protests.
import { signal } from "@preact/signals";
import { writeStored, readStored } from "../app/storage";
import { ASKING, TABLE_LANE } from "../fair/calls";
import { hashOfCall, newOffers, publicKey, signCall } from "../fair/signing";
import {
  answer,
  answeredRequests,
  isOwn,
  lastCounter,
  lastHead,
  lostCalls,
  offersOf,
  rememberCall,
  rememberHead,
  rememberOffers,
  settleCall,
  takeCounter,
} from "../net/device";
import type { CommandAck, NotDone, Sent, Wire } from "../net/table_socket";
import { RequestError } from "../net/http";
import type { DeviceView, EventsAnswer } from "../net/shapes";
import { knownTable, newNonce } from "../net/tokens";
import { bring, t } from "../i18n";
import { en_keys } from "../i18n/en_keys";
import { callOf, kindOf } from "./reducer";
import type { Table } from "./table";
import type { LogEvent } from "./types";

bring(en_keys);

/** Something that this device remembers otherwise than the log has it. */
export interface Protest {
  what: "unsigned" | "vanished" | "rewritten" | "passed" | "replaced" | "seated";
  seq: number;
}

const THROWS = new Set(["roll.start", "roll.choose", "roll.throw", "roll.repeat"]);
/** So many numbers are ready for throws of others, and are topped up when fewer are left than that. */
const OFFERED = 6;
const FEW = 3;

const protestsPlace = (table: string): string => `protests.${table}`;
export const protestsOf = (table: string): Protest[] => readStored(protestsPlace(table), []);

export class Caller {
  readonly protests = signal<Protest[]>([]);
  private seed: string;
  private key: string;
  private topping = false;
  /** The events that ask for a witness, and the commitments to open. */
  private asked = new Map<number, string>();

  constructor(private table: Table) {
    this.seed = knownTable(table.id)?.seed ?? "";
    this.key = this.seed && publicKey(this.seed);
    this.protests.value = protestsOf(table.id);
  }

  /** The device of this browser, if it signs for the seat. */
  get device(): DeviceView | undefined {
    return this.table.fair.devices.find(({ key, gone }) => key === this.key && !gone);
  }

  /** The message for a command that devices sign: the call, or the command itself if the seat has no device. */
  ready(command: Sent): Wire {
    const { fair, me } = this.table;
    const mine = fair.devices.filter(({ seat, gone }) => seat === me.value?.seat && !gone);
    // A host that left our key out of the log would have us roll on its word.
    if (!mine.length && this.seed) throw new RequestError("unsigned", t("key.left_out"));
    if (!mine.length) return THROWS.has(command.do) ? ({ ...command, nonce: newNonce() } as Sent) : command;
    const device = this.device;
    if (!device) throw new RequestError("unsigned", t("key.missing"));
    const { id, ...plain } = command;
    const lane = this.isQuiet(plain) ? TABLE_LANE : device.id;
    const known = (lane === TABLE_LANE ? device.quiet : device.counter) ?? 0;
    const counter = takeCounter(this.table.id, this.key, lane, known);
    const { seq: seen, hash } = this.table.last;
    const slot = THROWS.has(command.do) ? (fair.slots[lane] ?? "") : "";
    const place = { table: this.table.id, epoch: fair.epoch, seat: device.seat, device: device.id };
    const made = signCall(this.seed, { ...place, lane, counter, seen, head: hash.slice(0, 32), slot }, plain);
    rememberCall(this.table.id, this.key, lane, counter, made.hash, this.mayBeHidden(plain));
    return { id, call: made.call, texts: made.texts };
  }

  /** Whether nobody but those who see it may know of what a command does. */
  private isQuiet(command: object): boolean {
    const {
      do: what,
      announce,
      ask,
      roll,
    } = command as { do: string; announce?: boolean; ask?: string; roll?: string };
    if (what === "roll.start") {
      const answering = this.table.world.value.asks.find(({ id }) => id === ask);
      return answering ? !answering.announce && answering.visibility !== "open" : announce === false;
    }
    const about = roll ? this.table.roll(roll) : undefined;
    // A repeated roll is as secret as the old one was, revealed or not.
    return !!about?.silent && (what === "roll.repeat" || !about.revealed);
  }

  /** Whether what comes of a command may be hidden from whoever gives it: a blind roll, or dice that a rule hides. */
  private mayBeHidden(command: object): boolean {
    const { do: what, visibility, ask, roll } = command as Record<string, string | undefined>;
    if (what === "roll.start") return !!ask || visibility === "blind";
    return what !== "roll.choose" || !roll || (this.table.roll(roll)?.visibility ?? "blind") === "blind";
  }

  /** Handles the result of a call; returns whether to make another in its place. */
  settled(wire: Wire, ack: CommandAck | NotDone | null): boolean {
    if (!("call" in wire)) return false;
    const { lane = "", counter = 0 } = wire.call;
    if (ack?.first) {
      this.checkAnswer(lane, counter, ack.first, ack.last ?? ack.first);
      return !ack.ok && ack.error.code === "stale_slot";
    }
    settleCall(this.table.id, this.key, lane, counter, null);
    // Another tab of this browser was faster; otherwise nobody but the host knows why.
    return (
      !!ack && !ack.ok && ack.error.code === "stale_counter" && lastCounter(this.table.id, this.key, lane) > counter
    );
  }

  /** Looks at all that is known when the page comes to the table, or comes back to it; the log ends at `end`. */
  begin(end: number): void {
    this.see(this.table.known());
    void this.checkHead(end);
  }

  /** Looks at events that happened just now. */
  hear(events: LogEvent[]): void {
    this.see(events);
    const head = lastHead(this.table.id);
    // What another tab has seen before this one must come to this one too, as it was.
    const again = head && events.find(({ seq }) => seq === head.seq);
    if (again && again.hash !== head.hash) this.protest("rewritten", head.seq);
    if (!head || head.seq <= this.table.last.seq) rememberHead(this.table.id, this.table.last);
  }

  /** An answer must be in the log, if this seat may see it. */
  private checkAnswer(lane: string, counter: number, first: number, last: number): void {
    const events = Array.from({ length: last - first + 1 }, (_, n) => this.table.event(first + n));
    const isShown = lostCalls(this.table.id, this.key).some((one) => one.lane === lane && one.counter === counter);
    const holds = (event: LogEvent | undefined): boolean =>
      !event || (!event.body && !isShown) || callOf(event)?.counter === counter;
    if (!events.some(holds)) this.protest("vanished", first);
  }

  private see(events: LogEvent[]): void {
    for (const event of events) {
      this.checkCall(event);
      this.checkSlot(event);
      this.checkDevice(event);
      this.follow(event);
    }
    this.attend();
  }

  /** Answers what is asked of this device as a witness, and keeps numbers ready. */
  private attend(): void {
    if (this.table.me.value?.status !== "here") return;
    for (const [asked, offer] of this.asked) {
      const number = answer(this.table.id, asked, offer);
      if (number) this.table.send({ do: "witness.reveal", asked, number }).catch(() => undefined);
    }
    this.topUp(offersOf(this.table.id));
  }

  private topUp(numbers: Record<string, string>): void {
    const { witnesses, offers } = this.table.fair;
    const left = Object.keys(offers).filter((offer) => offer in numbers).length;
    if (!witnesses || this.topping || left >= FEW) return;
    this.topping = true;
    const made = newOffers(OFFERED - left);
    rememberOffers(this.table.id, made);
    const done = (): void => void (this.topping = false);
    void this.table.send({ do: "witness.commit", commitments: Object.keys(made) }).then(done, done);
  }

  /** A call in the name of this device must be one that it signed. */
  private checkCall(event: LogEvent): void {
    const call = callOf(event);
    const device = this.table.fair.devices.find(({ key }) => key === this.key);
    if (!call?.device || call.device !== device?.id || !call.lane || !call.counter) return;
    const epoch = this.table.epochAt(event.seq);
    if (!epoch) return;
    const hash = hashOfCall(this.table.id, epoch, device.seat, call);
    const own = isOwn(this.table.id, this.key, call.lane, call.counter, hash);
    if (own === false) this.protest("unsigned", event.seq);
    else settleCall(this.table.id, this.key, call.lane, call.counter, event.seq);
  }

  /** The slot of this device is replaced by its own calls, and where a table is taken up from its log. */
  private checkSlot(event: LogEvent): void {
    const { seq, kind, open, body } = event;
    const id = this.device?.id;
    if (!id || !open.slots || !(id in open.slots) || kind === "table.imported") return;
    const call = callOf(event);
    const brought = (body?.device as { id?: string } | undefined)?.id === id;
    if (body && !brought && call?.device !== id) this.protest("replaced", seq);
  }

  /** Another device of this seat must have been asked for by one that it has. */
  private checkDevice(event: LogEvent): void {
    const { body, seq } = event;
    const mine = this.table.me.value?.seat;
    if (kindOf(event) !== "seat.moved" || !mine || body?.seat !== mine) return;
    const brought = (body.device as { key?: string } | undefined)?.key;
    const { devices } = this.table.fair;
    const own = devices.some(({ id, seat }) => seat === mine && id === callOf(event)?.device);
    if (!own && brought !== this.key && devices.some(({ key }) => key === this.key)) this.protest("seated", seq);
  }

  /** Which numbers dice wait for, and whether this device was passed over although it answered. */
  private follow(event: LogEvent): void {
    const { seq, body, open } = event;
    const mine = this.table.me.value?.seat;
    const kind = kindOf(event);
    if (kind === "witness.revealed" || kind === "witness.timed_out") this.asked.delete(Number(body?.asked));
    if (
      kind === "witness.timed_out" &&
      body?.seat === mine &&
      answeredRequests(this.table.id).includes(Number(body?.asked))
    )
      this.protest("passed", seq);
    // Only dice may ask: whoever else had the number could choose the dice with it.
    if (mine && open.witness?.seat === mine && (ASKING.includes(kind) || (!body && kind === "sealed")))
      this.asked.set(seq, open.witness.offer);
  }

  /** Whether the log still holds the last event that this browser saw of the table. */
  async checkHead(end: number): Promise<void> {
    const head = lastHead(this.table.id);
    if (!head) return rememberHead(this.table.id, this.table.last);
    // Another tab may have seen what happened while this one had no line: it is asked for, and comes in a moment.
    const found = head.seq > end ? "" : await this.hashAt(head.seq);
    if (found !== null && found !== head.hash) this.protest("rewritten", head.seq);
    else if (head.seq > this.table.last.seq) return;
    rememberHead(this.table.id, this.table.last);
  }

  /** The hash of an event; null where nobody can say it now. */
  private async hashAt(seq: number): Promise<string | null> {
    const known = this.table.last.seq === seq ? this.table.last : this.table.event(seq);
    if (known) return known.hash;
    return this.table.get<EventsAnswer>(`/events?after=${seq - 1}&limit=1`).then(
      ({ events }) => events[0]?.hash ?? "",
      () => null,
    );
  }

  /** The person has seen them. */
  forgetProtests(): void {
    this.protests.value = [];
    writeStored(protestsPlace(this.table.id), undefined);
  }

  private protest(what: Protest["what"], seq: number): void {
    if (this.protests.value.some((one) => one.what === what && one.seq === seq)) return;
    this.protests.value = [...this.protests.value, { what, seq }];
    writeStored(protestsPlace(this.table.id), this.protests.value);
  }
}
