/** A roll as it lies on a sheet: what it is, and its dice before they are thrown. */

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Dice } from "../dice";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { formatIn, type RollEditor } from "./Builder";
import { rollName } from "./names";
import { firstDice } from "./pools";

export function PreparedRoll({ bench, onClose }: { bench: RollEditor; onClose: () => void }): JSX.Element {
  const { form, lane } = bench;
  const answer = lane.answer.value;
  const dice = firstDice(bench);
  const title =
    (answer && formatIn(bench, answer.title)) ||
    (form.game && form.roll.value ? rollName(form.game, form.roll.value) : t("panel.free"));
  const head = useRef<HTMLHeadingElement>(null);
  // The keyboard continues from here.
  useEffect(() => head.current?.focus({ preventScroll: true }), [form.roll.value]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard from the controls inside
    <header class="laid-head felt" onKeyDown={(event) => event.key === "Escape" && onClose()}>
      <h3 ref={head} tabIndex={-1}>
        {title}
      </h3>
      <button type="button" class="button quiet round" aria-label={t("panel.put_away")} onClick={onClose}>
        <Icon name="cross" />
      </button>
      {(!answer || dice.length > 0) && (
        <div class="laid-dice">
          {dice.length > 0 && (
            <Dice dice={dice} faces={null} game={form.game?.name ?? ""} marks={answer?.marks} pool={answer?.pool} />
          )}
        </div>
      )}
    </header>
  );
}
