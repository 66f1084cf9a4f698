// One tap and the table is silent, on this device, until the next.
import type { JSX } from "preact";
import { t } from "../i18n";
import "../i18n/coming";
import { sound } from "./settings";

export function Mute(): JSX.Element {
  return (
    <button
      class="button quiet round"
      aria-pressed={!sound.value}
      aria-label={t("sound.mute")}
      onClick={() => (sound.value = !sound.value)}
    >
      <svg
        class="icon"
        viewBox="0 0 24 24"
        width="22"
        height="22"
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
        aria-hidden="true"
      >
        <path d="M4 9.5h3.5L12 5.5v13l-4.5-4H4z" />
        <path d={sound.value ? "M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" : "M16 9.5l5 5M21 9.5l-5 5"} />
      </svg>
    </button>
  );
}
