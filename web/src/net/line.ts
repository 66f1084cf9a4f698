// The line to a table: one socket that comes back by itself, and commands that happen exactly once.
import { signal } from "@preact/signals";
import { addressOf } from "../app/base";
import type { Body, LogEvent } from "../state/types";
import type { Ack, Command, Looked, Refused as NotDone } from "./shapes";
import { clearOutbox, posted, putOut, takeOut } from "./outbox";
import { Refused } from "./rest";
import { newId } from "./tokens";
import { language } from "../words";

export type Standing = "connecting" | "open" | "waiting" | "closed";
export type Sent = Command & { id: string };
export type Done = Omit<Ack, "events">;
/** Somebody at the door is told no more than the table and who they are. */
export interface Welcome extends Pick<Looked, "you" | "head" | "hash" | "connected"> { table: string; snapshot?: Looked; limits?: Body; address?: string }
export interface Heard {
  /** The last event that is known, with its hash. */
  after: () => { after: number | null; hash: string };
  welcome: (welcome: Welcome) => void;
  events: (events: LogEvent[]) => void;
  present: (seats: string[]) => void;
  want: (count: number) => void;
  bye: (code: string, message: string) => void;
  /** A refusal in the words of the table. */
  worded: (message: string) => string;
  /** A command from before the page was loaded anew was refused; nobody else waits for it. */
  refused: (problem: Error) => void;
}

/** How this page talks; a server of another number says so, and the page is loaded anew. */
const PROTOCOL = 3;
const PING = 20_000;
const PONG = 8_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const FINAL = new Set(["removed", "unauthorized", "forbidden", "not_found", "gone", "deleted"]);
/** Refusals that a later try may not meet again. */
const PASSING = new Set(["unavailable", "too_many", "disk_full", "internal"]);
const MOST_TRIES = 4;

interface Waiting { command: Sent; tries: number; sent: boolean; done?: (ack: Done) => void; failed?: (problem: Error) => void }

export class Line {
  readonly standing = signal<Standing>("connecting");
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

  constructor(private table: string, private token: string, private heard: Heard) {
    this.outbox = posted(table).map((command) => ({ command, tries: 0, sent: true, failed: heard.refused }));
    this.count();
    addEventListener("online", this.hurry);
    addEventListener("offline", this.cut);
    document.addEventListener("visibilitychange", this.look);
    this.connect();
  }

  /** Sends a command now or as soon as there is a line; the promise ends with its acknowledgement. */
  send(fields: Command): Promise<Done> {
    const command: Sent = { id: newId(), ...fields };
    return new Promise((done, failed) => {
      const waiting = { command, tries: 0, sent: false, done, failed };
      this.outbox.push(waiting);
      putOut(this.table, command);
      if (this.welcomed) this.post(waiting);
      this.count();
    });
  }

  /** Lets go of every command that never left; whoever waits for one is told why. */
  takeBack(why: string): void {
    const unheard = this.outbox.filter((one) => !one.sent);
    this.outbox = this.outbox.filter((one) => one.sent);
    this.count();
    for (const { command, failed } of unheard) {
      takeOut(this.table, command.id);
      failed?.(new Refused("taken_back", why));
    }
  }

  private count(): void {
    this.unsent.value = this.outbox.length;
    this.unheard.value = this.outbox.filter((one) => !one.sent && one.command.do !== "witness.offer").length;
  }

  private post(waiting: Waiting): void {
    waiting.sent ||= this.socket?.readyState === WebSocket.OPEN;
    this.put({ command: waiting.command });
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
    const place = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${addressOf(`/api/v1/tables/${this.table}/socket`)}?language=${language.value}`;
    const socket = (this.socket = new WebSocket(place));
    socket.onopen = () => socket.send(JSON.stringify({ hello: { protocol: PROTOCOL, token: this.token, ...this.heard.after(), recent: 100 } }));
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
    else if ("want" in message) this.heard.want((message.want as { witness?: number }).witness ?? 0);
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
    for (const one of this.outbox) this.post(one);
    this.count();
  }

  private ping = (): void => {
    this.put({ ping: Date.now() });
    clearTimeout(this.silence);
    const socket = this.socket;
    this.silence = window.setTimeout(() => socket && this.lost(socket), PONG);
  };

  private settle(ack: Done | NotDone): void {
    const waiting = this.outbox.find((one) => one.command.id === ack.id);
    if (!waiting) return;
    if (!ack.ok && PASSING.has(ack.error.code) && waiting.tries < MOST_TRIES) {
      waiting.tries += 1;
      const wait = Math.max(FIRST_WAIT * 2 ** waiting.tries, ack.error.wait ?? 0);
      setTimeout(() => this.welcomed && this.put({ command: waiting.command }), wait);
      return;
    }
    this.outbox = this.outbox.filter((one) => one !== waiting);
    this.count();
    takeOut(this.table, waiting.command.id);
    if (ack.ok) waiting.done?.(ack);
    else waiting.failed?.(new Refused(ack.error.code, this.heard.worded(ack.error.message), ack.error.field));
  }

  private part({ code, message }: { code: string; message: string }): void {
    // What waits to be sent is sent by the newer page.
    if (code === "protocol") this.close();
    if (FINAL.has(code)) {
      this.close();
      // Whoever comes back to this table comes back as somebody else.
      clearOutbox(this.table);
      for (const one of this.outbox) one.failed?.(new Refused(code, message));
    }
    this.heard.bye(code, message);
  }

  private drop(): void {
    clearTimeout(this.silence);
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    this.welcomed = false;
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
