/** Numbers to tap: a short row around zero, or the steps of a ladder, with − and + beyond. */

import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { Field, formatSigned, type ControlProps } from "./controls";

export interface TapProps extends ControlProps {
  /** Nothing where it is left out. */
  readonly value: number | null;
  /** The label for no number, if it may be left out. */
  readonly none?: string | undefined;
  /** The numbers in sight. */
  readonly row: readonly number[];
  readonly low: number;
  readonly high: number;
  readonly signed?: boolean | undefined;
  /** A word below some numbers: 6 is standard. */
  readonly words?: Readonly<Record<number, string>>;
  readonly onSet: (value: number) => void;
  readonly onNone?: () => void;
}

/** A row of numbers, one of which counts. */
export function Taps(props: TapProps): JSX.Element {
  const id = useId();
  const { value, row, low, high, label } = props;
  const said = (one: number): string => (props.signed ? formatSigned(one) : String(one));
  const shown = value === null || row.includes(value) ? row : [...row, value].sort((a, b) => a - b);
  const beyond = low < row[0]! || high > row[row.length - 1]!;
  const set = (next: number): void => props.onSet(Math.max(low, Math.min(high, next)));
  return (
    <Field id={id} {...props} group>
      <div class="taps">
        {beyond && (
          <button
            type="button"
            class="button quiet round"
            aria-label={t("panel.less", { label })}
            disabled={value === null || value <= low}
            onClick={() => set(value! - 1)}
          >
            <Icon name="minus" size={18} />
          </button>
        )}
        <div class="taps-row">
          {props.none && (
            <label data-on={value === null || undefined}>
              <input type="radio" name={id} value="" checked={value === null} onChange={props.onNone} />
              <span>{props.none}</span>
            </label>
          )}
          {shown.map((one, n) => (
            <label
              data-on={one === value || undefined}
              data-far={(beyond && shown.length > 6 && (n === 0 || n === shown.length - 1)) || undefined}
            >
              <input type="radio" name={id} value={one} checked={one === value} onChange={() => set(one)} />
              <span>{said(one)}</span>
              {props.words?.[one] && <small>{props.words[one]}</small>}
            </label>
          ))}
        </div>
        {beyond && (
          <button
            type="button"
            class="button quiet round"
            aria-label={t("panel.more_of", { label })}
            disabled={value === null || value >= high}
            onClick={() => set(value! + 1)}
          >
            <Icon name="plus" size={18} />
          </button>
        )}
      </div>
    </Field>
  );
}
