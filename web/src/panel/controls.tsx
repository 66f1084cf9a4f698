/** The pieces a roll panel is made of: steppers, sliders, choices, switches, texts. */

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { Icon } from "../ui/icons";
import { t } from "../i18n";

export interface ControlProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly wrong?: string | undefined;
  /** Who said the value, and the way back to it. */
  readonly mark?: ComponentChildren;
  /** Whether a refusal waits to be read out until the control is left. */
  readonly calm?: boolean;
}

/** The ids of a control's help and error. */
const described = (id: string, { help, wrong }: ControlProps): string | undefined =>
  [help && `${id}h`, wrong && `${id}w`].filter(Boolean).join(" ") || undefined;

/** A control with its name, its explanation and what is wrong with it. */
export function Field(props: ControlProps & { id: string; group?: boolean; children: ComponentChildren }): JSX.Element {
  const { id, label, help, wrong, group, mark } = props;
  const notes = (
    <>
      {help && (
        <p class="help" id={`${id}h`}>
          {help}
        </p>
      )}
      {wrong && (
        <p class="wrong" id={`${id}w`} role={props.calm ? undefined : "alert"}>
          {wrong}
        </p>
      )}
    </>
  );
  if (group)
    return (
      <fieldset class="field" aria-describedby={described(id, props)}>
        <legend class="label">{label}</legend>
        {mark}
        {props.children}
        {notes}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {mark}
      {props.children}
      {notes}
    </div>
  );
}

export interface StepperProps extends ControlProps {
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly signed?: boolean;
  readonly onSet: (value: number) => void;
}

export const formatSigned = (value: number): string => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/** A number with − and +. */
export function Stepper(props: StepperProps): JSX.Element {
  const id = useId();
  const { value, low = -Infinity, high = Infinity, label } = props;
  const set = (next: number): void => props.onSet(Math.max(low, Math.min(high, next)));
  return (
    <Field id={id} {...props} group>
      <div class="stepper" role="group" aria-label={label}>
        <button
          type="button"
          class="button"
          aria-label={t("panel.less", { label })}
          disabled={value <= low}
          onClick={() => set(value - 1)}
        >
          <Icon name="minus" />
        </button>
        <input
          id={id}
          inputMode="numeric"
          aria-label={label}
          aria-invalid={!!props.wrong}
          value={props.signed ? formatSigned(value) : value}
          onChange={(event) => {
            const read = Number(event.currentTarget.value.replace("−", "-").replace("+", ""));
            if (Number.isInteger(read)) set(read);
            event.currentTarget.value = props.signed ? formatSigned(value) : String(value);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowUp" || event.key === "ArrowDown") {
              event.preventDefault();
              set(value + (event.key === "ArrowUp" ? 1 : -1));
            }
          }}
        />
        <button
          type="button"
          class="button"
          aria-label={t("panel.more_of", { label })}
          disabled={value >= high}
          onClick={() => set(value + 1)}
        >
          <Icon name="plus" />
        </button>
      </div>
    </Field>
  );
}

/** How long a slider has been there before its values are asked for ahead, in milliseconds. */
const SETTLED = 600;

/** A number by sliding, with every value marked. */
export function Slider(
  props: StepperProps & { low: number; high: number; onGrab?: (() => void) | undefined; onRest?: () => void },
): JSX.Element {
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
          aria-describedby={described(id, props)}
          onPointerEnter={props.onGrab}
          onPointerDown={props.onGrab}
          onFocus={props.onGrab}
          onInput={(event) => props.onSet(Number(event.currentTarget.value))}
          onChange={props.onRest}
        />
        <output for={id}>{props.signed ? formatSigned(value) : value}</output>
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
  readonly note?: string | undefined;
  /** Why it cannot be picked now; it can still be reached, and the reason read. */
  readonly off?: string | undefined;
  /** The heading above it. */
  readonly group?: string | undefined;
}

