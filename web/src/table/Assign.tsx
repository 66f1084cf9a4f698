// A choice that deals things out: how many of them go where, all of them given before it is done.
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { Assign as Dealt, Text } from "../state/card";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import "../i18n/choosing";

/** The tokens at each place: one number for each thing made of them. */
export type Assignment = Record<string, number[]>;

/** How many are given so far. */
export const countAssigned = (puts: Assignment): number =>
  Object.values(puts)
    .flat()
    .reduce((sum, one) => sum + one, 0);

/** The tokens to send: empty places are left out; if things do not stack, each is separate. */
export const toCommand = (puts: Assignment, places: Dealt["places"]): Assignment =>
  Object.fromEntries(
    places.flatMap(({ at, stacks }) => {
      const held = (puts[at] ?? []).filter((one) => one > 0);
      return held.length ? [[at, stacks ? held : Array<number>(countAssigned({ held })).fill(1)]] : [];
    }),
  );

/** The tokens that were sent, as shown: if things do not stack, they are one number. */
const laid = (puts: Assignment, places: Dealt["places"]): Assignment =>
  Object.fromEntries(
    places.flatMap(({ at, stacks }) => {
      const held = puts[at];
      return held ? [[at, stacks ? held : [countAssigned({ held })]]] : [];
    }),
  );

/** The worth of ways to deal out, if known. */
export type Worths = readonly Worth[];
interface Worth {
  readonly puts: Assignment;
  readonly number: number;
  readonly said: string;
}

const ordered = (sizes: readonly number[] = []): number[] => sizes.filter((one) => one > 0).sort((a, b) => b - a);

/** Whether one way, as it would be sent, continues another: nothing in it is smaller. */
export const isBeginningOf = (whole: Assignment, part: Assignment): boolean =>
  Object.entries(part).every(([at, sizes]) => {
    const there = ordered(whole[at]);
    return ordered(sizes).every((size, n) => (there[n] ?? 0) >= size);
  });

/** The best that can still be reached from these tokens. */
export const bestFrom = (worths: Worths, puts: Assignment): Worth | undefined =>
  worths
    .filter((one) => isBeginningOf(one.puts, puts))
    .reduce<Worth | undefined>((best, one) => (!best || one.number > best.number ? one : best), undefined);

interface AssignProps {
  assign: Dealt;
  said: (text: Text | undefined) => string;
  worths?: Worths;
  disabled: boolean;
  /** Nothing where one only watches. */
  onDone?: ((puts: Assignment) => void) | undefined;
}

