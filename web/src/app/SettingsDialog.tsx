// The reader's settings, and the keys that do things.
import type { JSX } from "preact";
import { Dialog } from "../ui/Dialog";
import { Field, Segments, Switch } from "../ui/fields";
import { languages, t } from "../i18n";
import { foreign, front } from "../i18n/text";
import { isAble } from "../dice/performance";
import { dice3d, languageSet, motion, sound, isMotionOff, textSize, theme, type Motion, type Theme } from "./settings";

const SIZES = ["0.9", "1", "1.25", "1.5", "2"];

export function SettingsDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const themes: Theme[] = ["system", "light", "dark"];
  const motions: Motion[] = ["system", "full", "none"];
  return (
    <Dialog title={t("settings.title")} onClose={onClose}>
      <Segments
        label={t("settings.theme")}
        value={theme.value}
        onChange={(to) => (theme.value = to)}
        options={themes.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
      />
      <Segments
        label={t("settings.text")}
        value={textSize.value}
        onChange={(to) => (textSize.value = to)}
        options={SIZES.map((value) => ({ value, label: `${Math.round(Number(value) * 100)} %` }))}
      />
      <Segments
        label={t("settings.motion")}
        value={motion.value}
        onChange={(to) => (motion.value = to)}
        options={motions.map((value) => ({ value, label: t(`settings.motion.${value}`) }))}
      />
      <Switch
        label={t("settings.dice3d")}
        help={t(isMotionOff() ? "settings.dice3d.still" : "settings.dice3d.help")}
        on={!isMotionOff() && (dice3d.value ?? isAble())}
        disabled={isMotionOff()}
        onChange={(on) => (dice3d.value = on)}
      />
      <Switch
        label={t("settings.sound")}
        help={t("settings.sound.help")}
        on={sound.value}
        onChange={(on) => (sound.value = on)}
      />
      <Field
        label={t("settings.language")}
        help={
          foreign(front.value)
            ? t("settings.language.game", { game: front.value!.title ?? "", language: foreign(front.value) })
            : ""
        }
      >
        {(about) => (
          <select
            class="input"
            {...about}
            value={languageSet.value}
            onChange={(event) => (languageSet.value = event.currentTarget.value)}
          >
            <option value="">{t("settings.language.browser")}</option>
            {Object.entries(languages).map(([code, { name }]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Keys />
    </Dialog>
  );
}

const KEYS = ["a", "r", "f", "s", "c", "g", "/", "?"] as const;
const ROLL = "Ctrl + Enter";

export function Keys(): JSX.Element {
  return (
    <section class="stack close">
      <h3>{t("keys.title")}</h3>
      <dl class="keys">
        <div class="row">
          <dt>
            <kbd>{ROLL}</kbd>
          </dt>
          <dd>{t("keys.roll")}</dd>
        </div>
        {KEYS.map((key) => (
          <div class="row" key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(`keys.${key === "/" ? "search" : key === "?" ? "help" : key}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
