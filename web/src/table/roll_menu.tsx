// What else can be done with a roll.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { copy } from "../ui/copying";
import { Icon, type IconName } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";
import { showSheet } from "../sheets/shown";
import { rollText } from "./roll_text";

interface Action { label: string; icon: IconName; run: () => void; bad?: boolean }

export function RollMenu({ roll, table }: { roll: Roll; table: Table }): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => void (!box.current?.contains(event.target as Node) && setOpen(false));
    addEventListener("pointerdown", away);
    box.current?.querySelector<HTMLElement>(".menu button")?.focus();
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const onKey = (event: KeyboardEvent): void => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>(".menu button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") (setOpen(false), opener.current?.focus());
    else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const actions = actionsOf(roll, table);
  return (
    <span class="menu-box" ref={box} onKeyDown={open ? onKey : undefined}>
      {actions[0]?.icon === "again" && <button class="button quiet small-button" aria-label={actions[0].label} title={actions[0].label} onClick={actions[0].run}><Icon name="again" size={18} /></button>}
      <button ref={opener} class="button quiet small-button" aria-label={t("roll.more")} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}><Icon name="more" size={20} /></button>
      {open && (
        <span class="menu" role="menu">
          {actions.map((action) => (
            <button key={action.label} role="menuitem" class={`button quiet ${action.bad ? "bad-text" : ""}`} onClick={() => (setOpen(false), opener.current?.focus(), action.run())}><Icon name={action.icon} size={18} />{action.label}</button>
          ))}
        </span>
      )}
    </span>
  );
}

function actionsOf(roll: Roll, table: Table): Action[] {
  const send = (command: string, more = {}) => (): void => void table.send({ do: command, roll: roll.id, ...more }).catch(tellProblem);
  const mine = roll.by === table.me.value?.seat && table.isPlaying.value;
  const referee = table.isReferee.value;
  const actions: Action[] = [];
  if ((mine || referee) && roll.status !== "open") actions.push({ label: t("roll.again"), icon: "again", run: send("roll.again") });
  actions.push({ label: t("roll.copy"), icon: "copy", run: () => void copy(rollText(roll, table)) });
  if (roll.sheet && table.sheet(roll.sheet)) actions.push({ label: t("roll.to_sheet"), icon: "sheet", run: () => showSheet(roll.sheet) });
  if (roll.visibility !== "open" && !roll.revealed && (referee || (mine && roll.visibility !== "blind"))) actions.push({ label: t("roll.reveal"), icon: "eye", run: send("roll.reveal") });
  if (roll.status === "open" && (mine || referee)) actions.push({ label: t("roll.abandon"), icon: "cross", run: send("roll.abandon"), bad: true });
  if (referee && (roll.status === "done" || roll.status === "open")) actions.push({ label: t("roll.undo"), icon: "undo", run: send("roll.undo"), bad: true });
  return actions;
}
