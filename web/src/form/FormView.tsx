/** The form of a roll, drawn from data: every control that a game may ask with, and nothing about any game. */

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import {
  Choices,
  groupChoices,
  Numbers,
  Radio,
  Select,
  Slider,
  Stepper,
  Switch,
  Text as TextField,
  type Choice,
  type ControlProps,
} from "../panel/controls";
import { capital } from "../panel/names";
import { Taps } from "../panel/Taps";
import type { Choosable, Control, ControlOf, Start, Text } from "../state/card";
import type { Plain } from "../state/types";
import { Icon } from "../ui/icons";
import { announce } from "../ui/announcer";
import { t } from "../i18n";
import { nameKept, nameSaid } from "../i18n/text";
import { addPart, removePart, same, type Draft } from "./draft";
import { itemsOf, partsOf, withoutPart, withPart } from "./form_query";
import "./form.css";

/** Everything that controls work on. */
export interface FormContext {
  readonly draft: Draft;
  /** Whether the form is that of the present draft; else newer input is shown as it was made. */
  readonly current: boolean;
  readonly say: (text: Text | null | undefined) => string;
  /** Ask ahead for every value of a field that is about to be moved. */
  readonly warm?: (path: string, values: readonly number[]) => void;
  /** Change the sheet by one of the game's effects; nothing where there is no sheet. */
  readonly act?: ((effect: string, amount: Plain | undefined, target: string | undefined) => void) | undefined;
  /** Whether a sheet fills in what it knows. */
  readonly sheet: boolean;
  /** Change the form in sight before the server has answered: a list that gets longer or shorter. */
  readonly reshape?: (change: (form: readonly Control[]) => readonly Control[]) => void;
}

interface Props<Name extends Control["control"]> {
  readonly desk: FormContext;
  readonly control: ControlOf<Name>;
}

/** A form, control by control. */
export function FormView({ desk, form }: { desk: FormContext; form: readonly Control[] }): JSX.Element {
  return (
    <>
      {form.map((control, n) => (
        <OneControl key={`${control.control} ${control.at ?? n}`} desk={desk} control={control} />
      ))}
    </>
  );
}

function OneControl({ desk, control }: { desk: FormContext; control: Control }): JSX.Element {
  const wrong = desk.say(control.wrong);
  const left = (event: FocusEvent): void => {
    if (wrong && !(event.currentTarget as Element).contains(event.relatedTarget as Node | null)) announce(wrong);
  };
  const Made = MADE[control.control] as (props: { desk: FormContext; control: Control }) => JSX.Element;
  if (!control.at || control.control === "parts") return <Made desk={desk} control={control} />;
  return (
    <div class="control" data-from={control.from} onFocusOut={wrong ? left : undefined}>
      <Made desk={desk} control={control} />
    </div>
  );
}

/** The path in the request that a control writes; empty for one that only shows. */
const placeOf = ({ at = "" }: { at?: string | undefined }): string => at;

/** The value that counts, or the one that was just touched or refused. */
export function controlValue(
  { draft, current }: Pick<FormContext, "draft" | "current">,
  { at, value, wrong }: Control,
): Plain | undefined {
  const touched = at ? draft.at(at) : undefined;
  return touched !== undefined && (!current || wrong) ? touched : value;
}

/** The common texts of controls: name, help, reason of a limit, error, and origin of the value. */
function named(desk: FormContext, control: Control): ControlProps {
  const { say } = desk;
  return {
    label: say(control.label),
    help:
      [control.help, control.why]
        .map((text) => capital(say(text)))
        .filter(Boolean)
        .join(" ") || undefined,
    wrong: say(control.wrong) || undefined,
    mark: <From desk={desk} control={control} />,
    calm: true,
  };
}

/** Whether what is said in a control can be taken back to what the sheet or the book says. */
const canTakeBack = ({ from, at = "" }: Control): boolean =>
  from === "you" && at.startsWith("set.") && !/\.\d+\./.test(at);

/** The origin of a value: a mark for the sheet's, a way back from one's own. */
function From({ desk, control }: { desk: FormContext; control: Control }): JSX.Element | null {
  const before = useRef<Control["from"]>(desk.sheet ? "sheet" : "book");
  if (control.from && control.from !== "you") before.current = control.from;
  if (control.from === "sheet")
    return (
      <span class="from">
        <Icon name="sheet" size={14} />
        {t("form.from_sheet")}
      </span>
    );
  if (!canTakeBack(control)) return null;
  const said = t(before.current === "sheet" ? "form.as_on_sheet" : "form.as_in_book");
  return (
    <button
      type="button"
      class="from"
      aria-label={`${desk.say(control.label)}: ${said}`}
      title={said}
      onClick={() => desk.draft.write({ [placeOf(control)]: undefined })}
    >
      <Icon name="undo" size={14} />
      {desk.sheet && <span>{said}</span>}
    </button>
  );
}

