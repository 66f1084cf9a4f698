// Python for the browser: Pyodide's parts, the worker around it, and the library of the same tree.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Compiler } from "./bytecode.mjs";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "../src/rollwright");
/** What no browser runs; the page itself lies in one of them. */
const ELSEWHERE = new Set(["server", "cli", "client", "__pycache__", "__main__.py", "demo.py"]);
const LIST = "python/files.json";

const hashed = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();

/** The page of the frame that Python runs in, and the hash that lets its one script run. */
export async function box(here) {
  const [{ text }] = (
    await build({
      absWorkingDir: here,
      entryPoints: ["src/python/sandbox.ts"],
      bundle: true,
      format: "iife",
      minify: true,
      write: false,
      target: "es2022",
    })
  ).outputFiles;
  const script = text.trim();
  const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
  const policy = `default-src 'none'; script-src '${hash}' 'wasm-unsafe-eval'; worker-src blob:`;
  return {
    hash,
    html:
      '<!doctype html><meta charset="utf-8">' +
      `<meta http-equiv="Content-Security-Policy" content="${policy}"><script>${script}</script>`,
  };
}

/** One file of Python's, packed, in the list of all. */
function put(target, name, bytes) {
  const sent = gzipSync(bytes, { level: 9 });
  const path = `python/${name}-${hashed(bytes)}.bin`;
  mkdirSync(join(target, "python"), { recursive: true });
  writeFileSync(join(target, path), sent);
  const list = existsSync(join(target, LIST)) ? JSON.parse(readFileSync(join(target, LIST), "utf8")) : {};
  if (list[name] && list[name].path !== path) rmSync(join(target, list[name].path), { force: true });
  list[name] = { path, bytes: sent.length };
  writeFileSync(join(target, LIST), JSON.stringify(list));
}

/** The worker with Pyodide in it, its WebAssembly, and Python's standard library. */
async function runtime(here, target, compiler, files) {
  const pyodide = (name) => readFileSync(join(here, "node_modules/pyodide", name));
  const made = await build({
    absWorkingDir: here,
    entryPoints: ["src/python/worker.ts"],
    bundle: true,
    format: "iife",
    minify: true,
    write: false,
    target: "es2022",
    // A frame of no origin can start no module from a blob; a script has no address of its own.
    define: {
      "import.meta.url": '"https://python.invalid/"',
      PYODIDE: JSON.stringify(JSON.parse(pyodide("pyodide-lock.json")).info),
    },
    loader: { ".py": "text" },
    external: ["node:*", "ws"],
    logLevel: "error",
    legalComments: "none",
  });
  put(target, "script", made.outputFiles[0].contents);
  put(target, "wasm", pyodide("pyodide.asm.wasm"));
  put(target, "stdlib", await compiler.standard(readFileSync(join(here, "src/python/door.py"), "utf8"), files));
}

/** Every text of the library that a browser can use, by its path. */
function texts(folder = SOURCE, above = "rollwright") {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !ELSEWHERE.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((one) =>
      one.isDirectory()
        ? texts(join(folder, one.name), `${above}/${one.name}`)
        : [[`${above}/${one.name}`, readFileSync(join(folder, one.name), "utf8")]],
    );
}

/** Modules as bytecode, all else as it is: a list of where each file begins and ends, and the files. */
async function packed(compiler) {
  const places = {};
  const parts = [];
  let at = 0;
  for (const [path, text] of texts()) {
    const isModule = path.endsWith(".py") && !path.includes("/template/");
    const part = isModule ? await compiler.module(`/library/${path}`, text) : Buffer.from(text);
    places[isModule ? `${path}c` : path] = [at, (at += part.length)];
    parts.push(part);
  }
  const list = Buffer.from(JSON.stringify(places));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  return Buffer.concat([length, list, ...parts]);
}

const GALLERY = (language) => `
import json
from rollwright.workbench import answer
json.dumps(answer("gallery", {}, language="${language}"), ensure_ascii=False)`;
const WORDS = `
import inspect, json
from rollwright.workbench.prelude import words
def about(word):
    told = "" if type(word).__module__ == "typing" else inspect.getdoc(word) or ""
    return {"info": told.partition("\\n")[0]} if inspect.isroutine(word) or inspect.isclass(word) else {}
json.dumps([{"label": name, **about(word)} for name, word in sorted(words().items())], ensure_ascii=False)`;

/** What the page shows before Python is there: worked mechanics in every language, and words to complete. */
async function baked(here, target, compiler) {
  const all = texts();
  const depends = hashed(JSON.stringify(all.filter(([path]) => /\/(workbench|gallery|i18n)\//.test(path))));
  const languages = [
    "en",
    ...readdirSync(join(here, "src/i18n"))
      .filter((name) => /^[a-z]{2}\.json$/.test(name))
      .map((name) => name.slice(0, 2)),
  ];
  for (const code of languages)
    writeFileSync(join(target, `python/gallery-${code}.json`), await compiler.said(GALLERY(code), all, depends));
  writeFileSync(join(target, "python/words.json"), await compiler.said(WORDS, all, depends));
}

/** Everything of Python's; the library alone where only that has changed. */
export async function python(here, target, { whole = true } = {}) {
  const compiler = new Compiler(join(here, "node_modules"));
  if (whole) await runtime(here, target, compiler, texts());
  put(target, "library", await packed(compiler));
  await baked(here, target, compiler);
}

/** How many bytes Python comes in. */
export const pythonSize = (target) =>
  Object.values(JSON.parse(readFileSync(join(target, LIST), "utf8"))).reduce((sum, { bytes }) => sum + bytes, 0);
