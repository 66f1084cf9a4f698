// The workbench, drawn from what Python has answered (tests/workbench/recorded.py): what stands there, what is asked.
import { fireEvent, within } from "@testing-library/dom";
import { render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { route } from "../src/app/routes";
import { RequestError } from "../src/net/http";
import { unpacked } from "../src/workbench/share";
import { Live } from "../src/ui/announcer";
import Workbench from "../src/workbench";
import { all, nameOf, one, page, settled, user } from "./dom";
import { until } from "./table";

const python = vi.hoisted(() => ({
  askPython: vi.fn(),
  freshPython: vi.fn(),
  wakePython: vi.fn(),
  pythonState: { value: { step: "ready", done: 0, total: 0 } },
  PythonStopped: class PythonStopped extends Error {
    constructor(readonly why: string) {
      super(why);
    }
  },
}));
vi.mock("../src/python", () => python);
// Without its editor the program lies in a plain field.
vi.mock("../src/workbench/codemirror", () => Promise.reject(new Error("it does not come")));

type Question = Record<string, unknown>;
type Recorded = { kind: string; question: Question; reply: { answer?: unknown; error?: Record<string, string> } };
const [recorded] = Object.values(
  import.meta.glob<Record<string, Recorded>>("./recorded/workbench/*.json", { import: "default", eager: true }),
);
const known = (name: string): Recorded => {
  const found = recorded![name];
  if (!found) throw new Error(`${name} is not recorded: ./dev run tests.workbench.recorded`);
  return found;
};
const textOf = (name: string): string => known(name).question.text as string;
const sorted = (part: unknown): unknown =>
  Array.isArray(part)
    ? part.map(sorted)
    : part && typeof part === "object"
      ? Object.entries(part)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, one]) => [name, sorted(one)])
      : part;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** What was asked of Python, and how it may be taken back. */
let asked: { kind: string; question: Question; signal?: AbortSignal }[];
/** Which questions have no answer until they are let go. */
let late: (kind: string, question: Question) => boolean;
let held: (() => void)[];
const letGo = async (): Promise<void> => {
  late = () => false;
  for (const answer of held.splice(0)) answer();
  await settled();
};
const askedOf = (kind: string): Question[] => asked.filter((one) => one.kind === kind).map(({ question }) => question);

function reply(kind: string, question: Question): unknown {
  const found = Object.values(recorded!).find((one) => one.kind === kind && same(one.question, question));
  const { answer, error } = structuredClone(found?.reply ?? {});
  if (error) throw new RequestError(error.code!, error.message!);
  return answer ?? new Promise(() => undefined); // nobody has recorded it: it is never answered
}

/** What was saved, by the name of its file. */
let saved: Map<string, Blob>;
const content = (name: string): Promise<string> => saved.get(name)!.text();

beforeEach(async () => {
  [asked, held, saved, late] = [[], [], new Map(), () => false];
  python.askPython
    .mockReset()
    .mockImplementation(async (kind, question, { signal } = {} as { signal?: AbortSignal }) => {
      asked.push({ kind, question, ...(signal ? { signal } : {}) });
      if (late(kind, question)) await new Promise<void>((done) => held.push(done));
      return reply(kind, question);
    });
  python.freshPython.mockReset();
  localStorage.clear();
  const blobs: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.set(this.download, blobs.at(-1)!);
  });
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(known("the gallery").reply.answer)));
  route.value = { path: "/workbench", token: "" };
});

const button = (name: string | RegExp, place: HTMLElement = document.body): HTMLElement =>
  within(place).getByRole("button", { name });
async function tap(name: string | RegExp, place?: HTMLElement): Promise<void> {
  await user.click(button(name, place));
  await settled();
}
const field = (): HTMLTextAreaElement => page().getByRole("textbox", { name: "Program" });
const outputs = (name: string): HTMLElement[] => all(".output").filter((shown) => nameOf(shown) === name);
const output = (name: string): HTMLElement => {
  const [found, ...more] = outputs(name);
  if (!found || more.length) throw new Error(`${more.length + (found ? 1 : 0)} outputs are called ${name}`);
  return found;
};
const shows = (name: string): Promise<void> => until(() => outputs(name).length === 1);
const rule = (): HTMLElement => one(".rule-shown");
const row = (name: string, place: HTMLElement): string => {
  const found = all("tr", place).find((line) => line.firstElementChild?.textContent === name);
  return found?.textContent ?? "";
};
function slide(name: string, value: number): void {
  const slider = within(rule()).getByLabelText(new RegExp(`^${name}`), { selector: "input" }) as HTMLInputElement;
  const { rules } = known("a rule").reply.answer as { rules: { arguments: { name: string; values: number[] }[] }[] };
  const { values } = rules[0]!.arguments.find((argument) => argument.name === name)!;
  fireEvent.input(slider, { target: { value: String(values.indexOf(value)) } });
}

