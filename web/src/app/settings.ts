// How this reader likes the page: theme, text size, motion, language.
import { effect, signal } from "@preact/signals";
import { preferred, speak } from "../words";
import { front } from "../words/text";
import { MINE } from "./base";
import { keep, kept } from "./kept";

export type Theme = "system" | "light" | "dark";
export type Motion = "system" | "none" | "full";

const plain = (name: string, otherwise: string): string => {
  try {
    return localStorage.getItem(MINE + name) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const set = (name: string, value: string): void => {
  try {
    localStorage.setItem(MINE + name, value);
  } catch {
    // Settings then last as long as the page.
  }
};

export const theme = signal(plain("theme", "system") as Theme);
export const motion = signal(plain("motion", "system") as Motion);
/** Dice in three dimensions: as somebody has said, else null, and the device decides. */
export const dice3d = signal<boolean | null>(kept("dice3d", null));
export const sound = signal(kept("sound", true));
export const textSize = signal(plain("text", "1"));
export const languageSet = signal(kept("language", ""));
export const myName = signal(kept("name", ""));

const GROUND = { light: "#efe7d8", dark: "#16130f" };
const night = matchMedia("(prefers-color-scheme: dark)");
const isNight = signal(night.matches);
/** What a game may colour; it comes by day and by night, such that it can be read. */
const COLOURS = ["felt", "felt-deep", "felt-ink", "felt-soft", "link", "bone", "bone-edge", "bone-ink"];

function shown(): "light" | "dark" {
  return theme.value === "system" ? (isNight.value ? "dark" : "light") : theme.value;
}

export function applySettings(): void {
  const root = document.documentElement;
  night.addEventListener("change", () => (isNight.value = night.matches));
  effect(() => {
    root.dataset.theme = theme.value;
    set("theme", theme.value);
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", GROUND[shown()]);
  });
  effect(() => {
    const colours = front.value?.card?.theme?.[shown()];
    for (const name of COLOURS) root.style.setProperty(`--${name}`, colours?.[name] ?? "");
  });
  effect(() => {
    root.dataset.motion = motion.value;
    set("motion", motion.value);
  });
  effect(() => {
    root.style.setProperty("--text-size", textSize.value);
    set("text", textSize.value);
  });
  effect(() => {
    keep("language", languageSet.value || undefined);
    void speak(preferred(languageSet.value, navigator.languages));
  });
  effect(() => keep("dice3d", dice3d.value ?? undefined));
  effect(() => keep("sound", sound.value ? undefined : false));
  effect(() => keep("name", myName.value || undefined));
}

/** Whether nothing should move. */
export function still(): boolean {
  return motion.value === "none" || (motion.value === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches);
}
