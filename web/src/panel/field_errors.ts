/** A server's errors in words for the table: which field, what is wrong, and the rule as a small reference. */

import { OfflineError, RequestError } from "../net/http";
import { t } from "../i18n";
import type { FieldError } from "../form/draft";

/** A refusal as the form shows it. */
export function fieldErrorOf(problem: Error | null): FieldError | null {
  if (!problem) return null;
  if (problem instanceof OfflineError) return { field: "", message: t("panel.away") };
  if (!(problem instanceof RequestError)) return { field: "", message: problem.message };
  const { start, end, suggestions, readings } = problem.more as Partial<FieldError>;
  return {
    field: problem.field,
    message: problem.message,
    ...(typeof start === "number" && typeof end === "number" ? { start, end } : {}),
    ...(Array.isArray(suggestions) ? { suggestions } : {}),
    ...(Array.isArray(readings) ? { readings } : {}),
  };
}

const code = (problem: Error | null): string => (problem instanceof RequestError ? problem.code : "");

/** Whether the odds are missing for now: asked a little later, they may come. */
export const notNow = (problem: Error | null): boolean =>
  ["too_many", "unavailable", "internal"].includes(code(problem));

/** Whether only the odds are missing, and the roll itself is well: too much work to count, or no time for it now. */
export const onlyOdds = (problem: Error | null): boolean =>
  notNow(problem) || ["too_much_work", "too_large"].includes(code(problem));

/** The path of a refused field in the request: `draft.set.rolls[0].attribute` is `rolls.0.attribute`. */
export const pathOf = ({ field }: FieldError): string =>
  field.replace(/^(request|draft(\.(set|pick))?)\.?/, "").replace(/\[(\d+)\]/g, ".$1");

export interface FieldProblem {
  readonly said: string;
  /** The line of the rulebook behind it: `T2K R32`. */
  readonly rule: string;
}

/** The error without the name of the field before it and without the rule behind it. */
export function problemOf({ field, message }: FieldError): FieldProblem {
  const names = [field, field.replace(/^(request|draft)\.?/, "")];
  const bare = names.reduce(
    (text, name) => (name && text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text),
    message,
  );
  const rule = / \(([A-Z0-9]+ R\d+[a-z]?)\)/.exec(bare);
  return { said: tooMuch(rule ? bare.replace(rule[0], "") : bare), rule: rule?.[1] ?? "" };
}

/** The commonest refusal, in the reader's language. */
function tooMuch(text: string): string {
  const found = /^(-?[\d,]+) is too (high|low); (-?\d+) to (-?\d+) would do$/.exec(text);
  if (!found) return text;
  const [, value, way, low, high] = found as unknown as [string, string, "high" | "low", string, string];
  return t(`panel.too.${way}`, { value, low, high });
}

/** The sentence of a refused expression, without what may have been meant. */
export const sentenceOf = (message: string): string => message.split(/ \('|; (?:did you mean|for example)/)[0]!;