/**
 * Picking an option writes its value, and whatever else it brings; null takes a key out, unless nothing is what it
 * says.
 */
export function changesOf(at: string, { value, set = {}, none }: Choosable): Record<string, Plain | undefined> {
  return Object.fromEntries(
    Object.entries({ [at]: value, ...set }).map(([path, one]) => [
      path,
      one ?? (none && path === at ? null : undefined),
    ]),
  );
}

function Pick({ desk, control }: Props<"pick">): JSX.Element {
  const { say, draft } = desk;
  const value = controlValue(desk, control) ?? null;
  const options = control.options.map(
    (option, n): Choice => ({
      value: String(n),
      label: say(option.label),
      note: say(option.note),
      off: say(option.off),
      group: say(option.group),
    }),
  );
  // A new pick is on at once, even if picking it takes a key out of the draft.
  const picked = useRef<string | null>(null);
  if (desk.current) picked.current = null;
  const on = picked.current ?? String(control.options.findIndex((option) => same(option.value ?? null, value)));
  const onSet = (n: string): void => {
    picked.current = n;
    draft.write(changesOf(placeOf(control), control.options[Number(n)]!));
  };
  const common = { ...named(desk, control), value: on, options, onSet };
  if (control.style === "menu")
    return <Select {...common} options={on === "-1" ? [{ value: "-1", label: "–" }, ...options] : options} />;
  if (control.style === "board") return <Board {...common} />;
  return <Choices {...common} chips={control.style === "chips"} />;
}

/** Options in columns under their headings; the arrow keys go in both directions. */
function Board(
  props: ControlProps & { value: string; options: readonly Choice[]; onSet: (value: string) => void },
): JSX.Element {
  const id = useId();
  const board = useRef<HTMLFieldSetElement>(null);
  const columns = groupChoices(props.options);
  const onKey = (event: KeyboardEvent): void => {
    const to = boardStep(
      columns.map(([, column]) => column.length),
      columns
        .flatMap(([, column], x) => column.map((option, y) => [option.value, x, y] as const))
        .find(([value]) => value === (event.target as HTMLInputElement).value),
      event.key,
    );
    if (!to) return;
    event.preventDefault();
    const option = columns[to[0]]![1][to[1]]!;
    board.current!.querySelector<HTMLInputElement>(`input[value="${option.value}"]`)?.focus();
    if (!option.off) props.onSet(option.value);
  };
  return (
    <fieldset
      class="field skill-board"
      ref={board}
      onKeyDown={onKey}
      aria-describedby={props.wrong ? `${id}w` : undefined}
    >
      <legend class="label">{props.label}</legend>
      {props.mark}
      {columns.map(([heading, column]) => (
        <div class="skill-column">
          {heading && <span class="skill-attribute">{heading}</span>}
          {column.map((option) => (
            <label
              class="pick"
              data-on={option.value === props.value || undefined}
              data-off={!!option.off || undefined}
            >
              <Radio option={option} name={id} on={option.value === props.value} onSet={props.onSet}>
                <span>{option.label}</span>
                {option.note && <b>{option.note}</b>}
              </Radio>
            </label>
          ))}
        </div>
      ))}
      {props.wrong && (
        <p class="wrong" id={`${id}w`}>
          {props.wrong}
        </p>
      )}
    </fieldset>
  );
}

/** The target of an arrow key on a board with so many in each column; null for any other key. */
export function boardStep(
  heights: readonly number[],
  from: readonly [string, number, number] | undefined,
  key: string,
): [number, number] | null {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!step || !from) return null;
  const x = (from[1] + step[0]! + heights.length) % heights.length;
  const y = step[0] ? Math.min(from[2], heights[x]! - 1) : (from[2] + step[1]! + heights[x]!) % heights[x]!;
  return [x, y];
}

