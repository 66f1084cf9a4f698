// Compiles Python for the browser's Python, by that very Python: its bytecode is no other's.
// What has been compiled is kept beside the packages, so that a build compiles only what has changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const COMPILE = `
import importlib._bootstrap_external as files, io, sys, zipfile

def compiled(path, source):
    """The code of a module as it is stored; nobody asks whether its source has changed."""
    code = compile(source, path, "exec", dont_inherit=True)
    return bytes(files._code_to_hash_pyc(code, bytes(8), False))

def standard(door):
    """The standard library, unpacked, with all that a start imports compiled."""
    sys.path.insert(0, "/library")
    exec(compile(door, "door", "exec"), {"__name__": "door"})
    used = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}
    whole = next(path for path in sys.path if path.endswith(".zip"))
    made = io.BytesIO()
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(made, "w") as new:
        for name in sorted(old.namelist()):
            path, content = f"{whole}/{name}", old.read(name)
            if path in used and name.endswith(".py"):
                name, content = name + "c", compiled(path, content)
            new.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()
`;

const bytes = (proxy) => {
  const found = Buffer.from(proxy.toJs());
  proxy.destroy();
  return found;
};

export class Compiler {
  constructor(modules) {
    this.folder = join(modules, ".bytecode");
    this.version = JSON.parse(readFileSync(join(modules, "pyodide/package.json"), "utf8")).version;
    this.entry = join(modules, "pyodide/pyodide.mjs");
    this.python = null;
    mkdirSync(this.folder, { recursive: true });
  }

  async names() {
    if (!this.python) {
      const { loadPyodide } = await import(this.entry);
      this.python = await loadPyodide({ stdout: () => {} });
      this.python.runPython(COMPILE);
    }
    return this.python.globals;
  }

  async kept(key, make) {
    const path = join(this.folder, createHash("sha256").update(`${this.version}\0${key}`).digest("hex"));
    if (!existsSync(path)) writeFileSync(path, await make());
    return readFileSync(path);
  }

  /** The bytecode of one module. */
  module(path, source) {
    return this.kept(`${path}\0${source}`, async () => bytes((await this.names()).get("compiled")(path, source)));
  }

  /** The standard library as the library and its door need it; `files` is that library. */
  standard(door, files) {
    const imported = files
      .flatMap(([, text]) => text.match(/^\s*(?:from|import) \w+/gm) ?? [])
      .map((line) => line.trim().split(" ")[1]);
    return this.kept(`standard\0${door}\0${[...new Set(imported)].sort()}`, async () => {
      const names = await this.names();
      this.#lay(files);
      return bytes(names.get("standard")(door));
    });
  }

  /** What the library itself says when it is asked by a piece of Python: a text, kept by what it depends on. */
  said(code, files, depends) {
    return this.kept(`said\0${code}\0${depends}`, async () => {
      await this.names();
      this.#lay(files);
      return this.python.runPython(`import sys; sys.path.insert(0, "/library")\n${code}`);
    });
  }

  /** Lays the library down where it is found. */
  #lay(files) {
    for (const [path, content] of files) {
      this.python.FS.mkdirTree(`/library/${path.slice(0, path.lastIndexOf("/"))}`);
      this.python.FS.writeFile(`/library/${path}`, content);
    }
  }
}
