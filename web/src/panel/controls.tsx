/** The pieces a roll panel is made of: steppers, sliders, choices, switches, texts. */

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { Icon } from "../ui/icons";
import { t } from "../words";

interface Named {
  readonly label: string;
  readonly help?: string;
  readonly wrong?: string;
}

/** A control with its name, its explanation and what is wrong with it. */
export function Field(props: Named & { id: string; group?: boolean; children: ComponentChildren }): JSX.Element {
  const { id, label, help, wrong, group } = props;
  const notes = (
    <>
      {help && <p class="help" id={`${id}h`}>{help}</p>}
      {wrong && <p class="wrong" id={`${id}w`} role="alert">{wrong}</p>}
    </>
  );
  if (group)
    return (
      <fieldset class="field" aria-describedby={wrong ? `${id}w` : undefined}>
        <legend class="label">{label}</legend>
        {props.children}
        {notes}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {props.children}
      {notes}
    </div>
  );
}

export interface StepperProps extends Named {
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly signed?: boolean;
  readonly onSet: (value: number) => void;
}

const signedText = (value: number): string => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/** A number with − and +. */
export function Stepper(props: StepperProps): JSX.Element {
  const id = useId();
  const { value, low = -Infinity, high = Infinity, label } = props;
  const set = (next: number): void => props.onSet(Math.max(low, Math.min(high, next)));
  return (
    <Field id={id} {...props} group>
      <div class="stepper" role="group" aria-label={label}>
        <button type="button" class="button" aria-label={t("panel.less", { label })} disabled={value <= low} onClick={() => set(value - 1)}>
          <Icon name="minus" />
        </button>
        <input
          id={id}
          inputMode="numeric"
          aria-label={label}
          aria-invalid={!!props.wrong}
          value={props.signed ? signedText(value) : value}
          onChange={(event) => {
            const read = Number(event.currentTarget.value.replace("−", "-").replace("+", ""));
            if (Number.isInteger(read)) set(read);
            event.currentTarget.value = props.signed ? signedText(value) : String(value);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowUp" || event.key === "ArrowDown") {
              event.preventDefault();
              set(value + (event.key === "ArrowUp" ? 1 : -1));
            }
          }}
        />
        <button type="button" class="button" aria-label={t("panel.more_of", { label })} disabled={value >= high} onClick={() => set(value + 1)}>
          <Icon name="plus" />
        </button>
      </div>
    </Field>
  );
}

/** How long a slider has been there before its values are asked for ahead, in milliseconds. */
const SETTLED = 600;

/** A number by sliding, with every value marked. */
export function Slider(props: StepperProps & { low: number; high: number; onGrab?: () => void }): JSX.Element {
  const id = useId();
  const { value, low, high } = props;
  useEffect(() => {
    const timer = setTimeout(() => props.onGrab?.(), SETTLED);
    return () => clearTimeout(timer);
  }, [high]);
  const marks = high - low <= 12 ? Array.from({ length: high - low + 1 }, (_, n) => low + n) : [];
  return (
    <Field id={id} {...props}>
      <div class="slider" style={`--part:${high > low ? (value - low) / (high - low) : 0}`}>
        <input
          id={id}
          type="range"
          min={low}
          max={high}
          step={1}
          value={value}
          disabled={high <= low}
          aria-invalid={!!props.wrong}
          onPointerEnter={props.onGrab}
          onPointerDown={props.onGrab}
          onFocus={props.onGrab}
          onInput={(event) => props.onSet(Number(event.currentTarget.value))}
        />
        <output for={id}>{value}</output>
        {marks.length > 1 && (
          <div class="slider-marks" aria-hidden="true">
            {marks.map((mark) => (
              <span data-on={mark === value || undefined}>{mark}</span>
            ))}
          </div>
        )}
      </div>
    </Field>
  );
}

export interface Choice<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly note?: string;
}

/** One of several, all in sight. */
export function Choices<T extends string>(
  props: Named & { value: T | undefined; options: readonly Choice<T>[]; onSet: (value: T) => void; chips?: boolean },
): JSX.Element {
  const id = useId();
  return (
    <Field id={id} {...props} group>
      <div class={props.chips ? "choice-chips" : "seg"}>
        {props.options.map((option) => (
          <label data-on={option.value === props.value || undefined}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === props.value}
              onChange={() => props.onSet(option.value)}
            />
            <span>{option.label}</span>
            {option.note && <small>{option.note}</small>}
          </label>
        ))}
      </div>
    </Field>
  );
}

/** One of many, in a list that opens. */
export function Select(props: Named & { value: string; options: readonly Choice[]; onSet: (value: string) => void }): JSX.Element {
  const id = useId();
  return (
    <Field id={id} {...props}>
      <select id={id} class="input" value={props.value} aria-invalid={!!props.wrong} onChange={(event) => props.onSet(event.currentTarget.value)}>
        {props.options.map((option) => (
          <option value={option.value} selected={option.value === props.value}>{option.label}</option>
        ))}
      </select>
    </Field>
  );
}

/** Yes or no. */
export function Switch(props: Named & { value: boolean; onSet: (value: boolean) => void }): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label class="switch" for={id}>
        <input id={id} type="checkbox" checked={props.value} onChange={(event) => props.onSet(event.currentTarget.checked)} />
        <span>
          {props.label}
          {props.help && <small class="help">{props.help}</small>}
        </span>
      </label>
      {props.wrong && <p class="wrong" role="alert">{props.wrong}</p>}
    </div>
  );
}

/** A short text. */
export function Text(props: Named & { value: string; most?: number | undefined; placeholder?: string; onSet: (value: string) => void }): JSX.Element {
  const id = useId();
  return (
    <Field id={id} {...props}>
      <input
        id={id}
        class="input"
        value={props.value}
        maxLength={props.most}
        placeholder={props.placeholder}
        aria-invalid={!!props.wrong}
        onInput={(event) => props.onSet(event.currentTarget.value)}
      />
    </Field>
  );
}

/** Several numbers, each a chip that a tap takes away again. */
export function Numbers(
  props: Named & { values: readonly number[]; offers: readonly number[]; signed?: boolean; most?: number | undefined; onSet: (values: number[]) => void },
): JSX.Element {
  const id = useId();
  const said = (value: number): string => (props.signed ? signedText(value) : String(value));
  return (
    <Field id={id} {...props} group>
      <div class="number-chips">
        {props.values.map((value, n) => (
          <button type="button" class="button on" aria-label={t("panel.take_away", { value: said(value) })} onClick={() => props.onSet(props.values.filter((_, m) => m !== n))}>
            {said(value)}
            <Icon name="cross" size={14} />
          </button>
        ))}
        {props.values.length < (props.most ?? 20) &&
          props.offers.map((value) => (
            <button type="button" class="button offer" aria-label={t("panel.add", { value: said(value) })} onClick={() => props.onSet([...props.values, value])}>
              {said(value)}
            </button>
          ))}
      </div>
    </Field>
  );
}