function Picks({ desk, control }: Props<"picks">): JSX.Element {
  const id = useId();
  const { say, draft } = desk;
  const value = controlValue(desk, control);
  const held: Plain[] = Array.isArray(value) ? value : [];
  const own = held.filter((one) => !control.options.some((option) => same(option.value, one)));
  const full = held.length >= (control.most ?? Infinity);
  const set = (list: Plain[]): void => draft.write({ [placeOf(control)]: list });
  const { label, help, wrong, mark } = named(desk, control);
  const all: Choosable[] = [
    ...control.options,
    ...own.map((one) => ({
      value: one,
      label: typeof one === "string" ? one : String((one as { name?: Plain } | null)?.name ?? ""),
    })),
  ];
  return (
    <fieldset class="field" aria-describedby={wrong ? id : undefined}>
      <legend class="label">{label}</legend>
      {mark}
      <div class="choice-chips">
        {all.map((option) => {
          const on = held.some((one) => same(one, option.value));
          const off = say(option.off);
          return (
            <label data-on={on || undefined} data-off={!!off || undefined}>
              <input
                type="checkbox"
                checked={on}
                aria-disabled={off || (full && !on) ? true : undefined}
                onClick={(event) => (off || (full && !on)) && event.preventDefault()}
                onChange={() => set(on ? held.filter((one) => !same(one, option.value)) : [...held, option.value])}
              />
              <span>{say(option.label)}</span>
              {option.note && <small>{say(option.note)}</small>}
              {off && <small class="off-why">{off}</small>}
            </label>
          );
        })}
      </div>
      {control.add && !full && <AddWord label={say(control.add)} onAdd={(word) => set([...held, word])} />}
      {help && <p class="help">{help}</p>}
      {wrong && (
        <p class="wrong" id={id}>
          {wrong}
        </p>
      )}
    </fieldset>
  );
}

/** A word of one's own, added with Enter or a tap. */
function AddWord({
  label,
  most,
  suggest,
  onAdd,
}: {
  label: string;
  most?: number | undefined;
  suggest?: readonly string[] | undefined;
  onAdd: (word: string) => void;
}): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const add = (): void => {
    const word = input.current!.value.trim();
    if (word) onAdd(word);
    input.current!.value = "";
  };
  return (
    <div class="add-word">
      <input
        ref={input}
        class="input"
        aria-label={label}
        placeholder={label}
        maxLength={most ?? 60}
        list={suggest?.length ? id : undefined}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            add();
          }
        }}
      />
      <button type="button" class="button offer" aria-label={label} onClick={add}>
        <Icon name="plus" size={18} />
      </button>
      {suggest?.length ? (
        <datalist id={id}>
          {suggest.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      ) : null}
    </div>
  );
}

/** Cuts a value when its limit falls: a slider never holds more than there is. */
function useEnd({ draft, current }: FormContext, { at = "", style, high }: ControlOf<"number">): void {
  const held = draft.at(at);
  const beyond = current && style === "slider" && typeof high === "number" && typeof held === "number" && held > high;
  useEffect(() => {
    if (beyond) draft.write({ [at]: high });
  }, [beyond]);
}

function NumberControl({ desk, control }: Props<"number">): JSX.Element {
  useEnd(desk, control);
  const { draft, say } = desk;
  const low = control.low ?? -Infinity;
  const high = control.high ?? Infinity;
  const held = controlValue(desk, control);
  // A refused value is shown as it was typed, so that a suggestion can be taken instead.
  const value = typeof held !== "number" ? null : control.wrong ? held : Math.max(low, Math.min(high, held));
  const none = say(control.none);
  const set = (to: number | null): void => draft.write({ [placeOf(control)]: to });
  const slide = (to: number): void => {
    draft.moves.value = !control.live;
    set(to);
  };
  const common = { ...named(desk, control), signed: !!control.signed, onSet: set };
  const row = control.row ?? (high - low <= 12 ? Array.from({ length: high - low + 1 }, (_, n) => low + n) : []);
  if (control.style === "taps" && row.length) {
    const words = Object.fromEntries(Object.entries(control.words ?? {}).map(([one, word]) => [one, say(word)]));
    return (
      <Taps
        {...common}
        value={value}
        row={row}
        low={low}
        high={high}
        words={words}
        none={none || undefined}
        onNone={() => set(null)}
      />
    );
  }
  if (none && value === null)
    return (
      <div class="field">
        <span class="label">{common.label}</span>
        {common.mark}
        <p class="left-out">
          <span>{none}</span>
          <button
            type="button"
            class="button offer"
            aria-label={t("panel.give", { label: common.label })}
            onClick={() => set(Math.max(control.low ?? 0, 0))}
          >
            <Icon name="plus" size={18} />
          </button>
        </p>
        {common.help && <p class="help">{common.help}</p>}
        {common.wrong && <p class="wrong">{common.wrong}</p>}
      </div>
    );
  const now = value ?? Math.max(control.low ?? 0, 0);
  if (control.style === "slider" && Number.isFinite(high - low)) {
    const ahead =
      control.ahead && desk.warm
        ? () =>
            desk.warm!(
              placeOf(control),
              Array.from({ length: Math.min(high - low, 20) + 1 }, (_, n) => low + n),
            )
        : undefined;
    return (
      <Slider
        {...common}
        value={now}
        low={low}
        high={high}
        onGrab={ahead}
        onSet={slide}
        onRest={() => (draft.moves.value = false)}
      />
    );
  }
  return (
    <div class="with-clear">
      <Stepper {...common} value={now} low={low} high={high} />
      {none && (
        <button type="button" class="button quiet" onClick={() => set(null)}>
          {none}
        </button>
      )}
    </div>
  );
}

