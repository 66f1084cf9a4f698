// What the options of a choice are called on the page: in the game's own words where it has some.
import type { Plain, Roll, Waiting } from "../state/types";
import type { Table } from "../state/table";
import { language, locale, maybe, t } from "../words";

type Choice = Extract<Waiting, { step: "choice" }>;
const MOST_ASKED = 4;

/** An option as its button says it. */
export function optionSaid(roll: Roll, said: string, table: Table): string {
  const game = table.world.value.table.game;
  if (game === "kleptonomicon" && said !== "keep") return t("option.kleptonomicon.give", { name: table.said(said) });
  return maybe(`option.${game}.${said}`, { n: luck(roll) }, table.said(said));
}

/** All options as one question: "Keep or push?" */
export function question(roll: Roll, after: Choice, table: Table): string {
  if ((after.count ?? after.options.length) > MOST_ASKED) return table.said(after.question);
  const all = after.options.map((option) => optionSaid(roll, option.said, table));
  const text = new Intl.ListFormat(locale(), { type: "disjunction" }).format(all.map((one, n) => (n && language.value !== "de" ? one.charAt(0).toLowerCase() + one.slice(1) : one)));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
}

/** What a Luck Point adds: three with a favored skill, less beside a standing luck bonus. */
function luck(roll: Roll): number {
  const asked = (roll.what?.request ?? {}) as Record<string, Plain>;
  const standing = (asked["luck"] as number[] | undefined) ?? [];
  return Math.max(0, (asked["favored"] === true ? 3 : 2) - Math.max(0, ...standing));
}
