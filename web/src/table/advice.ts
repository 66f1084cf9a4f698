// Advice on a choice as the server sends it, and what of it is worth a line.
import type { AdviceAnswer, CostData, OptionAdviceData } from "../net/shapes";

export type { CostData as Cost } from "../net/shapes";
export type OptionAdvice = OptionAdviceData;
export type Advice = AdviceAnswer;

const MOST_COSTS = 3;
const much = (one: OptionAdvice, name: string): number => one.costs?.find((cost) => cost.name === name)?.number ?? 0;

/** The costs shown on every option, the same ones everywhere: first those that differ most. */
export function visibleCosts({ options }: Advice): CostData[] {
  const all = new Map(options.flatMap((one) => one.costs ?? []).map((cost) => [cost.name, cost]));
  const priced = options.filter((one) => one.costs);
  const apart = (cost: CostData): number => {
    const prices = priced.map((one) => much(one, cost.name));
    const least = Math.min(...prices);
    const most = Math.max(...prices);
    return cost.chance || !most ? most - least : (most - least) / most;
  };
  return [...all.values()].sort((one, other) => apart(other) - apart(one)).slice(0, MOST_COSTS);
}

/** As much more is no reason to choose: a twentieth of a cost, or half a percent. */
const ROUGHLY = 1.05;
const HARDLY = 0.005;

/** The cheapest of options that are worth the same, in everything that counts. */
export function cheapest({ options, matters }: Advice): OptionAdvice | undefined {
  if (matters) return undefined;
  const priced = options.filter((one) => one.costs);
  const names = [...new Set(priced.flatMap((one) => one.costs!.map((cost) => cost.name)))];
  const beats = (one: OptionAdvice, other: OptionAdvice): boolean =>
    names.every((name) => much(one, name) <= much(other, name) * ROUGHLY + HARDLY);
  return priced.find((one) => priced.every((other) => beats(one, other)) && priced.some((other) => !beats(other, one)));
}

/** Whether what options differ in is how likely something befalls, and not how much is paid. */
export const onlyRisk = ({ options }: Advice): boolean =>
  options.every((one) => (one.costs ?? []).every((cost) => cost.chance));

/** Whether every option leads to the very same outcomes. */
export function alike({ options, matters }: Advice): boolean {
  const led = options.map((one) => JSON.stringify([one.value.number, one.odds, one.costs]));
  return !matters && options.length > 1 && options.every((one) => one.odds) && new Set(led).size === 1;
}
