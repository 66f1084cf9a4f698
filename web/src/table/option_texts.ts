// The page's words for the options of a choice, and the choice as a question.
import type { OpenChoice, Option } from "../state/types";
import type { Table } from "../state/table";
import { language, locale } from "../i18n";

const MOST_ASKED = 4;

/** An option as its button says it. */
export const formatOption = ({ label, said }: Partial<Pick<Option, "label" | "said">>, table: Table): string =>
  table.said(label ?? said);

/** The options one after the other, "Keep or push"; nothing where they are too many to say. */
function listed(after: OpenChoice, table: Table): string {
  if ((after.count ?? after.options.length) > MOST_ASKED) return "";
  const all = after.options.map((option) => formatOption(option, table));
  const text = new Intl.ListFormat(locale(), { type: "disjunction" }).format(
    all.map((one, n) => (n && language.value !== "de" ? one.charAt(0).toLowerCase() + one.slice(1) : one)),
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether nobody asked anything else than which option: the question begins with the first of them. */
const isPlain = ({ question, options }: OpenChoice): boolean =>
  typeof question === "string" && question.toLowerCase().startsWith(String(options[0]?.option).toLowerCase());

/** The question as the game asks it, or all options as one: "Keep or push?" */
export function question(after: OpenChoice, table: Table): string {
  const options = isPlain(after) && listed(after, table);
  return options ? `${options}?` : table.said(after.question);
}

/** The question followed by the options, for those who hear and do not see them. */
export function wholeQuestion(after: OpenChoice, table: Table): string {
  const options = isPlain(after) ? "" : listed(after, table);
  return [question(after, table), options && `${options}.`].filter(Boolean).join(" ");
}