function NumbersControl({ desk, control }: Props<"numbers">): JSX.Element {
  const held = controlValue(desk, control);
  const values = (Array.isArray(held) ? held : []).filter((one): one is number => typeof one === "number");
  return (
    <Numbers
      {...named(desk, control)}
      values={values}
      offers={control.offers}
      most={control.most ?? undefined}
      signed={!!control.signed}
      onSet={(list) => desk.draft.write({ [placeOf(control)]: list })}
    />
  );
}

function SwitchControl({ desk, control }: Props<"switch">): JSX.Element {
  return (
    <Switch
      {...named(desk, control)}
      value={controlValue(desk, control) === true}
      onSet={(on) => desk.draft.write({ [placeOf(control)]: on })}
    />
  );
}

function TextControl({ desk, control }: Props<"text">): JSX.Element {
  const held = controlValue(desk, control);
  const common = named(desk, control);
  const set = (value: Plain): void => desk.draft.write({ [placeOf(control)]: value });
  const [typed, setTyped] = useState<string | null>(null);
  // Names that the game knows are read and typed in words; text being typed stays as it is.
  if (control.known && !control.words)
    return (
      <TextField
        {...common}
        value={typed ?? nameSaid(String(held ?? ""))}
        most={control.most ?? undefined}
        suggest={control.suggest?.map(nameSaid)}
        onSet={(text) => (setTyped(text), set(nameKept(text)))}
      />
    );
  if (!control.words)
    return (
      <TextField
        {...common}
        value={String(held ?? "")}
        most={control.most ?? undefined}
        suggest={control.suggest}
        onSet={set}
      />
    );
  const words = Array.isArray(held) ? held.map(String) : [];
  const said = new Map(control.options?.map(({ value, label }) => [value, desk.say(label)]));
  const meant = (word: string): string => [...said].find(([, label]) => label === word)?.[0] ?? word;
  return (
    <fieldset class="field">
      <legend class="label">{common.label}</legend>
      {common.mark}
      <div class="number-chips">
        {words.map((word, n) => (
          <button
            type="button"
            class="button on"
            aria-label={t("panel.take_away", { value: said.get(word) ?? word })}
            onClick={() => set(words.filter((_, m) => m !== n))}
          >
            {said.get(word) ?? word}
            <Icon name="cross" size={14} />
          </button>
        ))}
      </div>
      {words.length < (control.most ?? Infinity) && (
        <AddWord
          label={t("panel.add_part", { label: common.label })}
          suggest={control.suggest ?? [...said.values()]}
          onAdd={(word) => set([...words, meant(word)])}
        />
      )}
      {common.help && <p class="help">{common.help}</p>}
      {common.wrong && <p class="wrong">{common.wrong}</p>}
    </fieldset>
  );
}

