/** Axes with round ends, and numbers as the charts write them. */

import { language, written } from "../i18n";

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  at(value: number): number;
}

/** An axis that holds zero and every value; `full` ends at 1 at the latest, for chances. */
export function scale(values: readonly number[], start: number, end: number, full = false): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const reach = most - least || 1;
  const power = 10 ** Math.floor(Math.log10(reach / 4));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= (reach / 4) * 0.999)!;
  const low = Math.floor(least / step + 1e-9) * step;
  let high = Math.ceil((most || reach) / step - 1e-9) * step;
  if (full && high > 1) high = 1;
  const count = Math.floor((high - low) / step + 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, n) => low + n * step);
  return { low, high, ticks, at: (value) => start + ((value - low) / (high - low || 1)) * (end - start) };
}

/** A chance as people read it: never rounded to a certainty it is not. */
export function percent(chance: number): string {
  const shown = chance * 100;
  if (chance > 0 && shown < 0.1) return `< ${amount(0.1)} %`;
  if (chance < 1 && shown > 99.9) return `> ${amount(99.9)} %`;
  const digits = shown < 10 || shown > 95 ? 1 : 0;
  return `${amount(Number(shown.toFixed(digits)))} %`;
}

/** A difference of chances in points, with its sign. */
export function points(difference: number): string {
  const shown = difference * 100;
  if (Math.abs(shown) < 0.05) return "± 0";
  const text = amount(Number(Math.abs(shown).toFixed(Math.abs(shown) < 10 ? 1 : 0)));
  return `${shown > 0 ? "+" : "−"}${text}`;
}

/** A number with at most two digits behind the point. */
export function amount(value: number): string {
  return written(value, 2, language.value).replace(/^-/, "−");
}

/** Which labels have room below an axis: all, or every so many. */
export function labelsThatFit(labels: readonly string[], room: number, size = 11): Set<number> {
  const widest = Math.max(0, ...labels.map((label) => label.length * size * 0.62)) + 5;
  const every = Math.max(1, Math.ceil(widest / Math.max(room, 1)));
  const round = [1, 2, 5, 10, 20, 50, 100].find((n) => n >= every) ?? every;
  const numbers = labels.every((label) => /^[-−]?\d+$/.test(label));
  const kept = labels.flatMap((label, n) =>
    numbers ? (Number(label.replace("−", "-")) % round === 0 ? [n] : []) : n % every === 0 ? [n] : [],
  );
  return new Set(kept);
}
