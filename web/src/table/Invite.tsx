// The first sight of a newcomer: the link that brings the others, or one's own next step.
import type { JSX } from "preact";
import { addressOf } from "../app/base";
import { hereOnly, knownTable, linkTo } from "../net/tokens";
import type { Table } from "../state/table";
import { copy, share } from "../ui/clipboard";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { QrCode } from "../ui/QrCode";
import { t } from "../i18n";
import "../i18n/coming";
import { useTableMemory } from "./table_memory";

const NextStep = lazy(async () => (await import("./NextStep")).NextStep);
const SERVE = "rollwright serve --lan";

/** A table by its name, with its game where that is another. */
function called(table: Table): string {
  const { title } = table.world.value.table;
  const game = table.game.value?.title ?? t("table.free");
  return title && title !== game ? `${title}, ${game}` : game;
}

export function Invite({ table }: { table: Table }): JSX.Element | null {
  const token = knownTable(table.id)?.links?.player;
  useTableMemory(table);
  const alone = !table.seats.value.some((seat) => seat.id !== table.me.value?.seat);
  if (table.isReferee.value && token && alone) {
    return (
      <section class="card invite feed-invite" aria-labelledby="invite-title">
        <h2 id="invite-title">{t("invite.title")}</h2>
        <p class="soft">{t("invite.about")}</p>
        <Invitation table={table} link={linkTo(table.id, token, table.address.value)} />
      </section>
    );
  }
  return table.isPlaying.value && !table.isReferee.value ? <NextStep table={table} /> : null;
}

/** The link with what it leads to, for the hand and for a phone's camera; or why it leads nowhere. */
export function Invitation({ table, link }: { table: Table; link: string }): JSX.Element {
  const to = called(table);
  const said = t("invite.to", { host: table.nameOf(table.me.value?.seat ?? ""), table: to });
  const alone = hereOnly(table.address.value);
  return (
    <div class="invitation">
      <div class="stack close grow">
        <p class="invite-said">{said}</p>
        <div class="row">
          <button class="button" onClick={() => void copy(link, t("copied.link"))}>
            <Icon name="copy" size={18} />
            {t("invite.copy")}
          </button>
          {"share" in navigator && (
            <button class="button" onClick={() => void share(said, link)}>
              <Icon name="share" size={18} />
              {t("do.share")}
            </button>
          )}
        </div>
        {alone ? (
          <div class="notice here-only" role="note">
            <Icon name="warn" />
            <div>
              <strong>{t("invite.here_only")}</strong>
              <p class="small">
                {t("invite.here_only.about", { address: `${location.host}${addressOf("/")}`, command: SERVE })}
              </p>
            </div>
          </div>
        ) : (
          <p class="small soft">{t("invite.scan")}</p>
        )}
      </div>
      {!alone && <QrCode text={link} label={t("invite.code", { table: to })} />}
    </div>
  );
}
