// An example on a page of the documentation: what is run of it, how it is stopped, and what it shows then.
import { render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { all, page, settled, user } from "./dom";

const python = vi.hoisted(() => ({
  askPython: vi.fn(),
  PythonStopped: class PythonStopped extends Error {
    constructor(readonly why: string) {
      super(why);
    }
  },
  pythonState: { value: { step: "ready" } },
}));
vi.mock("../src/python", () => python);

const { Example } = await import("../src/docs/example");
const { Results } = await import("../src/docs/Inside");
const ANSWER = { outputs: [], rules: [], games: [], problems: [], printed: { text: "139/160", cut: false } };
const block = document.createElement("pre");
const above = [
  new Example(block, "import rollwright as rw", "", []),
  new Example(block, "host()", "rollwright.client", []),
];
let example: InstanceType<typeof Example>;

beforeEach(() => {
  // As Python does: it answers once it is done, or gives the reason for which it was ended.
  python.askPython.mockReset().mockImplementation(
    (_kind: string, _question: object, { signal }: { signal: AbortSignal }) =>
      new Promise((done, fail) => {
        signal.addEventListener("abort", () => fail(signal.reason));
        if (example.text.value !== "while True: pass") done(ANSWER);
      }),
  );
  example = new Example(block, "print(odds)", "", above);
  render(<Results example={example} />, document.body);
});

test("it is run with those above it that a browser can run, and shows what it printed", async () => {
  await example.run();
  await settled();
  const asked = { text: "print(odds)", above: ["import rollwright as rw"] };
  expect(python.askPython).toHaveBeenCalledWith("example", asked, expect.objectContaining({ seconds: 60 }));
  expect(page().getByRole("region", { name: "What the example shows" }).textContent).toContain("139/160");
});

test("what never ends is stopped by hand, can be run again, and is put back as it was", async () => {
  example.text.value = "while True: pass";
  const running = example.run();
  expect(example.runs.value).toBe(true);
  example.stop();
  await running;
  await settled();
  expect(example.runs.value).toBe(false);
  expect(page().getByRole("alert").textContent).toContain("Stopped.");
  await user.click(page().getByRole("button"));
  expect(python.askPython).toHaveBeenCalledTimes(2);
  example.stop();
  await settled();
  example.restore();
  await settled();
  expect([example.text.value, example.editing.value]).toEqual(["print(odds)", false]);
  expect(all("[role=alert], section")).toEqual([]);
});

test("its bar runs it, stops it while it runs, and then offers how it was", async () => {
  document.body.innerHTML =
    '<pre data-example="while True: pass"></pre><pre data-example="x" data-needs="socket"></pre>';
  example.text.value = "while True: pass";
  await import("../src/docs");
  await settled();
  const bars = all(".example-bar");
  expect(bars.map((bar) => bar.textContent)).toEqual([
    "RunEdit",
    "No browser runs this: it needs socket. Run it on a machine of your own.",
  ]);
  const press = (name: string): Promise<void> => user.click(page().getByRole("button", { name })).then(settled);
  await press("Run");
  expect(python.askPython).toHaveBeenCalledOnce();
  expect(bars[0]!.textContent).toContain("Stop");
  await press("Stop");
  expect(bars[0]!.textContent).toBe("RunEditAs it was");
  await press("As it was");
  expect(bars[0]!.textContent).toBe("RunEdit");
});