/** The workbench as it is opened, with what somebody writes on it. */
async function opened(text?: string): Promise<void> {
  render(
    <main>
      <Workbench />
      <Live />
    </main>,
    document.body,
  );
  await until(() => outputs("4d6kh3").length + all(".asking").length === 1);
  if (text !== undefined) await write(text);
}
async function write(text: string): Promise<void> {
  const before = askedOf("program").length;
  fireEvent.input(field(), { target: { value: text } });
  await until(() => askedOf("program").length > before);
  await settled();
}

test("odds stand beside the dice that are typed: 3 to 18, and 18 is 21 of 1296 (by hand)", async () => {
  await opened();
  const shown = output("4d6kh3");
  expect(row("18", shown)).toContain("21");
  expect(shown.textContent).toContain("mean 12.24");
  await tap("At least");
  await until(() => askedOf("program").at(-1)?.view === "at_least");
  expect(button("At least").getAttribute("aria-pressed")).toBe("true");
  expect(all("rect.chart-bar", output("4d6kh3"))[0]!.getAttribute("height")).not.toBe("1");
  await tap("CSV: 4d6kh3");
  expect(await content("4d6kh3.csv")).toMatch(/^18,.*21/m);
});

test("whoever has written nothing is offered something to begin with, and no more once it is taken", async () => {
  await opened();
  await until(() => all(".beginnings button").length === 4);
  await user.click(all(".beginnings button")[1]!);
  await settled();
  expect(field().value).toContain("@rule");
  expect(all(".beginnings")).toEqual([]);
  await until(() => askedOf("program").at(-1)!.text === field().value);
});

test("a mechanic of the gallery is found by its words and taken over as it is", async () => {
  await opened();
  await tap("Gallery");
  await until(() => all(".gallery-item").length > 4);
  const many = all("dialog .gallery-item").length;
  await user.type(page().getByRole("searchbox"), "4d6");
  await settled();
  const found = all("dialog .gallery-item");
  expect(found.length).toBeLessThan(many);
  await user.click(found[0]!);
  await settled();
  expect(all("dialog")).toEqual([]);
  const { items } = known("the gallery").reply.answer as { items: { text: string }[] };
  expect(items.map(({ text }) => text)).toContain(field().value);
  await until(() => askedOf("program").at(-1)!.text === field().value);
});

test("the arguments of a rule are sliders that move its odds", async () => {
  await opened(textOf("a rule"));
  await until(() => all(".rule-shown").length === 1);
  expect(rule().textContent).toContain("each that reaches the target is a hit");
  expect(output("check(dice=3, target=5)")).toBeTruthy();
  slide("dice", 4);
  await shows("check(dice=4, target=5)");
  expect(within(rule()).getByLabelText(/^dice/, { selector: "input" }).getAttribute("aria-valuetext")).toBe("4");
});

/** The rule with four dice, and what tunes it open. */
async function tuning(): Promise<HTMLElement> {
  await opened(textOf("a rule"));
  await until(() => all(".rule-shown").length === 1);
  slide("dice", 4);
  await shows("check(dice=4, target=5)");
  await tap("Tune it", rule());
  await until(() => all(".designing").length === 1);
  fireEvent.input(page().getByLabelText("What counts"), { target: { value: "it >= 1" } });
  await settled();
  return one(".designing");
}
const status = (): string => one(".designing > [role=status]").textContent ?? "";

test("a wanted chance finds its value, and what moves it most is told in numbers", async () => {
  const tools = await tuning();
  await tap("Find the value", tools);
  await until(() => all(".designing > [role=status]").length === 1 && status().includes("dice"));
  await tap("What moves it most", tools);
  await until(() => row("target", tools).includes("28.5")); // 1 − (2/3)⁴ is 80.2 %, 1 − (5/6)⁴ is 51.8 %
  slide("target", 6);
  await until(() => row("target", tools) === ""); // it was true of another target
  slide("target", 5);
  await until(() => row("target", tools).includes("28.5"));
});

