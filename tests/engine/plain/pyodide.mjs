// Runs test files in Pyodide, with the sources and the pytest of whoever asks: the names of the
// folders, then those of the files. Leaves with what pytest leaves with.
import { pathToFileURL } from "node:url";

const [pyodide, root, packages, ...files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [place, from] of [["/root", root], ["/packages", packages]]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: from }, place);
}
python.globals.set("files", files);
process.exitCode = python.runPython(`
import os, sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/root", "/root/src"]
sys.path.append("/packages")
os.chdir("/root")
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
print(sys.version)
import pytest
pytest.main([
    "-q", "-s", "-c", "/dev/null", "--rootdir=/root", "--noconftest", "--import-mode=importlib",
    "-pno:cacheprovider", "-pno:faulthandler", "-mnot thorough", "-Wignore", *files.to_py(),
])
`);
