// Announcements of news at the table for screen readers, and its sounds.
import type { RequestedRoll, Body, LogEvent } from "../state/types";
import type { Table } from "../state/table";
import { evening } from "../screens/views";
import { kindOf, rollOf, textOf } from "../state/reducer";
import { announce, showToast } from "../ui/announcer";
import { t } from "../i18n";
import "../i18n/coming";
import { requestTitle } from "./EventLine";
import { wholeQuestion } from "./option_texts";
import { playNews, playThrow } from "./sounds";
import { verdictOf } from "./verdict";
import { asksMe } from "./waits";
import { whoRolls } from "./roll_owners";

export const announceThrow = (events: LogEvent[]): void => void playThrow(events);

export function announceNews(events: LogEvent[], table: Table): void {
  playNews(events, table);
  const rolls = new Set(events.map(rollOf).filter(Boolean));
  for (const id of rolls) announceRoll(table, id, events);
  for (const event of events) {
    if (kindOf(event) === "chat.sent" && event.body)
      announce(t("announce.said", { name: table.nameOf(String(event.body.by)), text: textOf(event, event.body.text) }));
    // The text read out last must not keep somebody's words either.
    if (kindOf(event) === "person.erased") announce(t("line.person.erased"));
    if (kindOf(event) === "roll_request.created" && table.isFor(event.body?.who as string[]))
      announceAsk(event.body!, table);
    if (kindOf(event) === "session.ended" && event.body) {
      evening.value = Number(event.body.number);
      announce(t("recap.over", { n: evening.value }));
    }
    if (kindOf(event) === "seat.joined" && event.body?.status === "knocking" && table.isReferee.value)
      announce(t("announce.knocks", { name: table.nameOf(String(event.body.seat)) }));
  }
}

/** Announces a roll request to us; if a dialog hides the bar that shows it, as a toast for everybody. */
function announceAsk({ by, roll }: Body, table: Table): void {
  const what = table.said(requestTitle(roll as RequestedRoll, table));
  const said = `${t("ask.asks", { name: table.nameOf(String(by)) })} ${what}`;
  (document.querySelector("dialog[open]") ? showToast : announce)(said);
}

function announceRoll(table: Table, id: string, events: LogEvent[]): void {
  const roll = table.roll(id);
  if (!roll) return;
  const name = whoRolls(roll, table);
  if (roll.veiled) {
    if (events.some((event) => kindOf(event) === "roll.started")) announce(t("announce.secret", { name }));
    return;
  }
  const { after } = roll;
  const ends = (event: LogEvent): boolean =>
    kindOf(event) === "roll.revealed" || (event.body?.after as { step?: string } | undefined)?.step === "done";
  const verdict = verdictOf(roll, table);
  const ended = verdict ? `${[verdict.text, verdict.more].filter(Boolean).join(", ")}. ` : "";
  if (after?.step === "done" && events.some(ends))
    announce(`${name}: ${ended}${table.said(after.told)} ${asksMe(roll, table)}`.trim());
  if (after?.step === "stopped" && events.some((event) => event.seq === roll.end)) announce(table.said(after.why));
  for (const event of events)
    if (rollOf(event) === id && (kindOf(event) === "roll.applied" || kindOf(event) === "roll.declined"))
      announce(
        t(kindOf(event) === "roll.applied" ? "let.done" : "let.declined", {
          name: table.nameOf(String(event.body?.by)),
        }),
      );
  if (roll.status === "open" && after?.step === "choice") {
    announce(
      table.isFor(after.by)
        ? t("announce.yours", { question: wholeQuestion(after, table) })
        : t("announce.waits", { who: after.by.map((seat) => table.nameOf(seat)).join(", ") }),
    );
  } else if (roll.status === "open" && after?.step === "throw" && roll.by === table.me.value?.seat)
    announce(t("announce.faces"));
}
