// Asks the library in Pyodide what questions it is given on standard input, and writes the replies.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [pyodide, sources] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.mkdirTree("/library");
python.FS.mount(python.FS.filesystems.NODEFS, { root: sources }, "/library");
python.runPython("import sys; sys.path.insert(0, '/library'); sys.dont_write_bytecode = True");
const reply = python.runPython("from rollwright.workbench import reply; reply");
const replies = JSON.parse(await text(process.stdin)).map(({ kind, question }) =>
  reply(kind, JSON.stringify(question)),
);
process.stdout.write(JSON.stringify({ version: python.runPython("sys.version"), replies }));
