// A settled roll or event, as one line of the feed: who, what, how it went, what it cost and when; a tap opens it.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Roll } from "../state/types";
import { TABLE, type Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { show } from "../screens/views";
import { Ago } from "./Ago";
import { Avatar } from "./Avatar";
import type { EditGroup } from "./edit_groups";
import { showRoll } from "./current_roll";
import { EventLine } from "./EventLine";
import { RollCard } from "./RollCard";
import { SIGNS, verdictOf } from "./verdict";
import { sheetName, whoRolls } from "./roll_owners";

/** A roll as a line; an open one leads to the stage, where it is decided. */
export function RollLine({ roll, table }: { roll: Roll; table: Table }): JSX.Element {
  const [open, setOpen] = useState(false);
  const waits = roll.status === "open" && !roll.veiled;
  const press = (): void => {
    if (!waits) return setOpen(!open);
    showRoll(roll, table);
    show("stage");
  };
  // The reason for the roll: from the one who asked for it, or the roller.
  const words = table.wordsOf(roll.ask)?.note || table.said(roll.note);
  const verdict = roll.veiled ? null : verdictOf(roll, table);
  const sign = roll.air ? "die" : waits ? "hourglass" : SIGNS[verdict?.tone ?? "even"];
  const undone =
    roll.after?.step === "stopped"
      ? table.said(roll.after.why)
      : roll.status === "cancelled" || roll.status === "undone"
        ? t(`roll.${roll.status}`)
        : "";
  const said = roll.veiled
    ? t(`visibility.${roll.visibility}`)
    : waits
      ? t(roll.air ? "roll.air" : "roll.open")
      : undone || verdict?.text;
  return (
    <>
      <button
        class="feed-line"
        tabIndex={-1}
        aria-expanded={waits ? undefined : open}
        data-status={roll.status}
        onClick={press}
      >
        <Avatar table={table} id={!roll.veiled && roll.sheet.startsWith("n") ? roll.sheet : roll.by} size={28} />
        <span class="feed-line-text">
          {roll.veiled ? (
            <span class="feed-line-who">{t("roll.veiled", { name: table.nameOf(roll.by) })}</span>
          ) : (
            <span class="feed-line-who">
              <b>{whoRolls(roll, table)}</b> {table.said(roll.title)}
              {words && <small class="soft"> “{words}”</small>}
            </span>
          )}
          <span class="feed-line-came" data-tone={verdict?.tone ?? "even"}>
            {roll.veiled ? <Icon name="lock" size={15} /> : sign && <Icon name={sign} size={15} />}
            <b>{said}</b>
            {!undone && verdict && <span>{[verdict.more, verdict.paid].filter(Boolean).join(" · ")}</span>}
          </span>
        </span>
        <Ago at={roll.at} />
      </button>
      {open && <RollCard roll={roll} table={table} />}
    </>
  );
}

/** A burst of edits as a line, opened into each of them. */
export function EditsLine({ burst, table }: { burst: EditGroup; table: Table }): JSX.Element {
  const [open, setOpen] = useState(false);
  const { sheet, by } = burst.edits[0]?.body ?? {};
  const shared = sheet === TABLE;
  return (
    <>
      <button class="feed-line" tabIndex={-1} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="feed-line-icon">
          <Icon name="pen" size={18} />
        </span>
        <span class="feed-line-text">
          <span class="feed-line-who">
            {t("line.sheet.edits", {
              by: table.nameOf(String(by ?? "")),
              name: shared ? t("shared.title") : sheetName(table, String(sheet)),
              n: burst.edits.length,
            })}
          </span>
        </span>
        <Ago at={burst.at} />
      </button>
      {open && burst.edits.map((event) => <EventLine key={event.seq} event={event} table={table} />)}
    </>
  );
}
