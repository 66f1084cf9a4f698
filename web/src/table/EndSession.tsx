// The end of a session; rolls that are still open are not forgotten over it, and one may look back.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { evening } from "../screens/views";
import type { Table } from "../state/table";
import { ConfirmButton } from "../ui/fields";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import "../i18n/coming";
import { useTableMemory } from "./table_memory";

const LookBack = lazy(async () => (await import("../screens/RecapDialog")).LookBack);
const RecapDialog = lazy(async () => (await import("../screens/RecapDialog")).RecapDialog);

export function EndSession({ table }: { table: Table }): JSX.Element {
  const [keeps, setKeeps] = useState(false);
  const open = table.openRolls.value;
  const end = async (): Promise<void> => {
    try {
      await table.send({ do: "session.end", keep_open: keeps });
    } catch (problem) {
      showError(problem);
    }
  };
  return (
    <ConfirmButton
      label={t("session.end")}
      sure={t("session.end.sure")}
      onSure={() => void end()}
      icon={<Icon name="flag" />}
      className="button"
    >
      {open.length > 0 && (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={keeps}
            onChange={(event) => setKeeps(event.currentTarget.checked)}
          />
          <span>{t("session.open", { n: open.length })}</span>
        </label>
      )}
    </ConfirmButton>
  );
}

/** The end of a session, for everybody to look back on; shown at once to those who were there. */
export function SessionEnded({ table, session }: { table: Table; session: number }): JSX.Element {
  const [open, setOpen] = useState(false);
  useTableMemory(table);
  const shown = evening.value === session;
  return (
    <section class="card next-step over-card" aria-labelledby="over-title">
      <h2 id="over-title" class="grow">
        {t("recap.over", { n: session })}
      </h2>
      {shown ? (
        <button class="button quiet round" aria-label={t("do.close")} onClick={() => (evening.value = 0)}>
          <Icon name="cross" />
        </button>
      ) : (
        <button class="button main" onClick={() => setOpen(true)}>
          <Icon name="star" size={18} />
          {t("recap.open")}
        </button>
      )}
      {shown && <LookBack table={table} session={session} />}
      {open && <RecapDialog table={table} onClose={() => setOpen(false)} />}
    </section>
  );
}