test.each(["at once", "after a rest"])(
  "what is asked while a program counts is answered afterwards, for the rule as it is then: %s",
  async (when) => {
    const tools = await tuning();
    late = (kind) => kind === "program";
    slide("dice", 5);
    if (when === "after a rest") await until(() => held.length === 1);
    await tap("What moves it most", tools);
    await until(() => held.length === 1);
    expect(askedOf("sensitivity")).toEqual([]);
    await letGo();
    await until(() => all(".designing > [role=status]").length === 1 && status().includes("86.8 %")); // 1 − (2/3)⁵
    expect(askedOf("sensitivity")).toMatchObject([{ request: { dice: 5 } }]);
  },
);

test("a map has its numbers, its picture and its files", async () => {
  await opened(textOf("a rule to map"));
  await until(() => all(".rule-shown").length === 1);
  await tap("Tune it", rule());
  await until(() => all(".designing").length === 1);
  fireEvent.input(page().getByLabelText("What counts"), { target: { value: "it >= 1" } });
  await settled();
  await tap("Map over two", rule());
  await until(() => all("button[aria-label^=CSV]", rule()).length === 1);
  expect(all(".designing .chart-cell").length).toBeGreaterThanOrEqual(6);
  expect(all("button[aria-label^=SVG], button[aria-label^=PNG]", rule())).toHaveLength(2);
  await tap(/^CSV/, rule());
  const lines = (await [...saved.values()][0]!.text()).trim().split(/\r?\n/);
  const [head, fives] = lines.map((line) => line.split(","));
  expect(fives![head!.indexOf("2")]).toBe("0.5555555556"); // 1 − (2/3)²
});

test("a map shows what has come, is stopped by hand, and gives way to whatever is written", async () => {
  await opened(textOf("a rule to map"));
  await until(() => all(".rule-shown").length === 1);
  await tap("Tune it", rule());
  await until(() => all(".designing").length === 1);
  fireEvent.input(page().getByLabelText("What counts"), { target: { value: "it >= 1" } });
  await settled();
  late = (kind, question) => kind === "map" && JSON.stringify(question.vary).includes("[2]");
  const counted = (): HTMLElement[] =>
    all(".designing .chart-cell").filter((cell) => /\d/.test(cell.textContent ?? ""));
  await tap("Map over two", rule());
  await until(() => held.length === 1);
  const there = counted().length;
  expect(there).toBeGreaterThan(0);
  const bar = one("progress", rule()) as HTMLProgressElement;
  expect([bar.value, bar.max]).toEqual([2, 6]);
  const map = asked.findLast(({ kind }) => kind === "map")!;
  await tap("Stop", rule());
  expect(all("progress", rule())).toEqual([]);
  expect(counted()).toHaveLength(there);
  expect(map.signal!.aborted).toBe(true);
  await tap("Map over two", rule());
  await until(() => held.length === 2);
  const again = asked.findLast(({ kind }) => kind === "map")!;
  await write("4d6kh3\n");
  await shows("4d6kh3");
  expect(again.signal!.aborted).toBe(true);
});

test("every kind of output has its picture, its table and its files", async () => {
  await opened(textOf("every kind"));
  await until(() => all(".output[data-kind=advice]").length === 1);
  const beside = output("Side by side");
  expect(within(beside).getByRole("list", { name: "One against the other" }).textContent).toContain("low against");
  expect(all(".chart-cell", output("volley(2)")).length).toBeGreaterThan(0);
  const advice = one(".output[data-kind=advice]");
  expect(within(advice).getByRole("region", { name: "What to do when" }).textContent).toContain("throw");
  expect(output("Given away").textContent).toContain("0.75"); // keeping a d6 is worth 3.5, and best play 4.25
  await until(() => all(".output[data-kind=roll] .die").length === 4);
  expect(one(".output[data-kind=roll] details pre").textContent).toContain("faces");
  expect(all(".output pre").at(-1)!.textContent).toBe("<i>said</i>\n");
  const charts = all(".outputs figure.chart");
  expect(charts.length).toBeGreaterThanOrEqual(7);
  expect(all(".outputs figure.chart table")).toHaveLength(charts.length);
  for (const what of ["SVG", "PNG", "CSV"])
    expect(all(`button[aria-label^="${what}: "]`).length).toBeGreaterThanOrEqual(7);
  await tap(/^SVG/, beside);
  expect(await [...saved.values()][0]!.text()).toMatch(/^<svg/);
  await tap("At most");
  await until(() => askedOf("program").at(-1)!.view === "at_most");
  expect(row("5", output("Side by side"))).toMatch(/100 %.*50 %/);
});

