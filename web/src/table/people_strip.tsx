// Who is at the table, as a strip in the top.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { t } from "../words";
import { Avatar } from "./avatar";

const MOST_SHOWN = 5;

export function PeopleStrip({ table }: { table: Table }): JSX.Element {
  const here = table.here.value.filter((seat) => seat.role !== "spectator");
  const names = here.map((seat) => `${table.nameOf(seat.id)}${table.connected.value.includes(seat.id) ? "" : ` (${t("people.away")})`}`).join(", ");
  return (
    <div class="people-strip" role="img" aria-label={t("people.here", { names })}>
      {here.slice(0, MOST_SHOWN).map((seat) => <span key={seat.id} class="presence" data-here={table.connected.value.includes(seat.id) || undefined}><Avatar table={table} id={seat.id} size={32} /></span>)}
      {here.length > MOST_SHOWN && <span class="small soft">+{here.length - MOST_SHOWN}</span>}
    </div>
  );
}
