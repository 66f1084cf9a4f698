// Messages to people: politely to screen readers, and in toasts to everybody.
import { effect, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
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

interface Passing {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}
const passing = signal<Passing[]>([]);
let last = 0;

/** Shows a sentence until it is read and put away, or long enough. */
export function showToast(text: string, action?: Passing["action"]): void {
  const one = { id: ++last, text, action };
  passing.value = [...passing.value.slice(-2), one];
  announce(text);
  setTimeout(() => put(one.id), action ? 12_000 : 7_000);
}

const put = (id: number): void => void (passing.value = passing.value.filter((one) => one.id !== id));

/** Says why something was refused. */
export const showError = (problem: unknown): void => {
  const text = problem instanceof Error && problem.message ? problem.message : t("problem.unknown");
  showToast(text);
};

/**
 * The element of all messages. While a dialog is open nothing else can be reached or is read out: so it is in there.
 */
const place = document.createElement("div");
const dialogs = signal<readonly HTMLElement[]>([]);

/** Puts a dialog in front until the returned function is called: messages are shown in there. */
export function inFront(dialog: HTMLElement): () => void {
  dialogs.value = [...dialogs.value, dialog];
  return () => void (dialogs.value = dialogs.value.filter((one) => one !== dialog));
}

/** Shows the messages, on a screen with people before it. */
export function Live(): null {
  useEffect(() => {
    const stop = effect(() => (dialogs.value.at(-1) ?? document.body).append(place));
    render(<Told />, place);
    return () => {
      stop();
      render(null, place);
      place.remove();
    };
  }, []);
  return null;
}

function Told(): JSX.Element {
  const toasts = useRef<HTMLDivElement>(null);
  const some = passing.value.length > 0;
  // Shown again if the dialog in front is another, so that they are before that too.
  useLayoutEffect(() => {
    if (some && place.isConnected) toasts.current!.showPopover(); // with a dialog that closes it may be gone
    return () => toasts.current?.hidePopover();
  }, [some, dialogs.value]);
  return (
    <>
      <div class="unseen" role="status" aria-live="polite" aria-atomic="true" id="announcements">
        {politely.value}
      </div>
      <div class="toasts" popover="manual" ref={toasts}>
        {passing.value.map((one) => (
          <div class="toast" key={one.id}>
            <span class="grow">{one.text}</span>
            {one.action && (
              <button class="button quiet" onClick={() => (one.action!.run(), put(one.id))}>
                {one.action.label}
              </button>
            )}
            <button class="button quiet round" aria-label={t("do.dismiss")} onClick={() => put(one.id)}>
              <Icon name="cross" size={18} />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
