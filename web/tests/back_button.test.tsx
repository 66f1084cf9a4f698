// Back closes what lies on top, and what was closed by hand is not in its way.
import { signal } from "@preact/signals";
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { useBack } from "../src/ui/back_button";

const sheet = signal(false);
const roll = signal(false);

function Table() {
  useBack(sheet.value, () => (sheet.value = false));
  useBack(roll.value, () => (roll.value = false));
  return <p>{`sheet ${sheet.value}, roll ${roll.value}`}</p>;
}

/** As a browser goes back: to an entry of so many open things. */
function goBack(depth: number): void {
  history.replaceState({ depth }, "");
  dispatchEvent(new PopStateEvent("popstate"));
}

test("Back pressed as soon as a roll was put away by hand closes the sheet below it", async () => {
  const again = vi.spyOn(history, "back").mockImplementation(() => goBack(0));
  const place = document.body.appendChild(document.createElement("main"));
  render(<Table />, place);
  sheet.value = true;
  await vi.waitFor(() => expect(history.state).toEqual({ depth: 1 }));
  roll.value = true;
  await vi.waitFor(() => expect(history.state).toEqual({ depth: 2 }));

  roll.value = false;
  while (!place.textContent?.includes("roll false")) await Promise.resolve();
  goBack(1);

  expect(again).toHaveBeenCalledOnce();
  expect(sheet.value).toBe(false);
});
