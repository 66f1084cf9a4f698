/** The button within reach of a thumb, with the chance beside it, or with why there is none. */

import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { SideControls, type RollEditor } from "./Builder";
import { Chance, Strip } from "./Odds";
import { readinessOf, type RollReadiness } from "./readiness";

export interface DockProps {
  readonly bench: RollEditor;
  /** Whether a roll made without the server waits for it. */
  readonly later: boolean;
  readonly physical: boolean;
  readonly onRoll: () => void;
  /** Content above it while dice roll. */
  readonly above?: ComponentChildren;
  /** Smaller buttons beside the large one. */
  readonly children?: ComponentChildren;
}

/** The foot of a panel. */
export function Dock({ bench, later, physical, onRoll, above, children }: DockProps): JSX.Element {
  const id = useId();
  const ready = readinessOf(bench, later);
  return (
    <div class="dock">
      {above}
      {ready.why ? <Why id={id} ready={ready} /> : <Strip bench={bench} />}
      <SideControls bench={bench} />
      <Chance bench={bench} />
      {children}
      <button
        type="button"
        class="button main big roll-button"
        disabled={!ready.can}
        aria-describedby={ready.why ? id : undefined}
        aria-keyshortcuts="Control+Enter"
        onClick={onRoll}
      >
        <Icon name="die" size={26} />
        {physical ? t("panel.enter") : t("panel.roll")}
      </button>
    </div>
  );
}

/** The reason why it cannot be rolled, or why there are no odds, with a small reference to the rule. */
const Why = ({ id, ready: { can, why } }: { id: string; ready: RollReadiness }): JSX.Element => (
  <p class="dock-why" id={id} role="status" data-can={can || undefined}>
    <Icon name={can ? "info" : "warn"} size={18} />
    <span>
      {why!.said}
      {why!.rule && <small>{t("panel.rule", { n: why!.rule.replace(/^.*\bR(?=\d)/, "") })}</small>}
    </span>
  </p>
);
