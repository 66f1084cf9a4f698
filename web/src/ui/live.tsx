// What is told to people: politely to screen readers, and in passing to everybody.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { t } from "../words";
import { Icon } from "./icons";

const politely = signal("");
let queue: string[] = [];
let timer = 0;

/** Has a sentence read out when the reader's screen reader finds time. */
export function announce(text: string): void {
  if (!text) return;
  queue.push(text);
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    // The same sentence once more must be another text, or it would not be read out again.
    const said = queue.join(" ");
    politely.value = said === politely.value ? `${said}\u00a0` : said;
    queue = [];
  }, 150);
}

interface Passing { id: number; text: string; action?: { label: string; run: () => void } }
const passing = signal<Passing[]>([]);
let last = 0;

/** Shows a sentence until it is read and put away, or long enough. */
export function tell(text: string, action?: Passing["action"]): void {
  const one = { id: ++last, text, action };
  passing.value = [...passing.value.slice(-2), one];
  announce(text);
  setTimeout(() => put(one.id), action ? 12_000 : 7_000);
}

const put = (id: number): void => void (passing.value = passing.value.filter((one) => one.id !== id));

/** Says why something was refused. */
export const tellProblem = (problem: unknown): void => {
  const text = problem instanceof Error && problem.message ? problem.message : t("problem.unknown");
  tell(text);
};

export function Live(): JSX.Element {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite" aria-atomic="true" id="announcements">{politely.value}</div>
      <div class="toasts">
        {passing.value.map((one) => (
          <div class="toast" key={one.id}>
            <span class="grow">{one.text}</span>
            {one.action && (
              <button class="button quiet" onClick={() => (one.action!.run(), put(one.id))}>{one.action.label}</button>
            )}
            <button class="button quiet round" aria-label={t("do.close")} onClick={() => put(one.id)}><Icon name="cross" size={18} /></button>
          </div>
        ))}
      </div>
    </>
  );
}
