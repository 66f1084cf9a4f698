// Parts of a screen that are fetched when they are first needed.
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { lazy } from "../src/ui/lazy";

const Part = ({ name }: { name: string }) => <p>{name}</p>;

/** Two places for one part, and what ends its fetching one way or the other. */
function places() {
  const fetches: { came: () => void; failed: (why: Error) => void }[] = [];
  const Later = lazy<{ name: string }>(
    () => new Promise((came, failed) => fetches.push({ came: () => came(Part), failed })),
  );
  const held = ["stage", "feed"].map((name) => document.body.appendChild(document.createElement(name)));
  return { fetches, held, show: (n: number) => render(<Later name={held[n]!.localName} />, held[n]!) };
}

test("a part that comes while a second place is drawn is drawn in both", async () => {
  const { fetches, held, show } = places();
  show(0);
  await vi.waitFor(() => expect(fetches).toHaveLength(1));
  // The second place has no part yet and has not asked for it when the first one's comes.
  show(1);
  fetches[0]!.came();
  await vi.waitFor(() => expect(held[0]!.textContent).toBe("stage"));
  await vi.waitFor(() => expect(fetches).toHaveLength(2));
  fetches[1]!.came();
  await vi.waitFor(() => expect(held[1]!.textContent).toBe("feed"));
});

test("a part that did not come is fetched again after a pause", async () => {
  vi.useFakeTimers();
  const { fetches, held, show } = places();
  show(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(fetches).toHaveLength(1);
  fetches[0]!.failed(new Error("no network"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetches).toHaveLength(2);
  fetches[1]!.came();
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  await vi.waitFor(() => expect(held[0]!.textContent).toBe("stage"));
});
