// Runs in a frame of an opaque origin, between the page and the worker of Python. It runs nobody's program: it starts
// workers, ends them, and passes messages on.
import type { FromBox, Parts, ToBox, ToWorker } from "./messages";

let port: MessagePort;
let parts: Parts;
let address: string;
let current: Made | null = null;
let spare: Made | null = null;

interface Made {
  readonly worker: Worker;
  state: FromBox | null;
}

const say = (message: FromBox): void => port.postMessage(message);

/** A worker that is starting; only the current one is heard. */
function made(): Made {
  const worker = new Worker(address);
  const one: Made = { worker, state: null };
  worker.onmessage = ({ data }: MessageEvent<FromBox>) => {
    if (!one.state && (data.is === "ready" || data.is === "failed")) one.state = data;
    if (one === current) say(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    if (one === current)
      say(one.state ? { is: "crashed", id: -1, why: event.message } : { is: "failed", why: event.message });
  };
  worker.postMessage({ is: "parts", ...parts } satisfies ToWorker);
  return one;
}

function next(): void {
  current?.worker.terminate();
  current = spare ?? made();
  spare = null;
  if (current.state) say(current.state);
}

const DOES = {
  async files(files: Extract<ToBox, { is: "files" }>) {
    try {
      address = URL.createObjectURL(new Blob([files.script], { type: "text/javascript" }));
      parts = { wasm: await WebAssembly.compile(files.wasm), stdlib: files.stdlib, library: files.library };
      next();
    } catch (why) {
      say({ is: "failed", why: String(why) });
    }
  },
  end: next,
  spare: () => void (spare ??= made()),
  ask: (question: Extract<ToBox, { is: "ask" }>) => current!.worker.postMessage(question satisfies ToWorker),
};

addEventListener("message", (event) => {
  if (event.source !== parent || port) return;
  port = event.ports[0]!;
  port.onmessage = ({ data }: MessageEvent<ToBox>) => void (DOES[data.is] as (message: ToBox) => unknown)(data);
});
