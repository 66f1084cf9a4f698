// What a check of a log tells beside its verdict.
import { fireEvent } from "@testing-library/dom";
import { signal } from "@preact/signals";
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { verifyLog, type Log, type LogReport } from "../src/fair/verify_log";
import VerifyScreen from "../src/screens/VerifyScreen";
import { all, one, settled } from "./dom";

// Rules are replayed by Python, which is not here: what stands beside does not wait for it.
vi.mock("../src/fair/replay", () => {
  const begin = () => new Promise(() => {});
  const replaying = { state: signal({ at: "going" }), begin, again: vi.fn(), decline: vi.fn(), forget: vi.fn() };
  return { useReplay: () => replaying };
});

const [vectors] = Object.values(
  import.meta.glob<{ logs: { name: string; log: Log }[] }>("../../vectors/fairness.json", { import: "default" }),
);
const { logs: LOGS } = await vectors!();

/** What is told of each count, which Python counts alike (tests/page/test_checking.py). */
const TOLD: [keyof LogReport, RegExp][] = [
  ["cancelled", /given up$/],
  ["refused", /refused$/],
  ["unanswered", /never answered$/],
  ["unsigned", /unsigned/],
  ["held", /by a bot/],
  ["replaced", /replaced/],
  ["silent", /was silent/],
];

test("rolls given up, calls refused and never answered, throws without a witness or a name stand beside", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("there is no server")));
  const place = document.body.appendChild(document.createElement("main"));
  for (const { name, log } of LOGS) {
    const report = await verifyLog(log);
    render(null, place);
    render(<VerifyScreen />, place);
    fireEvent.change(one("input[type=file]"), { target: { files: [new File([JSON.stringify(log)], "log.json")] } });
    await vi.waitFor(async () => {
      await settled();
      expect(one(".verdict"), name).toBeTruthy();
      const chips = all(".beside li").map(({ textContent }) => textContent);
      const told = TOLD.filter(([, words]) => chips.some((chip) => words.test(chip)));
      expect(told, name).toEqual(TOLD.filter(([count]) => report[count]));
    });
  }
});

test("a face that was altered is told with the event in which it stands", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("there is no server")));
  const log = structuredClone(LOGS[0]!.log);
  const thrown = log.events.find(({ body }) => body && "faces" in body && "fair" in body)!;
  const faces = thrown.body!.faces as number[];
  faces[0] = faces[0] === 1 ? 2 : 1;
  render(<VerifyScreen />, document.body.appendChild(document.createElement("main")));
  await settled();
  fireEvent.change(one("input[type=file]"), { target: { files: [new File([JSON.stringify(log)], "log.json")] } });
  await vi.waitFor(async () => {
    await settled();
    expect(document.body.textContent).toContain("Not true: something does not add up");
  });
  expect(document.body.textContent).toContain(`Event ${thrown.seq}: the dice do not show what they should`);
});
