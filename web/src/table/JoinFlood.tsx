// Many newcomers at once: the referee gets a notice, and can keep strangers out with one tap.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { knownTable, newToken, rememberTable, tokenHash } from "../net/tokens";
import { kindOf } from "../state/reducer";
import type { Role, Seat } from "../state/types";
import type { Table } from "../state/table";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import "../sheets/words";

/** More than a group with its friends; a real crowd is let be with a tap. */
const MANY = 10;
const MINUTES = 5;

/** Those who sat down in the last minutes and have done nothing since. */
export function newcomers(table: Table): Seat[] {
  const events = table.items.value.flatMap((item) => ("event" in item ? [item.event] : []));
  const latest = Math.max(0, ...table.items.value.map((item) => item.at));
  const came = new Set(
    events
      .filter((event) => kindOf(event) === "seat.joined" && event.at >= latest - MINUTES * 60_000)
      .map((event) => String(event.body?.seat)),
  );
  const busy = new Set<string>([
    ...table.sheets.value.map((sheet) => sheet.owner),
    ...table.items.value.map((item) =>
      "roll" in item ? item.roll.by : kindOf(item.event) === "seat.joined" ? "" : String(item.event.body?.by ?? ""),
    ),
  ]);
  return table.seats.value.filter(
    (seat) => seat.status !== "removed" && seat.role !== "referee" && came.has(seat.id) && !busy.has(seat.id),
  );
}

/** Closes the link of a role; no new one takes its place until somebody wants one. */
export async function closeLink(table: Table, role: Role): Promise<void> {
  await table.send({ do: "link.rotate", role, token_hash: await tokenHash(newToken()) });
  rememberTable(table.id, { links: { ...knownTable(table.id)?.links, [role]: undefined } });
}

export function JoinFlood({ table }: { table: Table }): JSX.Element | null {
  const [letBe, setLetBe] = useState(0);
  const [choosing, setChoosing] = useState(false);
  const [closed, setClosed] = useState(false);
  const found = newcomers(table);
  const knock = table.world.value.table.knock;
  if (!table.isReferee.value || (found.length < Math.max(MANY, letBe + 1) && !choosing)) return null;
  return (
    <div class="notice crowd" role="status">
      <Icon name="warn" />
      <div class="grow stack close">
        <span>{t("crowd.many", { n: found.length })}</span>
        <div class="row">
          {!knock && (
            <button
              class="button"
              onClick={() => void table.send({ do: "table.change", knock: true }).catch(showError)}
            >
              <Icon name="knock" size={18} />
              {t("crowd.knock")}
            </button>
          )}
          {!closed && (
            <button
              class="button"
              onClick={() => void closeLink(table, "player").then(() => setClosed(true), showError)}
            >
              <Icon name="lock" size={18} />
              {t("crowd.close")}
            </button>
          )}
          <button class="button" onClick={() => setChoosing(true)}>
            <Icon name="cross" size={18} />
            {t("crowd.remove")}
          </button>
          <button class="button quiet" onClick={() => setLetBe(found.length)}>
            {t("crowd.fine")}
          </button>
        </div>
      </div>
      {choosing && <RemoveMany table={table} seats={found} onClose={() => setChoosing(false)} />}
    </div>
  );
}

function RemoveMany({ table, seats, onClose }: { table: Table; seats: Seat[]; onClose: () => void }): JSX.Element {
  const [listed] = useState(seats);
  const [chosen, setChosen] = useState(
    () => new Set(seats.filter((seat) => !table.connected.value.includes(seat.id)).map((seat) => seat.id)),
  );
  const [busy, setBusy] = useState(false);
  const turn = (id: string): void =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      for (const seat of chosen) await table.send({ do: "seat.remove", seat });
      onClose();
    } catch (problem) {
      setBusy(false);
      showError(problem);
    }
  };
  return (
    <Dialog title={t("crowd.remove")} onClose={onClose}>
      <p>{t("crowd.about")}</p>
      <ul class="people">
        {listed.map((seat) => (
          <li key={seat.id}>
            <label class="row">
              <input type="checkbox" checked={chosen.has(seat.id)} onChange={() => turn(seat.id)} />
              <span class="grow">{table.nameOf(seat.id)}</span>
              {!table.connected.value.includes(seat.id) && <span class="small soft">{t("people.away")}</span>}
            </label>
          </li>
        ))}
      </ul>
      <button class="button bad wide" disabled={busy || !chosen.size} onClick={() => void remove()}>
        {t("crowd.remove.sure", { n: chosen.size })}
      </button>
    </Dialog>
  );
}
