// Python in the browser: what its box is asked, and what becomes of programs that do not end or break what they run in.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RequestError } from "../src/net/http";
import type * as Library from "../src/python";

const files = vi.hoisted(() => ({ fetchFiles: vi.fn() }));
vi.mock("../src/python/files", () => files);

type Message = { is: string; id?: number; kind?: string };
const PARTS = ["script", "wasm", "stdlib", "library"].map((name) => [name, new ArrayBuffer(1)]);
const ANSWER = '{"answer": "6"}';
let python: typeof Library;
/** What the box was told, in order. */
let told: Message[];
/** The box says something. */
let box: (message: object) => void;

class FakeChannel {
  readonly port2 = {};
  readonly port1: { onmessage: ((message: { data: object }) => void) | null; postMessage(message: Message): void } = {
    onmessage: null,
    postMessage: (message) => void told.push(message),
  };
  constructor() {
    box = (data) => this.port1.onmessage?.({ data });
  }
}

const rested = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);
const kinds = (): string[] => told.map(({ is, kind }) => kind ?? is);
async function awake(): Promise<void> {
  await rested();
  box({ is: "ready" });
}

/** A question, and what came of it. */
function ask(kind: string, how: Library.PythonCall = {}, question: object = {}): { answer?: unknown; why?: unknown } {
  const found: { answer?: unknown; why?: unknown } = {};
  python.askPython(kind, question, how).then(
    (answer) => (found.answer = answer),
    (why) => (found.why = why),
  );
  return found;
}
async function reply(text = ANSWER, bytes = 0): Promise<void> {
  box({ is: "answer", id: told.findLast(({ is }) => is === "ask")!.id, text, bytes });
  await rested();
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("MessageChannel", FakeChannel);
  files.fetchFiles.mockReset().mockResolvedValue(Object.fromEntries(PARTS));
  told = [];
  const frame = Object.assign(document.createElement("div"), { contentWindow: { postMessage: () => undefined } });
  const create = document.createElement.bind(document);
  vi.spyOn(document, "createElement").mockImplementation(((name: string) => {
    if (name !== "iframe") return create(name);
    queueMicrotask(() => frame.onload?.(new Event("load")));
    return frame;
  }) as typeof document.createElement);
  python = await import("../src/python");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a question waits until Python is there, and is answered or refused as by a server", async () => {
  const [odds, refused] = [ask("odds"), ask("odds")];
  await rested();
  expect(kinds()).toEqual(["files"]);
  await awake();
  await reply();
  expect(odds.answer).toBe("6");
  await reply('{"error": {"code": "bad_notation", "message": "No dice."}}');
  expect(refused.why).toMatchObject({ code: "bad_notation", message: "No dice." });
  expect((refused.why as Error).name).toBe(new RequestError("", "").name);
});

test("a program that does not end is ended after its time, and the next has another worker", async () => {
  const [endless, next] = [ask("program"), ask("program")];
  await awake();
  await rested(1_500);
  expect(kinds()).toEqual(["files", "program", "spare"]);
  await rested(18_500);
  expect(endless.why).toMatchObject({ why: "time" });
  expect(kinds().at(-1)).toBe("end");
  box({ is: "ready" });
  await reply();
  expect(next.answer).toBe("6");
});

test("a program is stopped by hand at once", async () => {
  const stop = new AbortController();
  const endless = ask("program", { signal: stop.signal });
  await awake();
  stop.abort(new python.PythonStopped("asked"));
  await rested();
  expect(endless.why).toMatchObject({ why: "asked" });
  expect(kinds().at(-1)).toBe("end");
});

test("a program that somebody has written over ends by itself, or is ended once another waits", async () => {
  for (const isEndless of [true, false]) {
    const again = new AbortController();
    void ask("program", { signal: again.signal });
    await (isEndless ? awake() : rested());
    again.abort();
    await rested(1_000);
    expect(kinds().at(-1)).toBe("program");
    const next = ask("program");
    await rested(299);
    expect(kinds().at(-1)).toBe("program");
    if (isEndless) {
      await rested(1);
      expect(kinds().at(-1)).toBe("end");
      box({ is: "ready" });
    } else await reply();
    await reply();
    expect(next.answer).toBe("6");
  }
});

test("no other question is answered where a program ran: it may have changed anything there", async () => {
  ask("program");
  await awake();
  await reply();
  ask("program");
  await reply();
  expect(kinds()).toEqual(["files", "program", "program"]);
  const described = ask("describe");
  expect(kinds().at(-1)).toBe("end");
  box({ is: "ready" });
  expect(kinds().at(-1)).toBe("describe");
  await reply();
  expect(described.answer).toBe("6");
  ask("odds");
  expect(kinds().at(-1)).toBe("odds");
});

test("a question about a program is one that runs it", async () => {
  ask("map", {}, { program: "2d6" });
  await awake();
  await reply();
  ask("odds");
  expect(kinds().at(-1)).toBe("end");
});

test.each([
  ["no JSON", "<html>", "crash"],
  ["nothing", "null", "crash"],
  ["too long", `"${"x".repeat(2 ** 25)}"`, "memory"],
])("an answer that is none ends the worker, since it can be trusted no more: %s", async (_, text, why) => {
  const [broken, next] = [ask("program"), ask("program")];
  await awake();
  await reply(text);
  expect(broken.why).toMatchObject({ why });
  expect(kinds().at(-1)).toBe("end");
  box({ is: "ready" });
  await reply();
  expect(next.answer).toBe("6");
});

test("a worker that crashes fails its own question alone, and one that has grown large is ended", async () => {
  const [broken, next] = [ask("program"), ask("program")];
  await awake();
  box({ is: "crashed", id: 1, why: "no memory" });
  await rested();
  expect(broken.why).toMatchObject({ why: "crash", details: "no memory" });
  box({ is: "ready" });
  await reply(ANSWER, 2 ** 30);
  expect(next.answer).toBe("6");
  expect(kinds().at(-1)).toBe("end");
});

test("an answer that nobody asked for is passed over", async () => {
  const odds = ask("odds");
  await awake();
  box({ is: "answer", id: 99, text: '{"answer": "forged"}', bytes: 0 });
  await reply();
  expect(odds.answer).toBe("6");
});

test("where Python cannot be fetched all who wait are told, and whoever asks next tries again", async () => {
  files.fetchFiles.mockRejectedValueOnce(new Error("away"));
  const [first, second] = [ask("odds"), ask("odds")];
  await rested();
  expect([first.why, second.why]).toMatchObject([{ why: "unreachable" }, { why: "unreachable" }]);
  expect(python.pythonState.value.step).toBe("failed");
  const later = ask("odds");
  await awake();
  await reply();
  expect(later.answer).toBe("6");
});
