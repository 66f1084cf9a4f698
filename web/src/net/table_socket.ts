// The line to a table: one socket that comes back by itself, and commands that happen exactly once.
import { signal } from "@preact/signals";
import { addressOf } from "../app/base";
import type { Body, LogEvent } from "../state/types";
import type { AckAnswer, SignedCommand, Command, SnapshotAnswer, ErrorAnswer as NotDone, TextData } from "./shapes";
import { clearOutbox, pendingCommands, storePending, findPending, removePending } from "./outbox";
import { RequestError } from "./http";
import { newId } from "./tokens";
import { language } from "../i18n";

export type SocketStatus = "connecting" | "open" | "waiting" | "closed";
export type Sent = Command & { id: string };
/** The message for a command: itself, or the call that this device has signed for it. */
export type Wire = Sent | { id: string; call: SignedCommand; texts: Record<string, TextData> };
export type CommandAck = Omit<AckAnswer, "events">;
export type { NotDone };
/** Somebody at the door gets no more than the table and who they are. */
export interface Welcome extends Pick<SnapshotAnswer, "you" | "head" | "hash" | "connected"> {
  table: string;
  snapshot?: SnapshotAnswer;
  limits?: Body;
  address?: string;
}
export interface SocketListener {
  /** The last event that is known, with its hash. */
  after: () => { after: number | null; hash: string };
  welcome: (welcome: Welcome) => void;
  events: (events: LogEvent[]) => void;
  present: (seats: string[]) => void;
  /** Whether a command is made ready right before it is sent: it says what this page knows by then. */
  isCall: (command: Command) => boolean;
  /** Returns the message for such a command; made once, and sent again as it is. */
  ready: (command: Sent) => Promise<Wire>;
  /** Handles the result; returns whether to make another call for the same command. */
  settled: (wire: Wire, answer: CommandAck | NotDone | null) => boolean;
  bye: (code: string, message: string) => void;
  /** A refusal in the words of the table. */
  withNames: (message: string) => string;
  /** A command from before the page was reloaded was refused; nobody else waits for it. */
  refused: (problem: Error) => void;
}

/** The version of this page's protocol; a server of another version says so, and the page reloads. */
const PROTOCOL = 3;
const PING = 20_000;
const PONG = 8_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const FINAL = new Set(["removed", "unauthorized", "forbidden", "not_found", "gone", "deleted"]);
/** Refusals that a later try may not meet again. */
const PASSING = new Set(["unavailable", "too_many", "disk_full", "internal"]);
const MOST_TRIES = 4;
/** Calls made for the same command at most. */
const MOST_CALLS = 4;
/** How long to wait where a call cannot be made ready, since a part of the page does not come. */
const LATER = 2_000;

interface Waiting {
  command: Sent;
  /** Undefined while it is to be made ready. */
  wire?: Wire | undefined;
  making?: boolean;
  calls: number;
  tries: number;
  /** Whether the browser stores it; then it was answered in another tab once it is stored no more. */
  stored: boolean;
  /** Whether it ever left, and whether it did so on the socket that is open now. */
  sent: boolean;
  posted: boolean;
  done?: (ack: CommandAck) => void;
  failed?: (problem: Error) => void;
}

export class TableSocket {
  readonly standing = signal<SocketStatus>("connecting");
  /** Commands that have no answer yet. */
  readonly unsent = signal(0);
  /** Those of them that certainly never left, and can be taken back. */
  readonly unheard = signal(0);
  private socket: WebSocket | null = null;
  private outbox: Waiting[];
  private tries = 0;
  private timer = 0;
  private pulse = 0;
  private silence = 0;
  private welcomed = false;

