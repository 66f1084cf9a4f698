// What this browser remembers: settings, the tables one has sat at, and what was not sent yet.
import { MINE } from "./base";

export function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(MINE + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** The names that begin so and are remembered, without their beginning. */
export function keptNames(beginning: string): string[] {
  const whole = MINE + beginning;
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(whole)).map((name) => name.slice(whole.length));
  } catch {
    return [];
  }
}

export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(MINE + name);
    else localStorage.setItem(MINE + name, JSON.stringify(value));
  } catch {
    // A full or forbidden store costs comfort, never a roll.
  }
}
