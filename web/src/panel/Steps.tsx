/** Rolls one after the other: each on a card with its controls, and one more at a tap. */

import type { JSX } from "preact";
import type { Plain } from "../state/types";
import { Icon } from "../ui/icons";
import { t } from "../words";
import type { Form } from "./form";

export interface StepsProps {
  readonly form: Form;
  readonly path: string;
  /** What each is called: "Check 2". */
  readonly name: (n: number) => string;
  /** What the button says that adds one like the last. */
  readonly add: string;
  readonly children: (path: string) => JSX.Element;
}

const MOST = 6;

export function Steps({ form, path, name, add, children }: StepsProps): JSX.Element {
  const held = form.get(path);
  const steps: Plain[] = Array.isArray(held) ? held : [];
  const last = steps[steps.length - 1];
  const most = form.schema.value?.properties?.[path]?.maxItems ?? MOST;
  return (
    <ol class="steps">
      {steps.map((_, n) => (
        <li>
          <fieldset class="made-group">
            <legend>{name(n + 1)}</legend>
            {form.wrongAt(`${path}.${n}`) && <p class="wrong" role="alert">{form.wrongAt(`${path}.${n}`)}</p>}
            {children(`${path}.${n}`)}
            {steps.length > 1 && (
              <button type="button" class="button quiet step-away" aria-label={t("panel.take_away", { value: name(n + 1) })} onClick={() => form.set(path, steps.filter((_, m) => m !== n))}>
                <Icon name="bin" size={18} />
              </button>
            )}
          </fieldset>
        </li>
      ))}
      {steps.length < most && last !== undefined && (
        <li><button type="button" class="button offer" onClick={() => form.set(path, [...steps, structuredClone(last)])}><Icon name="plus" size={18} />{add}</button></li>
      )}
    </ol>
  );
}