  constructor(
    private table: string,
    private token: string,
    private heard: SocketListener,
  ) {
    this.outbox = pendingCommands(table).map(({ command, wire }) => {
      const made = wire ?? (heard.isCall(command) ? undefined : command);
      const sent = !!made;
      return { command, wire: made, calls: 0, tries: 0, stored: true, sent, posted: false, failed: heard.refused };
    });
    this.count();
    addEventListener("online", this.hurry);
    addEventListener("offline", this.cut);
    document.addEventListener("visibilitychange", this.look);
    this.connect();
  }

  /** Sends a command now or as soon as there is a line; the promise ends with its acknowledgement. */
  send(fields: Command): Promise<CommandAck> {
    const command: Sent = { id: newId(), ...fields };
    return new Promise((done, failed) => {
      const wire = this.heard.isCall(command) ? undefined : command;
      const fresh = { calls: 0, tries: 0, stored: false, sent: false, posted: false };
      const waiting: Waiting = { command, wire, ...fresh, done, failed };
      // Dice of somebody else wait for a witness: that goes before all that is not on its way yet.
      const place = command.do === "witness.reveal" ? this.outbox.findIndex((one) => !one.wire && !one.making) : -1;
      this.outbox.splice(place < 0 ? this.outbox.length : place, 0, waiting);
      this.store(waiting);
      this.flow();
    });
  }

  private store(waiting: Waiting): void {
    storePending(this.table, waiting);
    waiting.stored = findPending(this.table, waiting.command.id) !== null;
  }

  /** Sends all that can be sent, in order; a call is made when all before it is answered, and nothing passes it. */
  private flow(): void {
    if (this.welcomed)
      for (const [place, one] of this.outbox.entries()) {
        if (!one.wire) {
          if (!place && !one.making) this.makeReady(one);
          break;
        }
        if (!one.posted) this.post(one);
      }
    this.count();
  }

  private makeReady(one: Waiting): void {
    const stored = findPending(this.table, one.command.id);
    // Another tab of this browser may have sent it by now, or have had an answer.
    if (one.stored && !stored)
      return this.leave(one, () => one.done?.({ ok: true, id: one.command.id, first: null, last: null }));
    if (stored?.wire) {
      one.wire = stored.wire;
      return this.flow();
    }
    one.making = true;
    const later = (): void => void (one.making = false);
    this.heard.ready(one.command).then(
      (wire) => {
        later();
        if (!this.outbox.includes(one)) return void this.heard.settled(wire, null);
        one.wire = wire;
        this.store(one);
        this.flow();
      },
      (problem: Error) => {
        later();
        if (problem instanceof RequestError) this.leave(one, () => one.failed?.(problem));
        else setTimeout(() => this.flow(), LATER);
      },
    );
  }

  private leave(one: Waiting, tell: () => void): void {
    this.outbox = this.outbox.filter((other) => other !== one);
    removePending(this.table, one.command.id);
    tell();
    this.flow();
  }

  /** Cancels every command that was never sent; its caller gets the reason. */
  takeBack(why: string): void {
    const unheard = this.outbox.filter((one) => !one.sent);
    this.outbox = this.outbox.filter((one) => one.sent);
    this.count();
    for (const { command, failed } of unheard) {
      removePending(this.table, command.id);
      failed?.(new RequestError("taken_back", why));
    }
  }

  private count(): void {
    this.unsent.value = this.outbox.length;
    this.unheard.value = this.outbox.filter((one) => !one.sent && !one.command.do.startsWith("witness.")).length;
  }

  private post(waiting: Waiting): void {
    waiting.posted = this.socket?.readyState === WebSocket.OPEN;
    waiting.sent ||= waiting.posted;
    this.put({ command: waiting.wire });
  }

