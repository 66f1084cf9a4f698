// Who is at the table: a strip in the top, and a list with what can be done.
import type { Command } from "../net/shapes";
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { linkTo, newSeed, newToken, publicKey, tokenHash } from "../net/tokens";
import type { Role, Seat } from "../state/types";
import type { Table } from "../state/table";
import { copy, share } from "../ui/clipboard";
import { Dialog } from "../ui/Dialog";
import { Field, Segments, ConfirmButton } from "../ui/fields";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { showSheet } from "../sheets/open_sheet";
import { Avatar } from "./Avatar";
import { SeatStyle } from "./SeatStyle";

export function People({ table }: { table: Table }): JSX.Element {
  const [chosen, setChosen] = useState<string>("");
  const seats = table.seats.value;
  const knocking = seats.filter((seat) => seat.status === "knocking");
  const here = seats.filter((seat) => seat.status === "here");
  const gone = table.isReferee.value ? seats.filter((seat) => seat.status === "removed" && table.sheet(seat.id)) : [];
  const send = (command: "seat.admit" | "seat.refuse", seat: string) => (): void =>
    void table.send({ do: command, seat }).catch(showError);
  const seat = seats.find((one) => one.id === chosen);
  return (
    <section class="panel" aria-labelledby="people-title">
      <header>
        <h2 id="people-title">{t("people.title")}</h2>
      </header>
      {table.isReferee.value &&
        knocking.map((one) => (
          <div class="notice knocks" key={one.id}>
            <Icon name="knock" />
            <span class="grow">{t("people.knocks", { name: table.nameOf(one.id) })}</span>
            <button class="button main" onClick={send("seat.admit", one.id)}>
              {t("people.admit")}
            </button>
            <button class="button" onClick={send("seat.refuse", one.id)}>
              {t("people.refuse")}
            </button>
          </div>
        ))}
      <ul class="people seats">
        {here.map((one) => {
          const mine = one.id === table.me.value?.seat;
          return (
            <li class="row" key={one.id}>
              <span class="presence" data-here={table.connected.value.includes(one.id) || undefined}>
                <Avatar table={table} id={one.id} />
              </span>
              <span class="grow">
                <strong>{table.nameOf(one.id)}</strong>
                {mine && <span class="soft"> {t("people.you")}</span>}
                <br />
                <span class="small soft">
                  {t(`role.${one.role}`)}
                  {table.connected.value.includes(one.id) ? "" : ` · ${t("people.away")}`}
                </span>
              </span>
              {(mine || table.isReferee.value) && (
                <button
                  class="button quiet round"
                  aria-label={t("people.manage", { name: table.nameOf(one.id) })}
                  onClick={() => setChosen(one.id)}
                >
                  <Icon name="more" />
                </button>
              )}
            </li>
          );
        })}
        {gone.map((one) => (
          <li class="row" key={one.id}>
            <Avatar table={table} id={one.id} />
            <span class="grow">
              <strong>{table.nameOf(one.id)}</strong>
              <br />
              <span class="small soft">{t("people.gone")}</span>
            </span>
            <button class="button quiet" onClick={() => showSheet(one.id)}>
              <Icon name="sheet" size={18} />
              {t("tab.sheet")}
            </button>
          </li>
        ))}
      </ul>
      {seat && <SeatDialog key={seat.id} seat={seat} table={table} onClose={() => setChosen("")} />}
    </section>
  );
}

function SeatDialog({ seat, table, onClose }: { seat: Seat; table: Table; onClose: () => void }): JSX.Element {
  const [name, setName] = useState(seat.name);
  const [moved, setMoved] = useState("");
  const mine = seat.id === table.me.value?.seat;
  const send = (command: Command): Promise<unknown> => table.send(command).catch(showError);
  const move = async (): Promise<void> => {
    const token = newToken();
    const seed = newSeed();
    try {
      const [token_hash, key] = await Promise.all([tokenHash(token), publicKey(seed)]);
      await table.send({ do: "seat.move", seat: seat.id, token_hash, keep_old: mine, key });
      setMoved(linkTo(table.id, `${token}.${seed}`, table.address.value));
    } catch (problem) {
      showError(problem);
    }
  };
  const roles: Role[] = ["player", "referee", "spectator"];
  return (
    <Dialog title={table.nameOf(seat.id)} onClose={onClose}>
      <form
        class="row"
        onSubmit={(event) => (
          event.preventDefault(), name.trim() && void send({ do: "seat.rename", seat: seat.id, name: name.trim() })
        )}
      >
        <div class="grow">
          <Field label={t(mine ? "start.name" : "npc.name")}>
            {(about) => (
              <input
                {...about}
                class="input"
                maxLength={40}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            )}
          </Field>
        </div>
        <button class="button" disabled={!name.trim() || name.trim() === seat.name}>
          {t("do.save")}
        </button>
      </form>
      {mine && <SeatStyle seat={seat} table={table} />}
      {table.isReferee.value && !mine && (
        <Segments
          label={t("people.role")}
          value={seat.role}
          onChange={(role) => void send({ do: "seat.change_role", seat: seat.id, role })}
          options={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
        />
      )}
      <div class="stack close">
        <p class="small soft">{mine ? t("people.move.mine") : t("people.move.about")}</p>
        {moved ? (
          <LinkRow label={t("people.move")} link={moved} />
        ) : (
          <button class="button" onClick={move}>
            <Icon name="link" size={18} />
            {t("people.move")}
          </button>
        )}
      </div>
      <div class="row">
        <ConfirmButton
          label={mine ? t("people.leave") : t("people.remove")}
          sure={t("people.remove.sure")}
          onSure={() => void send({ do: "seat.remove", seat: seat.id }).then(onClose)}
          icon={<Icon name="cross" size={18} />}
        />
        <ConfirmButton
          label={t("people.forget")}
          sure={t("people.forget.sure")}
          onSure={() => void send({ do: "person.erase", seat: seat.id }).then(onClose)}
          icon={<Icon name="bin" size={18} />}
        />
      </div>
      <p class="small soft">{t("people.forget.about")}</p>
    </Dialog>
  );
}

export function LinkRow({
  label,
  link,
  children,
}: {
  label: string;
  link: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="row link-row">
      <input
        class="input grow mono"
        readOnly
        value={link}
        aria-label={label}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button class="button" onClick={() => void copy(link, t("copied.link"))}>
        <Icon name="copy" size={18} />
        {t("do.copy")}
      </button>
      {"share" in navigator && (
        <button class="button" onClick={() => void share(label, link)}>
          <Icon name="share" size={18} />
          {t("do.share")}
        </button>
      )}
      {children}
    </div>
  );
}
