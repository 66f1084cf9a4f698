// What a check of a log tells: its headline, who checked what, and what stands beside the verdict.
import { fireEvent } from "@testing-library/dom";
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { verifyLog, type Log, type LogReport } from "../src/fair/verify_log";
import { language, speak } from "../src/i18n";
import type { VerifyAnswer } from "../src/net/shapes";
import VerifyScreen from "../src/screens/VerifyScreen";
import { all, one, page, settled, user } from "./dom";
import { until } from "./table";

/** Rules are replayed by Python, which is not here: what it is asked is answered when a test says so. */
const { asked } = vi.hoisted(() => ({ asked: [] as ((answer: VerifyAnswer) => void)[] }));
vi.mock("../src/python", async () => {
  const { signal } = await import("@preact/signals");
  class PythonStopped extends Error {}
  const askPython = (_kind: string, _question: object, { signal: taken }: { signal: AbortSignal }) =>
    new Promise((done, fail) => {
      asked.push(done);
      taken.addEventListener("abort", () => fail(taken.reason));
    });
  return { askPython, PythonStopped, pythonState: signal({ step: "ready", done: 0, total: 0 }) };
});

const [vectors] = Object.values(
  import.meta.glob<{ logs: { name: string; log: Log }[] }>("../../vectors/fairness.json", { import: "default" }),
);
const { logs: LOGS } = await vectors!();
const LOG = LOGS.find(({ name }) => name === "pushed")!.log;

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

/** Gives the Verify screen a log; what it says of the log stands before Python says anything. */
async function given(log: unknown): Promise<void> {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("there is no server")));
  asked.length = 0;
  render(null, document.body);
  render(<VerifyScreen />, document.body);
  fireEvent.change(one("input[type=file]"), { target: { files: [new File([JSON.stringify(log)], "log.json")] } });
  await until(() => all(".verdict").length === 1);
}

/** Python says what it has found: of two rolls that were replayed, unless something else is said. */
async function found(answer: Partial<VerifyAnswer> = {}): Promise<void> {
  const checked = { rolls: 2, "rolls replayed": 2 };
  asked.at(-1)!({ true: true, verdict: "true", checked, problems: [], ...answer });
  await settled();
}

async function press(name: string): Promise<void> {
  await user.click(page().getByRole("button", { name }));
  await settled();
}

const headline = (): string => one(".verdict h2").textContent!;
/** Whether what a line says holds: "unknown" where nobody knows. */
const line = (said: string): string | undefined => {
  const [found, ...more] = all(".checked-by li").filter(({ textContent }) => textContent!.includes(said));
  if (!found || more.length) throw new Error(`${said} is not one line of ${one(".checked-by").textContent}`);
  return found.dataset.good;
};

test("rolls given up, calls refused and never answered, throws without a witness or a name stand beside", async () => {
  for (const { name, log } of LOGS) {
    const report = await verifyLog(log);
    await given(log);
    const chips = all(".beside li").map(({ textContent }) => textContent);
    const told = TOLD.filter(([, words]) => chips.some((chip) => words.test(chip)));
    expect(told, name).toEqual(TOLD.filter(([count]) => report[count]));
  }
});

test("Python can be declined: then nobody replayed the rules, and asked again, they are", async () => {
  await given(LOG);
  expect(headline()).toBe("Chain and dice are true, checked here; the rules are being replayed …");
  await press("Do without the rules");
  expect(headline()).toBe("Chain and dice are true, checked here; nobody replayed the rules");
  expect(line("You did without")).toBe("unknown");
  await press("Replay the rules here");
  expect(asked).toHaveLength(2);
  await found();
  expect(headline()).toBe("True: chain, signatures, dice and rules, all checked here in your browser");
  expect(line("followed in all 2 rolls")).toBe("true");
});

test("rules that this page does not have are named as not checked, and the log is not called true", async () => {
  await given(LOG);
  const checked = { rolls: 2, "rolls replayed": 1 };
  await found({ true: null, verdict: "partly", checked, not_here: ["twilight2000"] });
  expect(headline()).toBe("Checked here, in your browser: chain and dice are true, and the rules of some rolls");
  expect(line("followed in 1 of 2 rolls")).toBe("unknown");
  expect(line("Not checked here: the rules of twilight2000")).toBe("unknown");
});

test("rules that were broken make a log false, whatever holds of its chain and its dice", async () => {
  await given(LOG);
  const wrong = { what: "forged roll", seq: 5, message: "by the rules it comes to 2" };
  await found({ true: false, verdict: "false", problems: [wrong as never] });
  expect(headline()).toBe("Not true: chain and dice hold, but rules were broken");
  expect(line("they were not followed")).toBe("false");
  expect(one(".notice.bad").textContent).toContain("Event 5:");
  expect(one(".notice.bad").textContent).toContain("by the rules it comes to 2");
});

test("a log of another format is neither true nor false", async () => {
  await given({ ...LOG, format: 9 });
  expect(headline()).toBe("Partly checked: nothing is wrong, but not everything could be checked here");
  expect(line("it was written by another version")).toBe("unknown");
  expect(one(".verdict").classList).toContain("part");
});

test.each([
  ["en", "followed in the only roll"],
  ["de", "im einzigen Wurf"],
])("one roll is not called all rolls: %s", async (code, words) => {
  await speak(code);
  await given(LOG);
  await found({ checked: { rolls: 1, "rolls replayed": 1 } });
  expect(line(words)).toBe("true");
  await speak("en");
  expect(language.value).toBe("en");
});

test("a face that was altered is told with the event in which it stands", async () => {
  const log = structuredClone(LOG);
  const thrown = log.events.find(({ body }) => body && "faces" in body && "fair" in body)!;
  const faces = thrown.body!.faces as number[];
  faces[0] = faces[0] === 1 ? 2 : 1;
  await given(log);
  expect(headline()).toBe("Not true: something does not add up");
  expect(document.body.textContent).toContain(`Event ${thrown.seq}: the dice do not show what they should`);
});
