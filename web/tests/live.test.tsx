// What is told in passing, over whatever is in front.
import { render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Live, tell } from "../src/ui/live";

/** As browsers have it: only what is in the page can be shown over it. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "showPopover").mockImplementation(function (this: HTMLElement) {
    if (!this.isConnected) throw new Error("Invalid on disconnected popover elements.");
  });
});
afterEach(() => vi.restoreAllMocks());

test("what was told before the screen is there is shown when it comes", async () => {
  tell("The page is there for when there is no network");
  render(<Live />, document.body.appendChild(document.createElement("main")));
  await vi.waitFor(() => expect(document.querySelector(".toast")?.textContent).toContain("no network"));
  expect(HTMLElement.prototype.showPopover).toHaveBeenCalled();
});

test.each([
  ["a sentence", undefined, 7_000],
  ["a sentence with something to do", { label: "Roll", run: () => undefined }, 12_000],
])("%s stays until it has been there long enough", async (_, action, stays) => {
  vi.useFakeTimers();
  render(<Live />, document.body.appendChild(document.createElement("main")));
  tell("It rains", action);
  const isTold = () =>
    [...document.querySelectorAll(".toast")].some(({ textContent }) => textContent?.includes("It rains"));
  await vi.advanceTimersByTimeAsync(stays - 1);
  expect(isTold()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(isTold()).toBe(false));
  vi.useRealTimers();
});
