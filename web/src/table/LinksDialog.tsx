// Links into the table: copied, shared, replaced.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { knownTable, linkTo, newToken, overlayTo, rememberTable, tokenHash } from "../net/tokens";
import type { Role } from "../state/types";
import type { Table } from "../state/table";
import { Dialog } from "../ui/Dialog";
import { ConfirmButton, Switch } from "../ui/fields";
import { Icon, type IconName } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { closeLink } from "./JoinFlood";
import { Invitation } from "./Invite";
import { LinkRow } from "./People";

const ROLES: { role: Role; icon: IconName }[] = [
  { role: "player", icon: "person" },
  { role: "referee", icon: "crown" },
  { role: "spectator", icon: "eye" },
];

export function LinksDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const [links, setLinks] = useState(knownTable(table.id)?.links ?? {});
  const rotate = async (role: Role): Promise<void> => {
    const token = newToken();
    try {
      await table.send({ do: "link.rotate", role, token_hash: await tokenHash(token) });
      const next = { ...links, [role]: token };
      rememberTable(table.id, { links: next });
      setLinks(next);
    } catch (problem) {
      showError(problem);
    }
  };
  const close = (role: Role): Promise<void> =>
    closeLink(table, role).then(() => setLinks({ ...links, [role]: undefined }), showError);
  return (
    <Dialog title={t("links.title")} onClose={onClose}>
      <p>{t("links.about")}</p>
      {links.player && <Invitation table={table} link={linkTo(table.id, links.player, table.address.value)} />}
      {ROLES.map(({ role, icon }) => (
        <section class="stack close" key={role}>
          <h3 class="row">
            <Icon name={icon} size={20} />
            {t(`links.${role}`)}
          </h3>
          {links[role] ? (
            <LinkRow label={t(`links.${role}`)} link={linkTo(table.id, links[role]!, table.address.value)}>
              <ConfirmButton
                label={t("links.rotate")}
                sure={t("links.rotate.sure")}
                onSure={() => void rotate(role)}
                className="button quiet"
                icon={<Icon name="again" size={18} />}
              />
              <ConfirmButton
                label={t("links.close")}
                sure={t("links.close.sure")}
                onSure={() => void close(role)}
                className="button quiet"
                icon={<Icon name="lock" size={18} />}
              />
            </LinkRow>
          ) : (
            <>
              <p class="small soft">{t("links.unknown")}</p>
              <div>
                <button class="button" onClick={() => void rotate(role)}>
                  <Icon name="link" size={18} />
                  {t("links.make")}
                </button>
              </div>
            </>
          )}
          {role === "spectator" && links[role] && (
            <OverlayLink link={overlayTo(table.id, links[role]!, table.address.value)} />
          )}
        </section>
      ))}
      <Switch
        label={t("start.knock")}
        help={t("start.knock.help")}
        on={table.world.value.table.knock}
        onChange={(knock) => void table.send({ do: "table.change", knock }).catch(showError)}
      />
    </Dialog>
  );
}

/** The same link for streaming software: only the dice, on nothing. */
function OverlayLink({ link }: { link: string }): JSX.Element {
  return (
    <>
      <h4 class="row">
        <Icon name="table" size={18} />
        {t("links.overlay")}
      </h4>
      <p class="small soft">{t("links.overlay.about")}</p>
      <LinkRow label={t("links.overlay")} link={link} />
    </>
  );
}
