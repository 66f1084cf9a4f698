/** Ambiguous dice: how they were read, and the other reading a tap away. */

import type { JSX } from "preact";
import type { HintData } from "../net/shapes";
import { Icon } from "../ui/icons";
import { t } from "../i18n";

/** The remarks on a line; without `onTake` they are only shown. */
export function Hints({
  remarks,
  onTake,
}: {
  remarks: readonly HintData[];
  onTake?: ((text: string) => void) | undefined;
}): JSX.Element {
  if (!remarks.length) return <></>;
  return (
    <ul class="remarks small" aria-label={t("panel.remarks")}>
      {remarks.map((one) => (
        <li key={one.code + one.other}>
          <Icon name="info" size={16} />
          <span>{one.said}</span>
          {onTake && (
            <button type="button" class="button mono" onClick={() => onTake(one.other)}>
              {one.other}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
