// The result of a roll in a word or two, to be read across the table; the sentence says the rest.
import type { Tone } from "../state/card";
import type { Plain, Roll } from "../state/types";
import type { Table } from "../state/table";
import type { IconName } from "../ui/icons";
import { t } from "../i18n";

export interface VerdictView {
  text: string;
  more: string;
  paid: string;
  tone: Tone;
}

/** Each tone has a shape of its own, so that none depends on its colour alone. */
export const SIGNS: Partial<Record<Tone, IconName>> = {
  great: "star",
  good: "check",
  mixed: "half",
  bad: "cross",
  awful: "burst",
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The verdict of the game; of older rolls and of dice alone their number, or whether it went well. */
export function verdictOf(roll: Roll, table: Table): VerdictView | null {
  if (roll.after?.step !== "done") return null;
  const { fields, good, verdict } = roll.after;
  const joined = (texts: readonly Parameters<Table["said"]>[0][] = []): string =>
    texts
      .map((one) => table.said(one))
      .filter(Boolean)
      .join(" · ");
  if (verdict)
    return verdict.word
      ? {
          text: capital(table.said(verdict.word)),
          more: joined(verdict.detail),
          paid: joined(verdict.paid),
          tone: verdict.tone,
        }
      : null;
  const tone = good === null ? "even" : good ? "good" : "bad";
  const text = plain(fields, good);
  return text ? { text, more: "", paid: "", tone } : null;
}

/** Whether that is good or bad news, for a card at a glance. */
export const goodOf = (tone: Tone): "good" | "bad" | "even" =>
  tone === "great" || tone === "good" ? "good" : tone === "bad" || tone === "awful" ? "bad" : "even";

/** An expression says its number; anything else whether it went well. */
function plain({ value }: Record<string, Plain>, good: boolean | null): string {
  if (typeof value === "number" || typeof value === "string") return String(value).replace("-", "−");
  if (typeof value === "boolean") return t(value ? "verdict.yes" : "verdict.no");
  return good === null ? "" : t(good ? "verdict.success" : "verdict.failure");
}
