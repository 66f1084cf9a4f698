// The links stay available as long as the table exists, not only until the first person has come.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import "../i18n/coming";

const Links = lazy(async () => (await import("./LinksDialog")).LinksDialog);

export function InviteLinks({ table }: { table: Table }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        class="button quiet round"
        aria-label={t("invite.title")}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="invite" />
      </button>
      {open && <Links table={table} onClose={() => setOpen(false)} />}
    </>
  );
}
