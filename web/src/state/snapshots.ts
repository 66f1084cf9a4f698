// A snapshot of a table as the server sends it, in the shape that events are folded into.
import { emptySnapshot, type TableSnapshot } from "./reducer";
import type { SnapshotAnswer } from "../net/shapes";
import type { RollRequest, Body, Seat, Sheet } from "./types";

export function snapshotOf(id: string, looked: SnapshotAnswer): TableSnapshot {
  const { table, you, seats = [], sheets = [], asks = [], session = 1 } = looked;
  return {
    ...emptySnapshot(id),
    table: {
      id,
      game: table?.game ?? "",
      title: table?.title ?? "",
      house: table?.house ?? {},
      knock: !!table?.knock,
      lists: (table?.lists as Body | null) ?? {},
      dialect: table?.dialect ?? "",
    },
    seats: seats.map(
      (one): Seat => ({ id: one.seat, role: one.role, name: one.name ?? "", status: one.status, look: one.look }),
    ),
    sheets: sheets.map(
      (one): Sheet => ({ id: one.sheet, owner: one.owner, values: one.values, shown: one.shown, changes: {} }),
    ),
    asks: asks.map(
      (one): RollRequest => ({
        id: one.ask,
        by: one.by,
        who: one.who,
        roll: one.roll,
        note: one.note ?? "",
        visibility: one.visibility,
        announce: one.announce,
        answered: one.answered,
        closed: false,
        at: 0,
        seq: 0,
      }),
    ),
    session,
    fair: {
      epoch: table?.epoch ?? "",
      slots: table?.slots ?? {},
      devices: table?.devices ?? [],
      witnesses: !!table?.witnesses,
      offers: Object.fromEntries((table?.offers ?? []).map((offer) => [offer, you?.seat ?? ""])),
    },
  };
}
