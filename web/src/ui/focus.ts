// Focus is never lost: where a control goes away under somebody's hands, its neighbourhood takes over.

/** Everything that a keyboard can reach. */
const REACHED = "a[href], button, input, select, textarea, summary, [tabindex]";
/** Never by itself: a link for keyboards only, and fields that would call up a phone's keyboard. */
const NEVER = ".skip, [tabindex='-1'], textarea, input:not([type=radio], [type=checkbox])";

interface Step {
  box: Element;
  place: number;
}

let last: Element | null = null;
let way: Step[] = [];

const usable = (one: Element): boolean =>
  one.isConnected &&
  !(one as HTMLButtonElement).disabled &&
  !one.closest("fieldset:disabled, [inert]") &&
  one.checkVisibility({ visibilityProperty: true });

/** Remembers the focus, and its place in everything around it. */
function remember(event: FocusEvent): void {
  last = event.target as Element;
  way = [];
  for (let at: Element = last; at.parentElement; at = at.parentElement) {
    way.push({ box: at.parentElement, place: [...at.parentElement.children].indexOf(at) });
  }
}

/** The nearest thing that is still there: what took its place, what stood before it, what held it. */
function nearest(): HTMLElement | null {
  for (const { box, place } of way) {
    if (!usable(box)) continue;
    if (box === document.body) break;
    if (box.hasAttribute("tabindex")) return box as HTMLElement;
    for (const near of [box.children[place], box.children[place - 1]]) {
      const found =
        near &&
        [near, ...near.querySelectorAll(REACHED)].find(
          (one) => one.matches(REACHED) && !one.matches(NEVER) && usable(one),
        );
      if (found) return found as HTMLElement;
    }
  }
  const main = document.querySelector<HTMLElement>("dialog[open] button, #main[tabindex]");
  return main && usable(main) ? main : null;
}

function mind(): void {
  if (!last || document.activeElement !== document.body || (usable(last) && last !== document.body)) return;
  nearest()?.focus({ preventScroll: true });
}

/** Minds the focus of the whole page from now on. */
export function keepFocus(): void {
  addEventListener("focusin", remember);
  const soon = (): void => void requestAnimationFrame(mind);
  new MutationObserver(soon).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "data-view", "data-left", "data-side", "hidden"],
  });
}
