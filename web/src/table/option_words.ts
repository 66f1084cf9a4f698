// What the options of a choice are called on the page, and the choice as a question.
import type { Choosing, Option } from "../state/types";
import type { Table } from "../state/table";
import { language, locale } from "../words";

const MOST_ASKED = 4;

/** An option as its button says it. */
export const optionSaid = ({ label, said }: Partial<Pick<Option, "label" | "said">>, table: Table): string => table.said(label ?? said);

/** The question as the game asks it, or all options as one: "Keep or push?" */
export function question(after: Choosing, table: Table): string {
  if (typeof after.question !== "string") return table.said(after.question);
  if ((after.count ?? after.options.length) > MOST_ASKED) return table.said(after.question);
  const all = after.options.map((option) => optionSaid(option, table));
  const text = new Intl.ListFormat(locale(), { type: "disjunction" }).format(all.map((one, n) => (n && language.value !== "de" ? one.charAt(0).toLowerCase() + one.slice(1) : one)));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}
