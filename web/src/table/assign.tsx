// A choice that deals things out: how many of them go where, all of them given before it is done.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Assign as Dealt, Text } from "../state/card";
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

interface AssignProps { assign: Dealt; said: (text: Text | undefined) => string; disabled: boolean; onDone: (puts: Puts) => void }

/** The places as boxes: a tap or a drop puts one there, a tap on what lies there takes it back. */
export function Assign({ assign, said, disabled, onDone }: AssignProps): JSX.Element {
  const { tokens, places } = assign;
  const [puts, setPuts] = useState<Puts>({ [places[0]!.at]: [tokens] });
  const left = tokens - given(puts);
  const put = (at: string, list: number[]): void => setPuts({ ...puts, [at]: list });
  return (
    <div class="assign" role="group" aria-label={said(assign.ask) || t("assign.label")}>
      {assign.ask && <p>{said(assign.ask)}</p>}
      <p class="assign-hand">
        {Array.from({ length: left }, (_, n) => <span key={n} class="token" draggable={!disabled} onDragStart={(event) => event.dataTransfer?.setData("text/plain", TOKEN)} aria-hidden="true"><Icon name="die" size={26} /></span>)}
        <span role="status">{t("assign.left", { n: left })}</span>
        {left > 0 && <small>{t("assign.hint")}</small>}
      </p>
      <ul class="places">
        {places.map(({ at, label, stacks }) => <Place key={at} name={said(label)} held={puts[at]?.length ? puts[at] : [0]} stacks={!!stacks} left={left} disabled={disabled} onPut={(list) => put(at, list)} />)}
      </ul>
      <button type="button" class="button main" aria-disabled={left !== 0 || disabled} onClick={() => left === 0 && !disabled && onDone(sent(puts, places))}>{t("assign.done")}</button>
    </div>
  );
}

const TOKEN = "token";

interface PlaceProps { name: string; held: number[]; stacks: boolean; left: number; disabled: boolean; onPut: (list: number[]) => void }

function Place({ name, held, stacks, left, disabled, onPut }: PlaceProps): JSX.Element {
  const set = (n: number, to: number): void => onPut(held.map((old, m) => (m === n ? to : old)));
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    if (left > 0 && !disabled) set(held.length - 1, held.at(-1)! + 1);
  };
  return (
    <li class="place" data-held={held.some((one) => one > 0) || undefined} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <strong>{name}</strong>
      {held.map((one, n) => {
        const called = held.length > 1 ? t("assign.nth", { name, n: n + 1 }) : name;
        return (
          <div key={n} class="place-row">
            <button type="button" class="place-held" disabled={one === 0 || disabled} aria-label={t("do.less", { what: called })} onClick={() => set(n, one - 1)}>{Array.from({ length: one }, (_, m) => <span key={m} class="token" aria-hidden="true"><Icon name="die" size={22} /></span>)}<b>{one}</b></button>
            <button type="button" class="place-more" disabled={left === 0 || disabled} aria-label={t("do.more", { what: called })} onClick={() => set(n, one + 1)}><Icon name="plus" size={18} /></button>
          </div>
        );
      })}
      {stacks && left > 0 && held.every((one) => one > 0) && <button type="button" class="place-more another" onClick={() => onPut([...held, 1])}><Icon name="plus" size={16} />{t("assign.another", { name })}</button>}
    </li>
  );
}