  close(): void {
    this.standing.value = "closed";
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.cut);
    document.removeEventListener("visibilitychange", this.look);
    clearTimeout(this.timer);
    this.drop();
  }

  private put(message: unknown): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private connect = (): void => {
    clearTimeout(this.timer);
    if (this.socket || this.standing.value === "closed") return;
    this.standing.value = "connecting";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = addressOf(`/api/v1/tables/${this.table}/socket`);
    const place = `${scheme}://${location.host}${path}?language=${language.value}`;
    const socket = (this.socket = new WebSocket(place));
    socket.onopen = () =>
      socket.send(
        JSON.stringify({ hello: { protocol: PROTOCOL, token: this.token, ...this.heard.after(), recent: 100 } }),
      );
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as Record<string, never>);
    socket.onclose = () => this.lost(socket);
    this.silence = window.setTimeout(() => this.lost(socket), PONG + 4_000);
  };

  private hear(message: Record<string, never>): void {
    clearTimeout(this.silence);
    if ("welcome" in message) this.begin(message.welcome);
    else if ("events" in message) this.heard.events(message.events);
    else if ("ack" in message) this.settle(message.ack);
    else if ("present" in message) this.heard.present((message.present as { seats: string[] }).seats);
    else if ("bye" in message) this.part(message.bye);
  }

  private begin(welcome: Welcome): void {
    this.tries = 0;
    this.standing.value = "open";
    this.heard.welcome(welcome);
    clearInterval(this.pulse);
    this.pulse = window.setInterval(this.ping, PING);
    // Somebody who knocks is welcomed once more when they are let in.
    if (welcome.head === undefined) return;
    this.welcomed = true;
    this.flow();
  }

  private ping = (): void => {
    this.put({ ping: Date.now() });
    clearTimeout(this.silence);
    const socket = this.socket;
    this.silence = window.setTimeout(() => socket && this.lost(socket), PONG);
  };

  private settle(ack: CommandAck | NotDone): void {
    const waiting = this.outbox.find((one) => one.command.id === ack.id);
    if (!waiting) return;
    if (!ack.ok && PASSING.has(ack.error.code) && waiting.tries < MOST_TRIES) {
      waiting.tries += 1;
      const wait = Math.max(FIRST_WAIT * 2 ** waiting.tries, ack.error.wait ?? 0);
      setTimeout(() => this.welcomed && this.put({ command: waiting.wire }), wait);
      return;
    }
    const anew = waiting.wire && this.heard.settled(waiting.wire, ack);
    if (anew && ++waiting.calls < MOST_CALLS) return this.callAnew(waiting);
    this.leave(waiting, () => {
      if (ack.ok) waiting.done?.(ack);
      else waiting.failed?.(new RequestError(ack.error.code, this.heard.withNames(ack.error.message), ack.error.field));
    });
  }

  /** Repeats a command with a new call, with a name and a number of its own. */
  private callAnew(waiting: Waiting): void {
    removePending(this.table, waiting.command.id);
    waiting.command = { ...waiting.command, id: newId() };
    waiting.wire = undefined;
    waiting.posted = waiting.sent = false;
    this.store(waiting);
    this.flow();
  }

  private part({ code, message }: { code: string; message: string }): void {
    // The newer page sends the waiting commands.
    if (code === "protocol") this.close();
    if (FINAL.has(code)) {
      this.close();
      // A newcomer to this table is another person.
      clearOutbox(this.table);
      for (const one of this.outbox) one.failed?.(new RequestError(code, message));
    }
    this.heard.bye(code, message);
  }

  private drop(): void {
    clearTimeout(this.silence);
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    this.welcomed = false;
    for (const one of this.outbox) one.posted = false;
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
    }
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.drop();
    if (this.standing.value === "closed") return;
    this.standing.value = "waiting";
    const wait = Math.min(FIRST_WAIT * 2 ** this.tries++, LONGEST_WAIT);
    this.timer = window.setTimeout(this.connect, wait * (0.5 + Math.random()));
  }

  private hurry = (): void => {
    this.tries = 0;
    if (!this.socket) this.connect();
  };

  private cut = (): void => {
    if (this.socket) this.lost(this.socket);
  };

  private look = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.socket && this.welcomed) this.ping();
    else this.hurry();
  };
}
