// A choice that deals things out: how many of them go where, all of them given before it is done.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Assign as Dealt, Text } from "../state/card";
import { Stepper } from "../ui/fields";
import { Icon } from "../ui/icons";
import { t } from "../words";
import "../words/choosing";

/** What is put at each place: one number for each thing made of it. */
export type Puts = Record<string, number[]>;

/** How many are given so far. */
export const given = (puts: Puts): number => Object.values(puts).flat().reduce((sum, one) => sum + one, 0);

/** What is sent: places with nothing are left out; where things do not stack, each stands alone. */
export const sent = (puts: Puts, places: Dealt["places"]): Puts =>
  Object.fromEntries(places.flatMap(({ at, stacks }) => {
    const held = (puts[at] ?? []).filter((one) => one > 0);
    return held.length ? [[at, stacks ? held : Array<number>(given({ held })).fill(1)]] : [];
  }));

export function Assign({ assign, said, disabled, onDone }: { assign: Dealt; said: (text: Text | undefined) => string; disabled: boolean; onDone: (puts: Puts) => void }): JSX.Element {
  const { tokens, places } = assign;
  const [puts, setPuts] = useState<Puts>({ [places[0]!.at]: [tokens] });
  const left = tokens - given(puts);
  const put = (at: string, list: number[]): void => setPuts({ ...puts, [at]: list });
  return (
    <div class="assign" role="group" aria-label={said(assign.ask) || t("assign.label")}>
      {assign.ask && <p>{said(assign.ask)}</p>}
      <ul class="stack close">
        {places.map(({ at, label, stacks }) => {
          const name = said(label);
          const held = puts[at]?.length ? puts[at] : [0];
          return (
            <li key={at} class="row apart">
              <strong>{name}</strong>
              <span class="row tight">
                {held.map((one, n) => (
                  <Stepper key={n} bare label={held.length > 1 ? t("assign.nth", { name, n: n + 1 }) : name} value={one} low={0} high={one + left} disabled={disabled} onChange={(to) => put(at, held.map((old, m) => (m === n ? to : old)))} />
                ))}
                {stacks && left > 0 && held.every((one) => one > 0) && <button type="button" class="button small-button" onClick={() => put(at, [...held, 1])}><Icon name="plus" size={16} />{t("assign.another", { name })}</button>}
              </span>
            </li>
          );
        })}
      </ul>
      <p class="small soft" role="status">{t("assign.left", { n: left })}</p>
      <button type="button" class="button main" aria-disabled={left !== 0 || disabled} onClick={() => left === 0 && !disabled && onDone(sent(puts, places))}>{t("assign.done")}</button>
    </div>
  );
}
