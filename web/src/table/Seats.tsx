// Who sits at the table, above the stage: whose turn it is to decide, and what; the others by their characters.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Roll, Seat } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import { Avatar } from "./Avatar";
import { question } from "./option_texts";
import { sheetName } from "./roll_owners";

const AskDialog = lazy(async () => (await import("./RollRequestDialog")).RollRequestDialog);

export function Seats({ table, roll }: { table: Table; roll: Roll | undefined }): JSX.Element {
  const [asks, setAsks] = useState(false);
  const here = table.here.value.filter((seat) => seat.role !== "spectator");
  const turns = new Map(here.map((seat) => [seat, turnOf(seat, roll, table)]));
  const order = [...here].sort((one, other) => Number(!!turns.get(other)) - Number(!!turns.get(one)));
  const names = here
    .map((seat) => `${table.nameOf(seat.id)}${isHere(seat, table) ? "" : ` (${t("people.away")})`}`)
    .join(", ");
  return (
    <div class="seats-strip">
      <ul aria-label={t("people.here", { names })}>
        {order.map((seat) => {
          const turn = turns.get(seat);
          // Rebuilt when the turn comes or goes: a browser that moves a seat keeps the old layout of its words.
          return (
            <li
              key={`${seat.id}${turn ? " turn" : ""}`}
              class="seat"
              data-turn={turn ? true : undefined}
              data-here={isHere(seat, table) || undefined}
            >
              <Avatar table={table} id={seat.id} size={34} />
              <span class="seat-said">
                <b>{turn?.said ?? table.nameOf(seat.id)}</b>
                <small>{turn?.what ?? aboutSeat(seat, table)}</small>
              </span>
            </li>
          );
        })}
      </ul>
      {table.isReferee.value && here.some((seat) => seat.role === "player") && (
        <button class="seat-ask" onClick={() => setAsks(true)}>
          <Icon name="bell" size={18} />
          <span>{t("ask.begin")}</span>
        </button>
      )}
      {asks && <AskDialog table={table} onClose={() => setAsks(false)} />}
    </div>
  );
}

const isHere = (seat: Seat, table: Table): boolean => table.connected.value.includes(seat.id);

/** The task of somebody now, if it is their turn. */
function turnOf(seat: Seat, roll: Roll | undefined, table: Table): { said: string; what: string } | undefined {
  if (roll?.status !== "open" || roll.veiled || !roll.after) return undefined;
  const name = table.nameOf(seat.id);
  const { after } = roll;
  if (
    after.step === "choice" &&
    (after.by.includes(seat.id) ||
      (after.by.includes("referee") && seat.role === "referee") ||
      (!after.by.length && roll.by === seat.id))
  )
    return { said: t("seat.decides", { name }), what: question(after, table) };
  return after.step === "throw" && after.by === seat.id
    ? { said: t("seat.throws", { name }), what: table.said(roll.title) }
    : undefined;
}

function aboutSeat(seat: Seat, table: Table): string {
  if (!isHere(seat, table)) return t("people.away");
  const name = sheetName(table, seat.id);
  return name !== table.nameOf(seat.id) ? name : t(`role.${seat.role}`);
}
