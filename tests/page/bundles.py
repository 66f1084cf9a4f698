"""Modules of the page as one script, for tests that need a browser to run them."""

import subprocess

from hatch_build import WEB, node_from_pypi, node_on_path

BUNDLE = """
import { build } from "esbuild";
import { languagesFromFiles } from "./languages.mjs";
const stdin = { contents: process.argv[1], resolveDir: process.cwd(), loader: "tsx" };
const plugins = [languagesFromFiles];
const made = await build({ stdin, plugins, bundle: true, globalName: "page", write: false,
    jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
    define: { "import.meta.url": '"https://dice.example/assets/form.js"' },
    footer: { js: "globalThis.page = page;" } });
console.log(made.outputFiles[0].text);
"""


def bundled(harness):
    """Modules of the page as one script that gives `page`."""
    node = node_on_path() or node_from_pypi()
    command = [node.node, "--input-type=module", "--eval", BUNDLE, "--", harness]
    made = subprocess.run(command, cwd=WEB, capture_output=True, check=True)
    return made.stdout.decode()
