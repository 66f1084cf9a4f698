/** Who sees the roll, why it is made, and whose dice are thrown. */

import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon, type IconName } from "../ui/icons";
import { writeStored } from "../app/storage";
import type { Body, Visibility } from "../state/types";
import { t } from "../i18n";
import { Switch, Text } from "./controls";

export interface Settings {
  readonly visibility: Visibility;
  readonly announce: boolean;
  readonly physical: boolean;
  readonly note: string;
  /** Whether others who play a part throw their own dice. */
  readonly each: boolean;
}

export const USUAL: Settings = { visibility: "open", announce: true, physical: false, note: "", each: true };

const WAYS: readonly { value: Visibility; icon: IconName }[] = [
  { value: "open", icon: "eye" },
  { value: "private", icon: "people" },
  { value: "blind", icon: "crown" },
  { value: "hidden", icon: "lock" },
];

/** The options of a roll, tucked away until wanted. */
export function Options({ settings, referee }: { settings: Signal<Settings>; referee: boolean }): JSX.Element {
  const now = settings.value;
  const set = (changes: Partial<Settings>): void => {
    settings.value = { ...settings.value, ...changes };
  };
  return (
    <details class="tucked roll-options">
      <summary>
        <Icon name="right" size={18} />
        {t("panel.how")}
        <span class="chip" data-way={now.visibility}>
          {t(`way.${now.visibility}`)}
        </span>
        {now.physical && <span class="chip">{t("panel.physical_short")}</span>}
        {now.note && <span class="chip">{now.note}</span>}
      </summary>
      <div class="options-inside">
        <fieldset class="ways">
          <legend class="label">{t("panel.who_sees")}</legend>
          {WAYS.map(({ value, icon }) => (
            <label data-on={now.visibility === value || undefined}>
              <input
                type="radio"
                name="visibility"
                value={value}
                checked={now.visibility === value}
                onChange={() => set({ visibility: value })}
              />
              <Icon name={icon} size={20} />
              <span>
                <b>{t(`way.${value}`)}</b>
                <small>{t(referee && value !== "open" ? `way.${value}_referee` : `way.${value}_help`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {now.visibility !== "open" && (
          <Switch
            label={t("panel.announce")}
            help={t("panel.announce_help")}
            value={now.announce}
            onSet={(announce) => set({ announce })}
          />
        )}
        <Text
          label={t("panel.note")}
          placeholder={t("panel.note_hint")}
          value={now.note}
          most={200}
          onSet={(note) => set({ note })}
        />
        <Switch
          label={t("panel.physical")}
          help={t("panel.physical_help")}
          value={now.physical}
          onSet={(physical) => set({ physical })}
        />
      </div>
    </details>
  );
}

/** Beside the button: who will see it, at a glance; a tap leads to where that is said. */
export function WhoSees({ settings }: { settings: Signal<Settings> }): JSX.Element {
  const { visibility } = settings.value;
  const lead = ({ currentTarget }: { currentTarget: Element }): void => {
    const box = currentTarget.closest(".roll-panel")!.querySelector<HTMLDetailsElement>(".roll-options")!;
    box.open = true;
    box.scrollIntoView({ block: "nearest" });
    box.querySelector<HTMLElement>("input:checked")?.focus();
  };
  return (
    <button
      type="button"
      class="button round"
      aria-label={`${t("panel.who_sees")}: ${t(`way.${visibility}`)}`}
      title={t(`way.${visibility}`)}
      onClick={lead}
    >
      <Icon name={WAYS.find(({ value }) => value === visibility)!.icon} />
    </button>
  );
}

/** The people of the table that a request names beside the roller. */
export const othersIn = (request: Body | null, roles: Body, seats: readonly string[]): string[] => {
  const said = JSON.stringify([request, roles]);
  return seats.filter((seat) => said.includes(`"@${seat}"`) || Object.values(roles).includes(seat));
};

/** Offered where others who sit here have dice in the roll. */
export const Each = ({ settings }: { settings: Signal<Settings> }): JSX.Element => (
  <Switch
    label={t("panel.each")}
    help={t("panel.each_help")}
    value={settings.value.each}
    onSet={(each) => (writeStored("each", each), (settings.value = { ...settings.value, each }))}
  />
);