/** Things one after the other, each with a form; focus goes to what was added, and stays near what was taken away. */
function Parts({ desk, control }: Props<"parts">): JSX.Element {
  const { draft, say } = desk;
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<number | null>(null);
  const parts = partsOf(control);
  useEffect(() => {
    const place = wanted.current;
    const part = place === null ? undefined : list.current!.children[place];
    if (!part) return;
    wanted.current = null;
    part.querySelector<HTMLElement>("[data-part]")?.focus();
  }, [parts.length]);
  const add = (): void => {
    wanted.current = parts.length;
    const next = addPart(draft.parts.value, placeOf(control), itemsOf(control), control.fresh);
    desk.reshape?.((form) => withPart(form, placeOf(control)));
    draft.change(next);
  };
  const remove = (place: number): void => {
    wanted.current = Math.max(0, place - 1);
    const next = removePart(draft.parts.value, placeOf(control), itemsOf(control), place);
    desk.reshape?.((form) => withoutPart(form, placeOf(control), place));
    draft.change(next);
  };
  const wrong = say(control.wrong);
  return (
    <fieldset class="parts">
      {control.label && <legend class="label">{say(control.label)}</legend>}
      {wrong && <p class="wrong">{wrong}</p>}
      <ol class="steps" ref={list}>
        {parts.map((part, n) => (
          <li key={n}>
            <Boxed title={say(part.title)} fold={!!control.fold} open={parts.length < 3 || isRefused(part.form)} part>
              <FormView desk={desk} form={part.form} />
              {(parts.length > 1 || control.fresh) && (
                <button
                  type="button"
                  class="button quiet step-away"
                  aria-label={t("panel.take_away", { value: say(part.title) })}
                  onClick={() => remove(n)}
                >
                  <Icon name="bin" size={18} />
                </button>
              )}
            </Boxed>
          </li>
        ))}
      </ol>
      {control.add && parts.length < (control.most ?? Infinity) && (
        <button type="button" class="button offer" onClick={add}>
          <Icon name="plus" size={18} />
          {say(control.add)}
        </button>
      )}
    </fieldset>
  );
}

/** Controls under a title, folded away or in sight. */
function Boxed({
  title,
  fold,
  open,
  part,
  children,
}: {
  title: string;
  fold: boolean;
  open?: boolean;
  part?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  if (fold)
    return (
      <details class={part ? "part" : "tucked"} open={open}>
        <summary data-part>
          <Icon name="right" size={18} />
          {title}
        </summary>
        <div class="made">{children}</div>
      </details>
    );
  return (
    <fieldset class="made-group">
      <legend data-part tabIndex={part ? -1 : undefined}>
        {title}
      </legend>
      {children}
    </fieldset>
  );
}

/** The first control that is refused among these. */
export function findInvalid(form: readonly Control[]): Control | undefined {
  for (const control of form) {
    const inside =
      control.control === "group"
        ? control.form
        : control.control === "parts"
          ? control.parts.flatMap((part) => part.form)
          : [];
    const found = control.wrong ? control : findInvalid(inside);
    if (found) return found;
  }
  return undefined;
}

/** Whether something is refused among these, so that it is never folded away. */
const isRefused = (form: readonly Control[]): boolean => !!findInvalid(form);

const COLUMNS = { 2: "two", 3: "three" } as const;

function Group({ desk, control }: Props<"group">): JSX.Element {
  const inside = <FormView desk={desk} form={control.form} />;
  const shown = control.columns ? <div class={COLUMNS[control.columns]}>{inside}</div> : inside;
  return control.title ? (
    <Boxed title={desk.say(control.title)} fold={!!control.fold} open={isRefused(control.form) || undefined}>
      {shown}
    </Boxed>
  ) : (
    <>{shown}</>
  );
}

const Note = ({ desk, control }: Props<"note">): JSX.Element => (
  <p class="said" data-tone={control.tone}>
    {desk.say(control.text)}
  </p>
);

const Jump = ({ desk, control }: Props<"jump">): JSX.Element => (
  <button type="button" class="button" onClick={() => begin(desk.draft, control.draft)}>
    <Icon name="right" size={18} />
    {desk.say(control.text)}
  </button>
);

/** Go to a roll with a start of its own. */
export const begin = (draft: Draft, { roll, ...start }: Start): void => draft.open(roll, start);

/** A change of the sheet; one that is not possible now stays in reach and says why. */
function Act({ desk, control }: Props<"act">): JSX.Element {
  const id = useId();
  const off = desk.say(control.off);
  if (!desk.act) return <></>;
  return (
    <div class="act">
      <button
        type="button"
        class="button"
        aria-disabled={off ? true : undefined}
        aria-describedby={off ? id : undefined}
        onClick={() => !off && desk.act!(control.effect, control.amount, control.target)}
      >
        {desk.say(control.text)}
      </button>
      {off && (
        <small class="off-why" id={id}>
          {off}
        </small>
      )}
    </div>
  );
}

const MADE: { [Name in Control["control"]]: (props: Props<Name>) => JSX.Element } = {
  pick: Pick,
  picks: Picks,
  number: NumberControl,
  numbers: NumbersControl,
  switch: SwitchControl,
  text: TextControl,
  parts: Parts,
  group: Group,
  note: Note,
  jump: Jump,
  act: Act,
};
