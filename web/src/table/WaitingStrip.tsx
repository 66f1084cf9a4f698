// A slim strip that says what the table waits for while that roll is not in sight, and leads to it.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { show } from "../screens/views";
import { showRoll } from "./current_roll";
import { question } from "./option_texts";
import { asksMe, waitsForMe } from "./waits";
import { whoRolls } from "./roll_owners";

/** Rolls that wait besides one that is seen anyway: for anybody, or for us. */
export function WaitingStrip({
  table,
  besides,
  only = "all",
}: {
  table: Table;
  besides: string;
  only?: "all" | "mine";
}): JSX.Element | null {
  const hidden = [...new Set([...table.openRolls.value, ...table.letRolls.value])]
    .filter((roll) => roll.id !== besides && !roll.air && (only === "all" || waitsForMe(roll, table)))
    .sort((one, other) => Number(waitsForMe(other, table)) - Number(waitsForMe(one, table)) || other.last - one.last);
  const [roll] = hidden;
  if (!roll) return null;
  const what =
    roll.after?.step === "choice"
      ? question(roll.after, table)
      : roll.waits.length
        ? asksMe(roll, table)
        : table.said(roll.title);
  const who =
    roll.after?.step === "choice" && roll.after.by.length
      ? roll.after.by.map((seat) => table.nameOf(seat)).join(", ")
      : whoRolls(roll, table);
  const go = (): void => {
    showRoll(roll, table);
    show("stage");
    // If a card is larger than the screen, the decision comes into sight.
    requestAnimationFrame(() => document.querySelector(".stage-pane .decision")?.scrollIntoView({ block: "nearest" }));
  };
  return (
    <button class="waiting-strip" data-mine={waitsForMe(roll, table) || undefined} onClick={go}>
      <Icon name={waitsForMe(roll, table) ? "hand" : "hourglass"} size={18} />
      <span class="grow">{waitsForMe(roll, table) ? t("strip.yours", { what }) : t("strip.waits", { who, what })}</span>
      {hidden.length > 1 && <span class="chip">{t("strip.more", { n: hidden.length - 1 })}</span>}
    </button>
  );
}