/** One option as a radio button within its label; one that is off gives the choice back. */
export function Radio<T extends string>({
  option,
  name,
  on,
  onSet,
  children,
}: {
  option: Choice<T>;
  name: string;
  on: boolean;
  onSet: (value: T) => void;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  return (
    <>
      <input
        type="radio"
        name={name}
        value={option.value}
        checked={on}
        aria-disabled={option.off ? true : undefined}
        aria-describedby={option.off ? id : undefined}
        onClick={(event) => option.off && event.preventDefault()}
        onChange={() => !option.off && onSet(option.value)}
      />
      {children}
      {option.off && (
        <small class="off-why" id={id}>
          {option.off}
        </small>
      )}
    </>
  );
}

/** One of several, all in sight. */
export function Choices<T extends string>(
  props: ControlProps & {
    value: T | undefined;
    options: readonly Choice<T>[];
    onSet: (value: T) => void;
    chips?: boolean;
  },
): JSX.Element {
  const id = useId();
  return (
    <Field id={id} {...props} group>
      <div class={props.chips ? "choice-chips" : "seg"}>
        {props.options.map((option) => (
          <label data-on={option.value === props.value || undefined} data-off={!!option.off || undefined}>
            <Radio option={option} name={id} on={option.value === props.value} onSet={props.onSet}>
              <span>{option.label}</span>
              {option.note && <small>{option.note}</small>}
            </Radio>
          </label>
        ))}
      </div>
    </Field>
  );
}

/** Options under their headings, in the order in which these come first. */
export function groupChoices<T extends string>(options: readonly Choice<T>[]): [string, Choice<T>[]][] {
  const found = new Map<string, Choice<T>[]>();
  for (const option of options) found.set(option.group ?? "", [...(found.get(option.group ?? "") ?? []), option]);
  return [...found];
}

/** One of many, in a list that opens. */
export function Select(
  props: ControlProps & { value: string; options: readonly Choice[]; onSet: (value: string) => void },
): JSX.Element {
  const id = useId();
  return (
    <Field id={id} {...props}>
      <select
        id={id}
        class="input"
        value={props.value}
        aria-invalid={!!props.wrong}
        aria-describedby={described(id, props)}
        onChange={(event) => props.onSet(event.currentTarget.value)}
      >
        {groupChoices(props.options).map(([group, options]) => {
          const listed = options.map((option) => (
            <option value={option.value} selected={option.value === props.value} disabled={!!option.off}>
              {[option.label, option.note, option.off].filter(Boolean).join(" · ")}
            </option>
          ));
          return group ? <optgroup label={group}>{listed}</optgroup> : listed;
        })}
      </select>
    </Field>
  );
}

/** Yes or no. */
export function Switch(props: ControlProps & { value: boolean; onSet: (value: boolean) => void }): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label class="switch" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={props.value}
          aria-describedby={props.wrong ? `${id}w` : undefined}
          onChange={(event) => props.onSet(event.currentTarget.checked)}
        />
        <span>
          {props.label}
          {props.help && <small class="help">{props.help}</small>}
        </span>
      </label>
      {props.mark}
      {props.wrong && (
        <p class="wrong" id={`${id}w`} role={props.calm ? undefined : "alert"}>
          {props.wrong}
        </p>
      )}
    </div>
  );
}

/** A short text. */
export function Text(
  props: ControlProps & {
    value: string;
    most?: number | undefined;
    placeholder?: string;
    suggest?: readonly string[] | undefined;
    onSet: (value: string) => void;
  },
): JSX.Element {
  const id = useId();
  return (
    <Field id={id} {...props}>
      <input
        id={id}
        class="input"
        value={props.value}
        maxLength={props.most}
        placeholder={props.placeholder}
        list={props.suggest?.length ? `${id}l` : undefined}
        aria-invalid={!!props.wrong}
        aria-describedby={described(id, props)}
        onInput={(event) => props.onSet(event.currentTarget.value)}
      />
      {props.suggest?.length ? (
        <datalist id={`${id}l`}>
          {props.suggest.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      ) : null}
    </Field>
  );
}

/** Several numbers, each a chip that a tap takes away again. */
export function Numbers(
  props: ControlProps & {
    values: readonly number[];
    offers: readonly number[];
    signed?: boolean;
    most?: number | undefined;
    onSet: (values: number[]) => void;
  },
): JSX.Element {
  const id = useId();
  const said = (value: number): string => (props.signed ? formatSigned(value) : String(value));
  return (
    <Field id={id} {...props} group>
      <div class="number-chips">
        {props.values.map((value, n) => (
          <button
            type="button"
            class="button on"
            aria-label={t("panel.take_away", { value: said(value) })}
            onClick={() => props.onSet(props.values.filter((_, m) => m !== n))}
          >
            {said(value)}
            <Icon name="cross" size={14} />
          </button>
        ))}
        {props.values.length < (props.most ?? 20) &&
          props.offers.map((value) => (
            <button
              type="button"
              class="button offer"
              aria-label={t("panel.add", { value: said(value) })}
              onClick={() => props.onSet([...props.values, value])}
            >
              {said(value)}
            </button>
          ))}
      </div>
    </Field>
  );
}
