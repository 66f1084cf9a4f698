// A snapshot of a table as the server sends it, in the shape that events are folded into.
import { emptyWorld, type World } from "./folding";
import type { Ask, Body, Plain, Seat, Sheet, Visibility } from "./types";

/** A text that may be sealed: as it is, or as the value beside its seal. */
const plainText = (value: Plain | undefined): string => {
  if (typeof value === "string") return value;
  const held = value as Body | null | undefined;
  return typeof held?.text === "string" ? held.text : "";
};

export function worldOf(id: string, snapshot: Body): World {
  const table = (snapshot.table ?? {}) as Body;
  return {
    ...emptyWorld(id),
    table: {
      id, game: String(table.game ?? ""), title: plainText(table.title), house: (table.house as Body) ?? {}, knock: !!table.knock,
      lists: (table.lists as Body) ?? {},
    },
    seats: ((snapshot.seats ?? []) as Body[]).map((seat): Seat => ({ id: String(seat.seat ?? seat.id), role: seat.role as Seat["role"], name: plainText(seat.name), status: (seat.status as Seat["status"]) ?? "here" })),
    sheets: ((snapshot.sheets ?? []) as Body[]).map((sheet): Sheet => ({ id: String(sheet.sheet ?? sheet.id), owner: String(sheet.owner), values: (sheet.values as Body) ?? {}, shown: sheet.shown !== false, changes: {} })),
    asks: ((snapshot.asks ?? []) as Body[]).map((ask): Ask => ({
      id: String(ask.ask ?? ask.id), by: String(ask.by), who: ask.who as string[] | string, roll: (ask.roll as Body) ?? {}, note: plainText(ask.note),
      visibility: (ask.visibility as Visibility) ?? "open", answered: (ask.answered as Record<string, string>) ?? {}, closed: !!ask.closed, at: Number(ask.at ?? 0), seq: Number(ask.seq ?? 0),
    })),
    session: Number(snapshot.session ?? 1),
  };
}
