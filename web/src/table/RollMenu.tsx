// The corner of a card: roll again at a tap, and the rest in a menu that is fetched when it is opened.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { showError } from "../ui/announcer";
import { t } from "../i18n";

const RollActions = lazy(async () => (await import("./RollActions")).RollActions);

export function RollMenu({ roll, table }: { roll: Roll; table: Table }): JSX.Element {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => void (!box.current?.contains(event.target as Node) && setOpen(false));
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const shut = (): void => {
    setOpen(false);
    opener.current?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    shut();
    event.preventDefault();
    event.stopPropagation();
  };
  const mine = roll.by === table.me.value?.seat && table.isPlaying.value;
  const again = (): void => void table.send({ do: "roll.repeat", roll: roll.id }).catch(showError);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are heard from the buttons inside
    <span class="menu-box" ref={box} onKeyDown={open ? onKey : undefined}>
      {(mine || table.isReferee.value) && roll.status !== "open" && (
        <button
          class="button quiet small-button"
          aria-label={t("roll.repeat")}
          title={t("roll.repeat")}
          onClick={again}
        >
          <Icon name="again" size={18} />
        </button>
      )}
      <button
        ref={opener}
        class="button quiet small-button"
        aria-label={t("roll.more")}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" size={20} />
      </button>
      {open && <RollActions roll={roll} table={table} onDone={shut} />}
    </span>
  );
}
