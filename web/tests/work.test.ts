// A program on the workbench: when it is run, what is run, and what becomes of answers that come too late.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Work } from "../src/workbench/work";

const ANSWER = { outputs: [], rules: [], games: [], problems: [], printed: {} };
const python = vi.hoisted(() => ({
  askPython: vi.fn(),
  freshPython: vi.fn(),
  PythonStopped: class PythonStopped extends Error {
    constructor(readonly why: string) {
      super(why);
    }
  },
}));
vi.mock("../src/python", () => python);

let work: Work;
let leave: () => void;
const texts = (): string[] => python.askPython.mock.calls.map(([, question]) => (question as { text: string }).text);
const rested = (): Promise<unknown> => vi.advanceTimersByTimeAsync(50);

beforeEach(async () => {
  vi.useFakeTimers();
  python.askPython.mockReset().mockResolvedValue(ANSWER);
  python.freshPython.mockReset();
  localStorage.clear();
  work = new (await import("../src/workbench/work")).Work();
  leave = work.follow();
});
afterEach(() => {
  leave();
  vi.useRealTimers();
});

test("nobody's program is run before there is one, and then the one that was kept", async () => {
  await rested();
  expect(texts()).toEqual([]);
  work.openKept();
  await rested();
  expect(texts()).toEqual(["4d6kh3\n"]);
  expect([work.answer.value, work.answered.value]).toEqual([ANSWER, "4d6kh3\n"]);
});

test("letters that come quickly are run once, together", async () => {
  work.openKept();
  for (const text of ["2", "2d", "2d6"]) work.text.value = text;
  await rested();
  expect(texts()).toEqual(["2d6"]);
});

test("a program from a link waits until its reader agrees", async () => {
  work.open({ text: "print(1)", arguments: {}, view: "each" }, false);
  await rested();
  expect(texts()).toEqual([]);
  work.agreed.value = true;
  await rested();
  expect(texts()).toEqual(["print(1)"]);
});

test("what a stranger's program left in Python is gone before the next is opened", () => {
  work.open({ text: "x = 1", arguments: {}, view: "each" }, false);
  expect(python.freshPython).not.toHaveBeenCalled();
  work.take("2d6");
  expect(python.freshPython).toHaveBeenCalledOnce();
});

test("an answer to a program that has changed since is passed over", async () => {
  let late: (answer: object) => void = () => undefined;
  python.askPython.mockImplementationOnce(() => new Promise((done) => (late = done)));
  work.take("1d4");
  await rested();
  work.text.value = "1d6";
  await rested();
  late({ ...ANSWER, problems: [{}] });
  await rested();
  expect([work.answered.value, work.answer.value?.problems]).toEqual(["1d6", []]);
});

test("an answer that is none, which a program may make, is told as a crash", async () => {
  python.askPython.mockResolvedValueOnce({ outputs: "all" });
  work.take("import broken");
  await rested();
  expect([work.answer.value, work.stopped.value, work.counting.value]).toEqual([null, "crash", false]);
  expect(python.freshPython).toHaveBeenCalled();
});

test("a value of a rule's argument changes that alone", async () => {
  work.open({ text: "rule", arguments: { check: { dice: 4, need: 2 } }, view: "each" });
  work.set("check", "dice", 5);
  expect(work.arguments.value).toEqual({ check: { dice: 5, need: 2 } });
});

test("a program that takes long is told so, until it has an answer", async () => {
  let answer: (answer: object) => void = () => undefined;
  python.askPython.mockImplementationOnce(() => new Promise((done) => (answer = done)));
  work.take("1000d6");
  await rested();
  expect([work.counting.value, work.slow.value]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work.slow.value).toBe(true);
  answer(ANSWER);
  await rested();
  expect([work.counting.value, work.slow.value]).toEqual([false, false]);
});
