// How this reader likes the page: theme, text size, motion, language.
import { computed, effect, signal } from "@preact/signals";
import { preferred, speak } from "../i18n";
import { front } from "../i18n/text";
import { MINE } from "./base";
import { writeStored, readStored } from "./storage";

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
export const dice3d = signal<boolean | null>(readStored("dice3d", null));
export const sound = signal(readStored("sound", true));
export const textSize = signal(plain("text", "1"));
export const languageSet = signal(readStored("language", ""));
export const myName = signal(readStored("name", ""));

/** The browser's languages, also once they have changed. */
const asked = signal(navigator.languages);
addEventListener("languagechange", () => (asked.value = navigator.languages));

const GROUND = { light: "#e6dabd", dark: "#08221c" };
/** The page's variables that a game has set. */
const worn: string[] = [];
const night = matchMedia("(prefers-color-scheme: dark)");
const isNight = signal(night.matches);
/** The looks of the game that the page is about, by the names of the page's variables. */
const looks = (): Readonly<Record<string, string>> => front.value?.card?.theme?.[shown()] ?? {};

/** A tile that is drawn in black and coloured by the felt, with its size. */
function patterned(svg: string): Record<string, string> {
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  return width
    ? { "felt-pattern": `url("data:image/svg+xml,${encodeURIComponent(svg)}")`, "felt-size": `${width}px ${height}px` }
    : {};
}

/** Looks as the page's variables. */
function wornAs({ pattern = "", ...plain }: Readonly<Record<string, string>>): Record<string, string> {
  return { ...plain, ...patterned(pattern) };
}

/** The look of a game before it is opened, for an element of its own; undefined for a game without a look. */
export function faceOf(
  game: { readonly face?: Readonly<Record<string, Readonly<Record<string, string>>>> } | undefined,
): { class: string; style: Record<string, string> } | undefined {
  const found = Object.entries(wornAs(game?.face?.[shown()] ?? {}));
  return found.length
    ? { class: "faced felt", style: Object.fromEntries(found.map(([name, value]) => [`--${name}`, value])) }
    : undefined;
}

function shown(): "light" | "dark" {
  return theme.value === "system" ? (isNight.value ? "dark" : "light") : theme.value;
}

/** The look of the page: by its theme and by the game in front. */
export const lookKey = computed(() => JSON.stringify([shown(), looks()]));

/** The settings as they are and as they change; done when the reader's language is there. */
export function applySettings(): Promise<void> {
  const root = document.documentElement;
  let spoken = Promise.resolve();
  night.addEventListener("change", () => (isNight.value = night.matches));
  effect(() => {
    root.dataset.theme = theme.value;
    set("theme", theme.value);
  });
  effect(() => {
    const next = wornAs(looks());
    for (const name of worn.splice(0)) if (!(name in next)) root.style.removeProperty(`--${name}`);
    for (const [name, value] of Object.entries(next)) root.style.setProperty(`--${name}`, value);
    worn.push(...Object.keys(next));
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", next["felt-edge"] ?? GROUND[shown()]);
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
    writeStored("language", languageSet.value || undefined);
    // If it fails to load, English stays.
    spoken = speak(preferred(languageSet.value, asked.value)).catch(() => undefined);
  });
  effect(() => writeStored("dice3d", dice3d.value ?? undefined));
  effect(() => writeStored("sound", sound.value ? undefined : false));
  effect(() => writeStored("name", myName.value || undefined));
  return spoken;
}

/** Whether nothing should move. */
export function isMotionOff(): boolean {
  return (
    motion.value === "none" || (motion.value === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches)
  );
}
