// Python itself, in a worker without network, storage or page: it is given all it needs as bytes,
// and answers one question at a time. Whatever a stranger's program does, it does in here.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import door from "./door.py";
import type { Parts, ToWorker, FromWorker } from "./messages";

declare const PYODIDE: object; // what it says of itself
const MOST_PAGES = 12_288; // of 64 KiB: 768 MiB, less than what a browser lets a page have
const HERE = "https://python.invalid/";
const post = self.postMessage.bind(self) as (message: FromWorker) => void;

/** Serves Pyodide's own fetches from the bytes that this worker was given. */
function feed({ wasm, stdlib }: Parts): void {
  self.fetch = async (from) => {
    const name = String(from instanceof Request ? from.url : from);
    return name.endsWith(".zip")
      ? new Response(stdlib)
      : new Response(null, { status: name.endsWith(".wasm") ? 200 : 404 });
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const instance = await WebAssembly.instantiate(wasm, imports);
    bound(instance.exports.memory as WebAssembly.Memory);
    return { instance, module: wasm };
  };
}

let memory: WebAssembly.Memory;

/** Python runs out of memory before the browser does. */
function bound(all: WebAssembly.Memory): void {
  memory = all;
  const grow = all.grow.bind(all);
  all.grow = (pages: number) => {
    if (all.buffer.byteLength / 65_536 + pages > MOST_PAGES) throw new RangeError("no more memory");
    return grow(pages);
  };
}

// The origin of this worker is nobody's and its policy lets nothing out; so that a program finds no
// door to knock at either, what leads out of a worker is taken away.
const DOORS = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "EventSource",
  "importScripts",
  "Worker",
  "SharedWorker",
  "BroadcastChannel",
  "MessageChannel",
  "MessagePort",
  "indexedDB",
  "caches",
  "cookieStore",
  "navigator",
  "postMessage",
  "close",
  "Notification",
  "FileReaderSync",
  "RTCPeerConnection",
  "OffscreenCanvas",
];

function shut(): void {
  for (
    let place: object | null = self;
    place && place !== Object.prototype;
    place = Object.getPrototypeOf(place) as object | null
  )
    for (const name of DOORS) if (Object.hasOwn(place, name)) Reflect.deleteProperty(place, name);
}

/** The files of the library: first how long their list is, then the list, then they themselves. */
function unpacked(all: ArrayBuffer): [string, Uint8Array][] {
  const start = 4 + new DataView(all).getUint32(0, true);
  const places = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, start - 4))) as Record<
    string,
    [number, number]
  >;
  return Object.entries(places).map(([path, [from, to]]) => [path, new Uint8Array(all, start + from, to - from)]);
}

async function start(parts: Parts): Promise<(kind: string, question: string, language: string) => string> {
  feed(parts);
  const python = await loadPyodide({
    indexURL: HERE,
    stdLibURL: `${HERE}stdlib.zip`,
    createPyodideModule,
    jsglobals: Object.freeze(Object.create(null) as object),
    lockFileContents: { info: PYODIDE, packages: {} },
    stdout: () => {},
    stderr: () => {},
    stdin: () => null,
    env: { PYTHONDONTWRITEBYTECODE: "1" },
  } as unknown as Parameters<typeof loadPyodide>[0]);
  for (const [path, content] of unpacked(parts.library)) {
    python.FS.mkdirTree(`/library/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`/library/${path}`, content);
  }
  python.runPython("import sys; sys.path.insert(0, '/library')");
  const names = python.toPy({ __name__: "door" }) as { get: (name: string) => unknown };
  python.runPython(door, { globals: names as never });
  shut();
  const asked = names.get("reply") as { callKwargs: (kind: string, question: string, how: object) => string };
  return (kind, question, language) => asked.callKwargs(kind, question, { language });
}

let reply: (kind: string, question: string, language: string) => string;

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.is === "parts") {
    start(data).then(
      (made) => {
        reply = made;
        post({ is: "ready" });
      },
      (why: unknown) => post({ is: "failed", why: String(why) }),
    );
    return;
  }
  try {
    const text = reply(data.kind, data.question, data.language);
    post({ is: "answer", id: data.id, text, bytes: memory.buffer.byteLength });
  } catch (why) {
    post({ is: "crashed", id: data.id, why: String(why).slice(-2000) });
  }
});
