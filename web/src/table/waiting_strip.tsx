// A slim strip that says what the table waits for while that card is out of sight, and leads to it.
import type { JSX, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { question } from "./option_words";
import { asksMe, waitsForMe } from "./waits";
import { whoRolls } from "./who";

interface StripProps { table: Table; box: RefObject<HTMLElement | null>; onGo: (roll: Roll) => void }

export function WaitingStrip({ table, box, onGo }: StripProps): JSX.Element | null {
  const [away, setAway] = useState<ReadonlySet<string>>(new Set());
  const open = [...table.openRolls.value, ...table.letRolls.value];
  const names = open.map((roll) => roll.id).join();
  useEffect(() => {
    const mark = (id: string, hidden: boolean): void => setAway((before) => {
      if (before.has(id) === hidden) return before;
      const next = new Set(before);
      next[hidden ? "add" : "delete"](id);
      return next;
    });
    const watch = new IntersectionObserver((all) => all.forEach(({ target, isIntersecting }) => mark(target.id.slice("item-".length), !isIntersecting)), { root: box.current, rootMargin: "-40px 0px" });
    for (const roll of open) {
      const card = document.getElementById(`item-${roll.id}`);
      if (card) watch.observe(card);
      else mark(roll.id, true);
    }
    return () => watch.disconnect();
  }, [names, table.items.value]);
  const hidden = open.filter((roll) => away.has(roll.id)).sort((one, other) => Number(waitsForMe(other, table)) - Number(waitsForMe(one, table)));
  if (!hidden.length) return null;
  const [roll] = hidden;
  const what = roll.after?.step === "choice" ? question(roll.after, table) : roll.waits.length ? asksMe(roll, table) : table.said(roll.title);
  const who = roll.after?.step === "choice" && roll.after.by.length ? roll.after.by.map((seat) => table.nameOf(seat)).join(", ") : whoRolls(roll, table);
  return (
    <button class="waiting-strip" data-mine={waitsForMe(roll, table) || undefined} onClick={() => onGo(roll)}>
      <Icon name={waitsForMe(roll, table) ? "hand" : "hourglass"} size={18} />
      <span class="grow">{waitsForMe(roll, table) ? t("strip.yours", { what }) : t("strip.waits", { who, what })}</span>
      {hidden.length > 1 && <span class="chip">{t("strip.more", { n: hidden.length - 1 })}</span>}
    </button>
  );
}
