// What a referee sees who sits alone at the table: the link that brings the others.
import type { JSX } from "preact";
import { knownTable, linkTo } from "../net/tokens";
import type { Table } from "../state/table";
import { copy, share } from "../ui/copying";
import { Icon, Mark } from "../ui/icons";
import { t } from "../words";

export function Invite({ table }: { table: Table }): JSX.Element | null {
  const token = knownTable(table.id)?.links?.player;
  if (!table.isReferee.value || !token || table.seats.value.some((seat) => seat.id !== table.me.value?.seat)) return null;
  const link = linkTo(table.id, token);
  return (
    <section class="card invite feed-invite" aria-labelledby="invite-title">
      <Mark size={44} />
      <h2 id="invite-title">{t("invite.title")}</h2>
      <p class="soft">{t("invite.about")}</p>
      <div class="row">
        <button class="button" onClick={() => void copy(link, t("copied.link"))}><Icon name="copy" size={18} />{t("invite.copy")}</button>
        {"share" in navigator && <button class="button" onClick={() => void share(t("invite.title"), link)}><Icon name="share" size={18} />{t("do.share")}</button>}
      </div>
    </section>
  );
}
