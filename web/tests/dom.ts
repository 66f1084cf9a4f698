// Looking at a page as people do: by roles, names and labels.
import { type queries, within } from "@testing-library/dom";
import { userEvent } from "@testing-library/user-event";
import { computeAccessibleDescription, computeAccessibleName } from "dom-accessibility-api";
import { options } from "preact";

/** What stands on the page, by role, label and text. */
export const page = () => within<typeof queries>(document.body);
export const user = userEvent.setup();
export const nameOf = (element: Element): string => computeAccessibleName(element);
export const descriptionOf = (element: Element): string => computeAccessibleDescription(element);
export const all = (selector: string, place: ParentNode = document): HTMLElement[] => [
  ...place.querySelectorAll<HTMLElement>(selector),
];
export const one = (selector: string, place: ParentNode = document): HTMLElement => {
  const [found, ...more] = all(selector, place);
  if (!found || more.length) throw new Error(`${more.length + (found ? 1 : 0)} of ${selector} in ${place.textContent}`);
  return found;
};

// What is changed is drawn at once, effects and all: nothing here depends on the next picture of a screen.
const waiting: (() => void)[] = [];
options.debounceRendering = (draw) => void waiting.push(draw);
options.requestAnimationFrame = (effects) => void waiting.push(effects);

/** Draws all that is to be drawn, and lets promises that have an answer go on. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await new Promise((done) => setImmediate(done));
    if (waiting.length) quiet = -1;
    for (const draw of waiting.splice(0)) draw();
  }
}
