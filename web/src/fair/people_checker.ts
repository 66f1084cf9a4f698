// The people at a table and their devices, at one place of its log, as far as the owner of the log may know it.
import { toText } from "./bytes";
import type { Body } from "../state/types";

export interface Device {
  id: string;
  seat: string;
  key: string;
  /** The bot that holds the key for the person. */
  held: string;
  gone: boolean;
}

interface Seat {
  role: string;
  status: string;
}

interface Ask {
  seq: number;
  roll: Body;
  visibility: unknown;
  /** Whether the others learn that somebody rolls. */
  announce: boolean;
}

const HIDDEN_SHEET = /^n0?[1-9][0-9]{0,8}$/;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** How many of these numbers, the lowest first, are no more than another. */
export function countTo(numbers: number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! > most) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class PeopleChecker {
  readonly seats = new Map<string, Seat>();
  readonly devices = new Map<string, Device>();
  private bySeat = new Map<string, Device[]>();
  /** Whether dice wait for somebody else's number, and the events that turned this on and off. */
  private witnesses = false;
  private turned: number[] = [];
  /** The events by which each seat came to the table and left it, in turn. */
  private comings = new Map<string, number[]>();
  /** The last event that was followed. */
  head = 0;
  /** The number of the session that goes on. */
  session: unknown = 1;
  /** The game of the table; null where that is not known. */
  game: unknown = null;
  /** The tool whose spelling dice have; empty for ours. */
  dialect = "";
  /** The asks that are open: what is asked for, and where. */
  readonly asks = new Map<string, Ask>();
  /** The sheets that lie there, by what their characters are called. */
  private sheets = new Map<string, string>();
  private changes = new Map<string, number>();
  /** Whether anything was withheld so far. */
  hasSecrets = false;

  /**
   * `isWhole`: whether all is here that everybody may see, so that what is not here never was. `revealed`:
   * the rolls that were secret until somebody told of them.
   */
  constructor(
    public isWhole: boolean,
    readonly revealed: Set<string>,
  ) {}

  devicesOf(seat: unknown): Device[] {
    return (this.bySeat.get(toText(seat)) ?? []).filter(({ gone }) => !gone);
  }

  /** Whether somebody sits down for themselves, on the next seat. */
  isNext({ seat, by }: Body): boolean {
    return seat === `s${this.seats.size + 1}` && by === seat;
  }

  /** Whether somebody comes who did not ask, or leaves who has left, or a sheet is made that is there. */
  comesToNothing(kind: string, { seat, sheet }: Body): boolean {
    const status = this.seats.get(text(seat))?.status;
    if (kind === "seat.admitted") return status !== "knocking";
    if (kind === "seat.removed") return status === undefined || status === "removed";
    return kind === "sheet.created" && this.hasSheet(sheet);
  }

  isHere(seat: string): boolean {
    return this.seats.get(seat)?.status === "here";
  }

  /** Whether a seat was at the table after an event. */
  wasHere(seat: string, seq: number): boolean {
    return countTo(this.comings.get(seat) ?? [], seq) % 2 === 1;
  }

  /** Whether dice waited for somebody else's number after an event. */
  hadWitnesses(seq: number): boolean {
    return countTo(this.turned, seq) % 2 === 1;
  }

  /** Whether dice may wait for somebody else's number, as a device had seen it since an event. */
  mayHaveWitnesses(since: number): boolean {
    return this.witnesses || (this.turned.at(-1) ?? 0) > since;
  }

  /** Whether a seat has been at the table since an event; null if it came or left in between. */
  isHereSince(seat: string, since: number): boolean | null {
    const comings = this.comings.get(seat) ?? [];
    return (comings.at(-1) ?? 0) > since ? null : comings.length % 2 === 1;
  }

  isReferee(seat: string): boolean {
    return this.isHere(seat) && this.seats.get(seat)?.role === "referee";
  }

  /**
   * Whether what a roll goes back to, an ask or a roll before, may be hidden from us. Whoever sees a secret roll has
   * seen that too, unless they were told later: whose copy the log says it is does not matter.
   */
  mayLack({ roll, visibility }: Body): boolean {
    if (!this.isWhole) return true;
    return this.hasSecrets && visibility !== "open" && this.revealed.has(toText(roll));
  }

  /** Whether somebody or something has a sheet. */
  hasSheet(sheet: unknown): boolean {
    return this.sheets.has(toText(sheet));
  }

  /** What the character of a sheet is called; empty without one. */
  nameOf(sheet: unknown): string {
    return this.sheets.get(toText(sheet)) ?? "";
  }

  /** Whether a roll of a seat may be turned to somebody: there is such a one, or a referee sees one whom we do not. */
  isSomebody(id: string, by: unknown): boolean {
    if (!this.isWhole || this.seats.has(id) || this.changes.has(`sheet ${id}`)) return true;
    return this.hasSecrets && HIDDEN_SHEET.test(id) && this.isReferee(toText(by));
  }

  /** The last event that changed something that rolls read: `house`, `dialect`, or a sheet. */
  changed(what: string): number {
    return this.changes.get(what) ?? 0;
  }

  /** Takes note of what rolls read. */
  private read(seq: number, kind: string, body: Body): void {
    const ask = text(body.ask);
    const sheet = text(body.sheet);
    if (kind === "roll_request.created") {
      const { visibility, announce } = body;
      const told = { visibility, announce: announce !== false || visibility === "open" };
      this.asks.set(ask, { seq, roll: (body.roll ?? {}) as Body, ...told });
    }
    if (kind === "roll_request.closed") this.asks.delete(ask);
    if (kind === "sheet.created") this.sheets.set(sheet, text((body.values as Body | undefined)?.name));
    const name = (body.changes as Body | undefined)?.name as { after?: unknown } | undefined;
    if (kind === "sheet.changed" && name && this.sheets.has(sheet)) this.sheets.set(sheet, text(name.after));
    if (kind === "sheet.removed") this.sheets.delete(sheet);
    if (["sheet.created", "sheet.changed", "sheet.removed"].includes(kind)) this.changes.set(`sheet ${sheet}`, seq);
    if (kind === "table.changed")
      for (const name of ["house", "dialect"]) if (name in body) this.changes.set(name, seq);
  }

  /** Goes on by one event. */
  follow(seq: number, kind: string, body: Body): void {
    this.read(seq, kind, body);
    const id = text(body.seat);
    const seat = this.seats.get(id);
    const wasHere = this.isHere(id);
    const hadWitnesses = this.witnesses;
    this.head = seq;
    if (kind === "seat.joined") this.seats.set(id, { role: text(body.role), status: text(body.status) });
    if (kind === "seat.admitted" && seat) seat.status = "here";
    if (kind === "seat.removed" && seat) seat.status = "removed";
    if (kind === "seat.role_changed" && seat) seat.role = text(body.role);
    if (kind === "session.ended") this.session = Number(body.number) + 1;
    if (kind === "table.created") this.game = body.game;
    if (kind === "table.created" || (kind === "table.changed" && "witnesses" in body))
      this.witnesses = body.witnesses === true;
    if (this.witnesses !== hadWitnesses) this.turned.push(seq);
    if (this.isHere(id) !== wasHere) {
      const comings = this.comings.get(id) ?? [];
      comings.push(seq);
      this.comings.set(id, comings);
    }
    if (kind === "table.changed" && "dialect" in body) this.dialect = text(body.dialect);
    if (kind === "seat.moved" && body.keep_old !== true) for (const one of this.devicesOf(id)) one.gone = true;
    if (kind === "seat.joined" || kind === "seat.moved") this.bring(id, body.device);
  }

  private bring(seat: string, said: unknown): void {
    if (said === null || typeof said !== "object") return;
    const { id, key, held } = said as Body;
    const device = { id: text(id), seat, key: text(key), held: text(held), gone: false };
    this.devices.set(device.id, device);
    if (!this.bySeat.has(seat)) this.bySeat.set(seat, []);
    this.bySeat.get(seat)!.push(device);
  }
}
