// What this browser remembers: settings, the tables one has played at, and unsent commands.
import { MINE } from "./base";

/** An entry for a `tab` outlives its reloads, but not the tab. */
interface How {
  readonly tab?: boolean;
}
const store = ({ tab }: How): Storage => (tab ? sessionStorage : localStorage);

export function readStored<T>(name: string, otherwise: T, how: How = {}): T {
  try {
    const text = store(how).getItem(MINE + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** The names that begin so and are remembered, without their beginning. */
export function storedNames(beginning: string): string[] {
  const whole = MINE + beginning;
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(whole))
      .map((name) => name.slice(whole.length));
  } catch {
    return [];
  }
}

export function writeStored(name: string, value: unknown, how: How = {}): void {
  try {
    if (value === undefined) store(how).removeItem(MINE + name);
    else store(how).setItem(MINE + name, JSON.stringify(value));
  } catch {
    // A full or forbidden store costs comfort, never a roll.
  }
}