/** The places as boxes: a tap or a drop puts a token there, a tap on one takes it back. */
export function Assign({ assign, said, worths = [], disabled, onDone }: AssignProps): JSX.Element {
  const { tokens, places } = assign;
  // With one place only, there is nothing to think about.
  const [puts, setPuts] = useState<Assignment>(places.length > 1 ? {} : { [places[0]!.at]: [tokens] });
  const left = tokens - countAssigned(puts);
  const begun = countAssigned(puts) > 0;
  const put = onDone && ((at: string, list: number[]): void => setPuts({ ...puts, [at]: list }));
  const { now, best, places: each } = weighed(worths, puts, left, places);
  /** The worth of a tap, if the rest is then given out as well as can be. */
  const worthOf = (put: Put | undefined): Put | undefined =>
    put && left > 1 ? { ...put, said: t("assign.at_best", { worth: put.said }) } : put;
  // Nothing to take if this is the best, or if it does not matter.
  const isBest =
    !best || !worths.some((one) => one.number < best.number) || (left === 0 && !!now && now.number >= best.number);
  return (
    <div class="assign" role="group" aria-label={said(assign.ask) || t("assign.label")}>
      {assign.ask && <p>{said(assign.ask)}</p>}
      <ul class="places">
        {places.map(({ at, label, stacks }) => (
          <Place
            key={at}
            name={said(label)}
            held={puts[at]?.length ? puts[at] : [0]}
            stacks={!!stacks}
            left={left}
            on={each.get(at)?.on.map(worthOf) ?? []}
            beside={worthOf(each.get(at)?.beside)}
            disabled={disabled}
            onPut={put && ((list) => put(at, list))}
          />
        ))}
      </ul>
      <div class="assign-do">
        <p class="assign-hand">
          {Array.from({ length: left }, (_, n) => (
            <span
              key={n}
              class="token"
              draggable={!!onDone && !disabled}
              onDragStart={(event) => event.dataTransfer?.setData("text/plain", TOKEN)}
              aria-hidden="true"
            >
              <Icon name="die" size={22} />
            </span>
          ))}
          <span role="status">{t("assign.left", { n: left })}</span>
          {onDone && left > 0 && <small>{t("assign.hint")}</small>}
        </p>
        {now && best && (
          <p class="assign-worth">
            {begun && <strong>{t(left ? "assign.best_left" : "assign.worth", { worth: now.said })}</strong>}{" "}
            {begun && now.number >= best.number ? t("assign.is_best") : t("assign.best", { worth: best.said })}
          </p>
        )}
        {onDone && (
          <div class="row tight">
            {begun && (
              <button type="button" class="button quiet" disabled={disabled} onClick={() => setPuts({})}>
                <Icon name="undo" size={18} />
                {t("assign.over")}
              </button>
            )}
            {!isBest && (
              <button type="button" class="button" disabled={disabled} onClick={() => setPuts(laid(best.puts, places))}>
                <Icon name="star" size={18} />
                {t("assign.take_best")}
              </button>
            )}
            <button
              type="button"
              class="button main"
              aria-disabled={left !== 0 || disabled}
              onClick={() => left === 0 && !disabled && onDone(toCommand(puts, places))}
            >
              {t("assign.done")}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

/** The worth of each button of a place: one more on each thing there, or a thing beside them. */
interface Taps {
  readonly on: readonly (Put | undefined)[];
  readonly beside: Put | undefined;
}

/** The worth of the present way, or of the best that can become of it; the best of all; and the worth of each tap. */
function weighed(
  worths: Worths,
  puts: Assignment,
  left: number,
  places: Dealt["places"],
): { now?: Worth | undefined; best?: Worth | undefined; places: ReadonlyMap<string, Taps> } {
  const from = (at: string, held: number[]): Worth | undefined =>
    bestFrom(worths, toCommand({ ...puts, [at]: held }, places));
  const ways = places.map(({ at, stacks }) => {
    const held = puts[at]?.length ? puts[at] : [0];
    const on = held.map((_, n) => (left ? from(at, raised(held, n, 1)) : undefined));
    return { at, on, beside: left && stacks ? from(at, [...held, 1]) : undefined };
  });
  const all = ways.flatMap(({ on, beside }) => [...on, beside]).filter((worth) => worth !== undefined);
  const most = all.reduce<Worth | undefined>(
    (best, one) => (!best || one.number > best.number ? one : best),
    undefined,
  );
  // A star is for what reads better than something else; of what reads alike each has it.
  const differ = all.some((worth) => worth.said !== most?.said);
  const put = (worth: Worth | undefined): Put | undefined =>
    worth && { said: worth.said, best: differ && worth.said === most?.said };
  const taps = ways.map(({ at, on, beside }) => [at, { on: on.map(put), beside: put(beside) }] as const);
  return { now: bestFrom(worths, toCommand(puts, places)), best: bestFrom(worths, {}), places: new Map(taps) };
}

const raised = (held: readonly number[], n: number, by: number): number[] =>
  held.map((one, m) => (m === n ? one + by : one));

interface Put {
  readonly said: string;
  readonly best: boolean;
}

const TOKEN = "token";

interface PlaceProps {
  name: string;
  held: number[];
  stacks: boolean;
  left: number;
  on: readonly (Put | undefined)[];
  beside: Put | undefined;
  disabled: boolean;
  onPut?: ((list: number[]) => void) | undefined;
}

function Place({ name, held, stacks, left, on, beside, disabled, onPut }: PlaceProps): JSX.Element {
  const id = useId();
  const set = (n: number, by: number): void => onPut?.(raised(held, n, by));
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    if (left > 0 && !disabled) set(held.length - 1, 1);
  };
  const some = held.some((one) => one > 0);
  return (
    <li class="place" data-held={some || undefined} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <strong>{name}</strong>
      {held.map((one, n) => {
        const called = held.length > 1 ? t("assign.nth", { name, n: n + 1 }) : name;
        return (
          <div key={n} class="place-row">
            <Worthy id={`${id}${n}`} worth={on[n]} on={stacks && one > 0} />
            {onPut && (
              <span class="place-taps">
                <button type="button" class="place-held" disabled={one === 0 || disabled} onClick={() => set(n, -1)}>
                  <span class="unseen">{t("do.less", { what: called })} </span>
                  {Array.from({ length: one }, (_, m) => (
                    <span key={m} class="token" aria-hidden="true">
                      <Icon name="die" size={22} />
                    </span>
                  ))}
                  <b>{one}</b>
                </button>
                <button
                  type="button"
                  class="place-more"
                  disabled={left === 0 || disabled}
                  aria-label={t("do.more", { what: called })}
                  aria-describedby={on[n] && `${id}${n}`}
                  onClick={() => set(n, 1)}
                >
                  <Icon name="plus" size={18} />
                </button>
              </span>
            )}
          </div>
        );
      })}
      {onPut && stacks && left > 0 && held.every((one) => one > 0) && (
        <div class="place-row">
          <Worthy id={`${id}more`} worth={beside} />
          <button
            type="button"
            class="place-more another"
            aria-describedby={beside && `${id}more`}
            onClick={() => onPut([...held, 1])}
          >
            <Icon name="plus" size={16} />
            {t("assign.another", { name })}
          </button>
        </div>
      )}
    </li>
  );
}

/** The worth of a button, beside it. */
function Worthy({ id, worth, on }: { id: string; worth: Put | undefined; on?: boolean }): JSX.Element | null {
  if (!worth) return null;
  return (
    <p class="place-worth" id={id} data-best={worth.best || undefined}>
      {worth.best && <Icon name="star" size={14} />}
      {t(on ? "assign.on" : "assign.here", { worth: worth.said })}
    </p>
  );
}
