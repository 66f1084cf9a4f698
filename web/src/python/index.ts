// Python in this browser: `askPython(kind, question)` is answered by the library itself, by nobody's server. It is
// fetched when it is first asked, runs in a box that has neither network nor storage nor this page, and is restarted if
// a program does not end by itself.
import { signal } from "@preact/signals";
import { RequestError } from "../net/http";
import { language } from "../i18n";
import { fetchFiles } from "./files";
import type { FromBox, ToBox } from "./messages";

export type Step = "asleep" | "fetching" | "starting" | "ready" | "failed";
/** How far Python is: bytes of its files, then its start. */
export const pythonState = signal<{ readonly step: Step; readonly done: number; readonly total: number }>({
  step: "asleep",
  done: 0,
  total: 0,
});

export type Why = "time" | "memory" | "crash" | "unreachable" | "asked";
/** A program that was ended, or a Python that did not come; the page goes on. */
export class PythonStopped extends Error {
  constructor(
    readonly why: Why,
    readonly details = "",
  ) {
    super(why);
  }
}

export interface PythonCall {
  /**
   * Takes the question back: one that waits is dropped, one that runs is ended where another waits, or at once if the
   * reason is a `Stopped`.
   */
  readonly signal?: AbortSignal;
  /** Whether it goes before all that waits. */
  readonly first?: boolean;
  /** After so many seconds the program is ended. */
  readonly seconds?: number;
}

interface Asked {
  readonly id: number;
  readonly kind: string;
  readonly question: string;
  readonly seconds: number;
  readonly first: boolean;
  /** Whether it runs what somebody wrote. */
  readonly runs: boolean;
  readonly done: (text: string) => void;
  readonly fail: (why: unknown) => void;
  gone: boolean;
}

const SECONDS = 20;
/** Milliseconds that a question may still take after it was taken back, while another waits. */
const GRACE = 300;
/** Milliseconds after which another worker is made ready, since this one may have to be ended. */
const LONG = 1_500;
/** A worker that has grown beyond this gives its memory back by ending. */
const WORN = 256 * 2 ** 20;
const LONGEST = 2 ** 25;

/** Questions that run a program; any other does where it has one beside it. */
const RUNS = new Set(["program", "example", "package"]);

declare const PYTHON_BOX: string;
let port: MessagePort | null = null;
let frame: HTMLIFrameElement | null = null;
let running: Asked | null = null;
const timers: number[] = [];
let count = 0;
/** Whether a program ran in this worker: it may have changed anything there, so nobody else is answered from it. */
let used = false;
const waiting: Asked[] = [];

const go = (step: Step, done = 0, total = 0): void => void (pythonState.value = { step, done, total });
const tell = (message: ToBox, give: Transferable[] = []): void => port!.postMessage(message, give);

/** Begin to fetch Python, so that it is there when it is asked. */
export async function wakePython(): Promise<void> {
  if (pythonState.value.step !== "asleep" && pythonState.value.step !== "failed") return;
  go("fetching");
  try {
    const files = await fetchFiles((done, total) => go("fetching", done, total));
    await boxed();
    go("starting");
    tell({ is: "files", ...files }, Object.values(files));
  } catch {
    gaveUp("unreachable");
  }
}

/** The answer of the library; a refusal is a `Refused` as a server's is, an end from outside a `Stopped`. */
export function askPython<A>(
  kind: string,
  question: unknown,
  { signal: taken, seconds = SECONDS, first = false }: PythonCall = {},
): Promise<A> {
  return new Promise<A>((done, fail) => {
    if (taken?.aborted) return fail(taken.reason);
    const asked: Asked = {
      id: ++count,
      kind,
      question: JSON.stringify(question),
      seconds,
      first,
      runs: RUNS.has(kind) || !!(question as { program?: unknown } | null)?.program,
      fail,
      gone: false,
      done: (text) => told(text, done, fail),
    };
    taken?.addEventListener("abort", () => takeBack(asked, taken.reason), { once: true });
    const behind = first ? waiting.findIndex((one) => !one.first) : -1;
    waiting.splice(behind < 0 ? waiting.length : behind, 0, asked);
    void wakePython();
    goOn();
  });
}

function told<A>(text: string, done: (answer: A) => void, fail: (why: unknown) => void): void {
  const said = JSON.parse(text) as { answer?: A; error?: { code: string; message: string; field?: string } };
  if (said.error)
    fail(new RequestError(said.error.code, said.error.message, said.error.field ?? "", { ...said.error }));
  else done(said.answer as A);
}

function takeBack(asked: Asked, why: unknown): void {
  asked.gone = true;
  asked.fail(why);
  const at = waiting.indexOf(asked);
  if (at >= 0) waiting.splice(at, 1);
  if (asked === running && why instanceof PythonStopped) end();
  else makeRoom();
}

/** One that nobody waits for is ended, a moment later, where it keeps others waiting. */
function makeRoom(): void {
  if (running?.gone && waiting.length) later(GRACE, () => running?.gone && waiting.length && end());
}

const later = (milliseconds: number, what: () => unknown): void =>
  void timers.push(window.setTimeout(what, milliseconds));

function goOn(): void {
  if (running) return makeRoom();
  if (pythonState.value.step !== "ready") return;
  if (used && waiting[0] && !waiting[0].runs) return end();
  running = waiting.shift() ?? null;
  if (!running) return;
  used ||= running.runs;
  const { id, kind, question, seconds } = running;
  tell({ is: "ask", id, kind, question, language: language.value });
  later(LONG, () => tell({ is: "spare" }));
  later(seconds * 1000, () => end(new PythonStopped("time")));
}

/** Ends the running request, finished or not. */
function over(): Asked | null {
  for (const timer of timers.splice(0)) clearTimeout(timer);
  const asked = running;
  running = null;
  return asked;
}

/** End the worker with whatever runs in it, and go on in another. */
function end(why?: PythonStopped): void {
  const asked = over();
  if (why) asked?.fail(why);
  used = false;
  go("starting");
  tell({ is: "end" });
}

/** Gives the next request a worker that no program has touched. */
export function freshPython(): void {
  if (used) end();
}

function gaveUp(why: Why, details = ""): void {
  const all = [over(), ...waiting.splice(0)];
  frame?.remove();
  frame = port = null;
  go("failed");
  for (const asked of all) asked?.fail(new PythonStopped(why, details));
}

/** The box's output is data that a stranger may have made: nothing of it is trusted. */
function hear(message: FromBox): void {
  if (message.is === "ready") go("ready");
  else if (message.is === "failed") return gaveUp("crash", String(message.why));
  else if (message.is === "crashed") return end(new PythonStopped("crash", String(message.why)));
  else if (running?.id === message.id) {
    const asked = over()!;
    try {
      if (String(message.text).length > LONGEST) throw new PythonStopped("memory");
      asked.done(String(message.text));
    } catch (why) {
      asked.fail(why instanceof PythonStopped ? why : new PythonStopped("crash"));
      return end(); // what cannot be read once cannot be read again
    }
    if (message.bytes > WORN) end();
  }
  goOn();
}

/** The box: a frame of no origin, whose policy lets nothing in or out. */
function boxed(): Promise<void> {
  return new Promise((done) => {
    frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.hidden = true;
    frame.srcdoc = PYTHON_BOX;
    frame.onload = () => {
      const { port1, port2 } = new MessageChannel();
      port = port1;
      port.onmessage = ({ data }: MessageEvent<FromBox>) => hear(data);
      frame!.contentWindow!.postMessage("", "*", [port2]);
      done();
    };
    document.body.append(frame);
  });
}
