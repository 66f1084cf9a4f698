/** Several distributions beside each other, on one axis. */

import type { JSX } from "preact";
import { t } from "../i18n";
import type { Row } from "./Bars";
import { Lines } from "./Lines";

export interface ComparisonChartProps {
  readonly title: string;
  readonly note?: string;
  readonly of: string;
  readonly rolls: readonly { readonly name: string; readonly rows: readonly Row[] }[];
  /** Whether to show the chance of at least so much instead of exactly so much. */
  readonly atLeast?: boolean;
}

/** Scores beyond all others, `0!` and `10!`, are at the ends. */
const asNumber = (label: string): number =>
  label === "0!" ? -1e9 : label === "10!" ? 1e9 : Number(label.replace("−", "-"));

/** All labels of all rolls: numbers in order, words as they come. */
function labelsOf(rolls: ComparisonChartProps["rolls"]): string[] {
  const labels = [...new Set(rolls.flatMap((roll) => roll.rows.map((row) => row.label)))];
  return labels.every((label) => Number.isFinite(asNumber(label)))
    ? labels.sort((a, b) => asNumber(a) - asNumber(b))
    : labels;
}

/** Distributions of several rolls as curves. */
export function ComparisonChart(props: ComparisonChartProps): JSX.Element {
  const labels = labelsOf(props.rolls);
  const series = props.rolls.map((roll) => {
    const shares = new Map(roll.rows.map((row) => [row.label, row.share]));
    const exactly = labels.map((label) => shares.get(label) ?? 0);
    const values = props.atLeast ? exactly.map((_, n) => exactly.slice(n).reduce((a, b) => a + b, 0)) : exactly;
    return { name: roll.name, values: values.map((value) => Math.min(1, value)) };
  });
  const along = props.atLeast ? t("charts.of_at_least", { of: props.of }) : props.of;
  return <Lines title={props.title} note={props.note} along={along} labels={labels} series={series} chance />;
}
