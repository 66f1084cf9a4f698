// What screen readers are told about news at the table, and what everybody hears of it.
import type { LogEvent } from "../state/types";
import type { Table } from "../state/table";
import { still } from "../app/settings";
import { evening } from "../screens/views";
import { kindOf, rollOf, textOf } from "../state/folding";
import { announce } from "../ui/live";
import { t } from "../words";
import "../words/coming";
import { wholeQuestion } from "./option_words";
import { hear } from "./sounds";
import { verdictOf } from "./verdict";
import { asksMe } from "./waits";
import { whoActs, whoRolls } from "./who";

export function announceNews(events: LogEvent[], table: Table): void {
  hear(events, table);
  const rolls = new Set(events.map(rollOf).filter(Boolean));
  for (const id of rolls) announceRoll(table, id, events);
  for (const event of events) {
    if (kindOf(event) === "said" && event.body) announce(t("announce.said", { name: table.nameOf(String(event.body.by)), text: textOf(event, event.body.text) }));
    // What was read out last must not keep somebody's words either.
    if (kindOf(event) === "person.forgotten") announce(t("line.person.forgotten"));
    if (kindOf(event) === "ask.made" && table.isFor(event.body?.who as string[])) announce(t("announce.asked"));
    if (kindOf(event) === "session.ended" && event.body) {
      evening.value = Number(event.body.number);
      announce(t("recap.over", { n: evening.value }));
    }
    if (kindOf(event) === "seat.joined" && event.body?.status === "knocking" && table.isReferee.value) announce(t("announce.knocks", { name: table.nameOf(String(event.body.seat)) }));
  }
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
  const ends = (event: LogEvent): boolean => kindOf(event) === "roll.revealed" || (event.body?.after as { step?: string } | undefined)?.step === "done";
  const verdict = verdictOf(roll, table);
  if (after?.step === "done" && events.some(ends)) landed(id, `${name}: ${verdict ? `${[verdict.text, verdict.more].filter(Boolean).join(", ")}. ` : ""}${table.said(after.told)} ${asksMe(roll, table)}`.trim());
  if (after?.step === "stopped" && events.some((event) => event.seq === roll.end)) landed(id, table.said(after.why));
  for (const event of events) if (rollOf(event) === id && (kindOf(event) === "roll.applied" || kindOf(event) === "roll.declined")) announce(t(kindOf(event) === "roll.applied" ? "let.done" : "let.declined", { name: table.nameOf(String(event.body?.by)) }));
  if (roll.status === "open" && after?.step === "choice") {
    landed(id, table.isFor(after.by) ? t("announce.yours", { question: wholeQuestion(after, table) }) : t("announce.waits", { who: after.by.map((seat) => whoActs(seat, roll, table)).join(", ") }));
  } else if (roll.status === "open" && after?.step === "throw" && roll.by === table.me.value?.seat) announce(t("announce.faces"));
}

const LOOK = 150;
const MOST_LOOKS = 40;

/** Says it once the dice of a roll lie still, as it is shown; at once where nothing moves. */
function landed(roll: string, text: string, looks = 0): void {
  if (still()) return announce(text);
  setTimeout(() => {
    if (looks < MOST_LOOKS && document.querySelector(`[aria-labelledby="t-stage-${roll}"] [data-flying]`)) landed(roll, text, looks + 1);
    else announce(text);
  }, LOOK);
}
