// The menu of other actions on a roll.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { file } from "../net/http";
import { copy, save } from "../ui/clipboard";
import { Icon, type IconName } from "../ui/icons";
import { showError } from "../ui/announcer";
import { bring, t } from "../i18n";
import { en_sharing } from "../i18n/en_sharing";
import { showSheet } from "../sheets/open_sheet";

bring(en_sharing);

interface Action {
  label: string;
  icon: IconName;
  run: () => void;
  bad?: boolean;
}

export function RollActions({ roll, table, onDone }: { roll: Roll; table: Table; onDone: () => void }): JSX.Element {
  const menu = useRef<HTMLSpanElement>(null);
  useEffect(() => menu.current!.querySelector<HTMLElement>("button")?.focus(), []);
  const onKey = (event: KeyboardEvent): void => {
    const all = [...menu.current!.querySelectorAll<HTMLElement>("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    all[(all.indexOf(document.activeElement as HTMLElement) + step + all.length) % all.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="menu" role="menu" ref={menu} onKeyDown={onKey}>
      {actionsOf(roll, table).map((action) => (
        <button
          key={action.label}
          role="menuitem"
          class={`button quiet ${action.bad ? "bad-text" : ""}`}
          onClick={() => (onDone(), action.run())}
        >
          <Icon name={action.icon} size={18} />
          {action.label}
        </button>
      ))}
    </span>
  );
}

function actionsOf(roll: Roll, table: Table): Action[] {
  const send = (command: "roll.repeat" | "roll.reveal" | "roll.cancel" | "roll.undo") => (): void =>
    void table.send({ do: command, roll: roll.id }).catch(showError);
  const mine = roll.by === table.me.value?.seat && table.isPlaying.value;
  const referee = table.isReferee.value;
  const actions: Action[] = [];
  if ((mine || referee) && roll.status !== "open")
    actions.push({ label: t("roll.repeat"), icon: "again", run: send("roll.repeat") });
  if (isShown(roll)) {
    const fetched = (what: string): Promise<Blob> =>
      file(`/tables/${table.id}/rolls/${roll.id}/${what}`, { token: table.token });
    if ("share" in navigator)
      actions.push({
        label: t("roll.copy"),
        icon: "copy",
        run: () =>
          void fetched("text")
            .then((blob) => blob.text())
            .then((text) => copy(text))
            .catch(showError),
      });
    actions.push({
      label: t("roll.share"),
      icon: "share",
      run: () => void fetched("text").then(handOn).catch(showError),
    });
    actions.push({
      label: t("roll.picture"),
      icon: "download",
      run: () =>
        void fetched("picture.svg")
          .then((blob) => save(blob, `${roll.id}.svg`))
          .catch(showError),
    });
  }
  if (roll.sheet && table.sheet(roll.sheet))
    actions.push({ label: t("roll.to_sheet"), icon: "sheet", run: () => showSheet(roll.sheet) });
  if (roll.visibility !== "open" && !roll.revealed && (referee || (mine && roll.visibility !== "blind")))
    actions.push({ label: t("roll.reveal"), icon: "eye", run: send("roll.reveal") });
  if (roll.status === "open" && (mine || referee))
    actions.push({ label: t("roll.cancel"), icon: "cross", run: send("roll.cancel"), bad: true });
  if (referee && roll.status === "done")
    actions.push({ label: t("roll.undo"), icon: "undo", run: send("roll.undo"), bad: true });
  return actions;
}

/** Whether a roll may be shown elsewhere: it counts, and everybody may see it. Its description is the server's. */
const isShown = (roll: Roll): boolean =>
  !!roll.what && (roll.status === "open" || roll.status === "done") && (roll.visibility === "open" || roll.revealed);

/** To another app where the browser hands things on; else copied, to be pasted. */
async function handOn(blob: Blob): Promise<void> {
  const text = await blob.text();
  if (!navigator.share) return copy(text);
  await navigator.share({ text }).catch(() => {});
}