test("a slip is told at its line in a sentence of ours, and Python's own words are for who asks", async () => {
  await opened(textOf("a slip"));
  await until(() => all(".problem").length === 1);
  expect(button("Line 3:", one(".problem"))).toBeTruthy();
  const [words] = all(".problem pre");
  expect(words!.closest("details")!.open).toBe(false);
  await write(textOf("dice, each"));
  await until(() => all(".problem").length === 0);
});

test("what a program writes is text, whatever it looks like", async () => {
  const title = document.title;
  await opened(textOf("signs"));
  await until(() => document.querySelector(".outputs")!.textContent!.includes("<b>one</b>"));
  expect(all(".outputs img, .outputs b b, .outputs script")).toEqual([]);
  expect(document.title).toBe(title);
});

test("a program of AnyDice is worked out where it is typed, and taken over it comes to the same", async () => {
  await opened(textOf("of AnyDice"));
  await shows("best");
  expect(output("best").textContent).toContain("mean 12.24");
  await tap("From AnyDice", one(".problem"));
  await until(() => all("dialog svg[role=img]").length > 0);
  expect((page().getByLabelText("An AnyDice program") as HTMLTextAreaElement).value).toContain("highest 3");
  const ours = (page().getByLabelText("The same as a Rollwright program") as HTMLTextAreaElement).value;
  expect(ours).toContain("keep");
  await tap("CSV: best", one("dialog"));
  expect([...saved.keys()]).toEqual(["best.csv"]);
  expect(button("SVG: best", one("dialog"))).toBeTruthy();
  await tap("Take over as a program");
  expect(all("dialog")).toEqual([]);
  expect(field().value).toBe(ours);
  await until(() => all(".problem").length === 0 && one(".outputs").textContent!.includes("mean 12.24"));
});

test("a work is shared whole in a link and in a frame for other pages", async () => {
  await opened(textOf("a rule"));
  await until(() => all(".rule-shown").length === 1);
  slide("dice", 4);
  await tap("Share");
  await until(() => all("dialog").length === 1);
  const text = (name: string): string => (page().getByRole("textbox", { name }) as HTMLInputElement).value;
  await until(() => /#w=.{80}/.test(text("Link")));
  const fragment = text("Link").split("#")[1]!;
  expect(text("Link").length).toBeLessThan(textOf("a rule").length + 120);
  expect(await unpacked(fragment)).toEqual({
    text: textOf("a rule"),
    arguments: { check: { dice: 4 } },
    view: "each",
  });
  expect(text("Frame for a page of your own")).toContain(`workbench?embed#${fragment}`);
  await tap("Save the program");
  expect(await content("workbench.py")).toBe(textOf("a rule"));
});

test("a program that came with a link is shown, and runs when its reader says so", async () => {
  const { packed } = await import("../src/workbench/share");
  const text = textOf("dice, each");
  route.value = { path: "/workbench", token: await packed({ text, arguments: {}, view: "each" }) };
  await opened();
  expect(one(".asking").textContent).toContain("This program came with a link");
  expect(field().value).toBe(text);
  expect(asked).toEqual([]);
  await tap("Run it");
  await shows("4d6kh3");
});

test("a link that holds no program is told, and what lay there stays", async () => {
  route.value = { path: "/workbench", token: "w=AAAA" };
  await opened();
  await until(() => document.body.textContent!.includes("This link holds no program that can be read."));
  expect(field().value).toBe(textOf("dice, each"));
});

test("why a program was ended is said, with a way to try again", async () => {
  await opened();
  for (const [why, said] of [
    ["asked", "Stopped."],
    ["time", "did not end in time"],
  ] as const) {
    python.askPython.mockRejectedValueOnce(new python.PythonStopped(why));
    fireEvent.input(field(), { target: { value: `${why} = 1` } });
    await until(() => document.body.textContent!.includes(said));
    const before = askedOf("program").length;
    await tap("Try again");
    expect(askedOf("program")).toHaveLength(before + 1);
  }
  await write("4d6kh3\n");
  await until(() => !document.body.textContent!.includes("did not end in time"));
});
