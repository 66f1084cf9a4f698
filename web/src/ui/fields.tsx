// Fields with their labels, steppers, switches and choices.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./icons";

interface FieldProps {
  label: string;
  help?: string;
  wrong?: string;
  children: (about: { id: string; "aria-describedby"?: string; "aria-invalid"?: "true" }) => ComponentChildren;
}

export function Field({ label, help, wrong, children }: FieldProps): JSX.Element {
  const id = useId();
  const about = help || wrong ? { "aria-describedby": `${id}-about` } : {};
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...about, ...(wrong ? { "aria-invalid": "true" as const } : {}) })}
      {(help || wrong) && (
        <span id={`${id}-about`} class={wrong ? "wrong" : "help"}>
          {wrong || help}
        </span>
      )}
    </div>
  );
}

interface StepperProps {
  label: string;
  value: number;
  low?: number;
  high?: number;
  onChange: (value: number) => void;
  bare?: boolean;
  disabled?: boolean;
}

/** A number with a button on each side. */
export function Stepper({
  label,
  value,
  low = -Infinity,
  high = Infinity,
  onChange,
  bare,
  disabled,
}: StepperProps): JSX.Element {
  const id = useId();
  const set = (to: number): void => {
    const next = Math.max(low, Math.min(high, to));
    if (next !== value && Number.isFinite(next)) onChange(next);
  };
  return (
    <div class={bare ? "" : "field"}>
      <label class={bare ? "unseen" : ""} for={id}>
        {label}
      </label>
      <span class="stepper">
        <button
          type="button"
          class="button"
          aria-label={t("do.less", { what: label })}
          disabled={disabled || value <= low}
          onClick={() => set(value - 1)}
        >
          <Icon name="minus" size={18} />
        </button>
        <input
          id={id}
          inputMode="numeric"
          value={String(value)}
          disabled={disabled}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            const to = parseInt(event.currentTarget.value, 10);
            event.currentTarget.value = String(value);
            set(to);
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
          aria-label={t("do.more", { what: label })}
          disabled={disabled || value >= high}
          onClick={() => set(value + 1)}
        >
          <Icon name="plus" size={18} />
        </button>
      </span>
    </div>
  );
}

export function Switch({
  label,
  help,
  on,
  onChange,
  disabled,
}: {
  label: string;
  help?: string;
  on: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}): JSX.Element {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <span>{label}</span>
        {help && <span class="small soft"> {help}</span>}
      </span>
    </label>
  );
}

/** One of a few, side by side. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
  hideLabel,
}: {
  label: string;
  options: { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
  hideLabel?: boolean;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={hideLabel ? "unseen" : "label small"}>{label}</legend>
      <span class="seg">
        {options.map((one) => (
          <label key={one.value}>
            <input type="radio" name={name} checked={one.value === value} onChange={() => onChange(one.value)} />
            {one.label}
          </label>
        ))}
      </span>
    </fieldset>
  );
}

/** A text that is edited in place, saved when one leaves it. */
export function InPlace({
  label,
  value,
  onSave,
  most,
  placeholder,
  disabled,
}: {
  label: string;
  value: string;
  onSave: (value: string) => void;
  most?: number;
  placeholder?: string;
  disabled?: boolean;
}): JSX.Element {
  const [draft, setDraft] = useState<string | null>(null);
  const save = (): void => {
    if (draft !== null && draft.trim() !== value) onSave(draft.trim());
    setDraft(null);
  };
  return (
    <input
      class="input in-place"
      aria-label={label}
      value={draft ?? value}
      maxLength={most}
      placeholder={placeholder}
      disabled={disabled}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        if (event.key === "Escape") {
          setDraft(null);
          event.stopPropagation();
        }
      }}
    />
  );
}

/** A button that asks once more before it does something that cannot be taken back. */
interface SureProps {
  label: string;
  sure: string;
  onSure: () => void;
  icon?: JSX.Element;
  className?: string;
  children?: ComponentChildren;
}

export function ConfirmButton({
  label,
  sure,
  onSure,
  icon,
  className = "button bad",
  children,
}: SureProps): JSX.Element {
  const [asked, setAsked] = useState(false);
  const really = useRef<HTMLButtonElement>(null);
  useEffect(() => really.current?.focus(), [asked]);
  return asked ? (
    <span class="row">
      {children}
      <button class="button bad" ref={really} onClick={() => (setAsked(false), onSure())}>
        {sure}
      </button>
      <button class="button quiet" onClick={() => setAsked(false)}>
        {t("do.cancel")}
      </button>
    </span>
  ) : (
    <button class={className} onClick={() => setAsked(true)}>
      {icon}
      {label}
    </button>
  );
}
