// Builds the page: type check, words check, bundle, hashed names, service worker, sizes.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { together } from "./chunks.mjs";
import { languagesFromFiles } from "./languages.mjs";
import { box, python, pythonSize } from "./python.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const options = process.argv.slice(2);
const target = options.find((word) => !word.startsWith("--")) ?? join(here, "../src/rollwright/server/page");
const FIRST_LOAD_LIMIT = 60_000;
const WORKBENCH_LIMIT = 80_000;

function check(command, ...words) {
  const done = spawnSync(process.execPath, [join(here, command), ...words], { cwd: here, stdio: "inherit" });
  if (done.status) fail(`${command} found something to mend (see above)`);
}

const hashOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();

function fail(why) {
  console.error(`The page was not built: ${why}.`);
  process.exit(1);
}

if (options.includes("--library")) {
  // The library alone has changed: the page stays, and Python takes the new one.
  await python(here, target, { whole: false });
  process.exit(0);
}

if (!options.includes("--no-check")) {
  check("node_modules/typescript/bin/tsc", "--noEmit");
  check("check_words.mjs");
}

// Built beside the old page and moved over it at the end, so nobody is ever served half a page.
const fresh = `${target}.fresh`;
rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh, { recursive: true });
cpSync(join(here, "public"), fresh, { recursive: true });

// The examples of the documentation stand in roots of their own, on pages whose text is a quarter larger than the
// root's.
const DOCS_REM = 0.8;
const docsText = (
  await build({
    absWorkingDir: here,
    entryPoints: ["src/docs/docs.css"],
    bundle: true,
    minify: true,
    write: false,
    logLevel: "warning",
  })
).outputFiles[0].text
  .replace(/:root((?:\[[^\]]*\]|:not\([^)]*\))+)/g, ":host($1)")
  .replaceAll(":root", ":host")
  .replace(/(?<=[\s:,(+*-])(\d*\.?\d+)rem\b(?![^{;}]*\{)/g, (_, size) => `${+(size * DOCS_REM).toFixed(4)}rem`);
const docsStyle = `assets/docs-${hashOf(docsText)}.css`;
mkdirSync(join(fresh, "assets"));
writeFileSync(join(fresh, docsStyle), docsText);

const boxed = await box(here);
const result = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx", docs: "src/docs/index.tsx" },
  plugins: [languagesFromFiles],
  outdir: join(fresh, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  loader: { ".woff2": "file" },
  define: { PYTHON_BOX: JSON.stringify(boxed.html), DOCS_STYLE: JSON.stringify(`/${docsStyle}`) },
  splitting: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox114", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !options.includes("--plain"),
  sourcemap: options.includes("--plain") ? "inline" : false,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
}).catch(() => fail("esbuild refused the sources (see above)"));

// Run before anything is drawn, so it is a script of its own and no module.
const earlyText = (
  await build({
    absWorkingDir: here,
    entryPoints: ["src/early.ts"],
    bundle: true,
    format: "iife",
    minify: true,
    write: false,
  })
).outputFiles[0].text;
const earlyPath = `assets/early-${hashOf(earlyText)}.js`;
writeFileSync(join(fresh, earlyPath), earlyText);

// What is fetched at once: screens, what a table fetches by itself when it opens, and so the first page.
const SCREENS = {
  page: ["src/main.tsx"],
  landing: [
    "src/screens/Trial.tsx",
    "src/screens/RecentTables.tsx",
    "src/screens/JoinByLink.tsx",
    "src/screens/ImportTable.tsx",
  ],
  table: ["src/screens/TableEntry.tsx", "src/screens/TableScreen.tsx"],
  open: [
    "src/sheets/SheetPane.tsx",
    "src/panel/index.tsx",
    "src/table/Feed.tsx",
    "src/table/More.tsx",
    "src/table/RollRequests.tsx",
    "src/table/WaitingStrip.tsx",
    "src/table/ChoiceView.tsx",
  ],
  roll: ["src/justroll/index.tsx"],
  explore: ["src/explore/index.tsx"],
  workbench: ["src/workbench/index.tsx"],
  docs: ["src/docs/index.tsx"],
};
const inFolder = (path) => relative(fresh, path).replaceAll("\\", "/");
const outputs = [...(await together(here, fresh, result.metafile.outputs, SCREENS))].map(([path, about]) => ({
  path: inFolder(path),
  about,
}));
const entry = (name) => outputs.find((one) => one.about.entryPoint === name);
const page = entry("src/main.tsx");

// Everything the first screen needs: the entry and what it imports at once.
const byPath = new Map(outputs.map((one) => [one.path, one]));
const first = new Set();
const walk = (path) => {
  if (first.has(path)) return;
  first.add(path);
  for (const one of byPath.get(path).about.imports) if (one.kind === "import-statement") walk(inFolder(one.path));
};
walk(page.path);
const style = inFolder(page.about.cssBundle);
// Styles of parts that are fetched later are in the page's own sheet already.
for (const one of outputs.filter((one) => one.path.endsWith(".css") && one.path !== style)) {
  rmSync(join(fresh, one.path));
  outputs.splice(outputs.indexOf(one), 1);
}
const preloads = [...first].filter((path) => path !== page.path);

// What a table needs beside that, for the record: its screen is fetched once somebody sits down.
const seated = new Set(first);
const reach = (path, found) => {
  for (const one of byPath.get(path).about.imports)
    if (one.kind === "import-statement") {
      const to = inFolder(one.path);
      if (!found.has(to)) found.add(to), reach(to, found);
    }
};
for (const name of ["src/screens/TableEntry.tsx", "src/screens/TableScreen.tsx"]) {
  const { path } = entry(name);
  seated.add(path), reach(path, seated);
}

const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' '${boxed.hash}'`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const html = readFileSync(join(here, "index.html"), "utf8")
  .replace("%POLICY%", POLICY)
  .replace("%STYLE%", `/${style}`)
  .replace("%EARLY%", `/${earlyPath}`)
  .replace("%PAGE%", `/${page.path}`)
  .replace("%PRELOADS%", preloads.map((path) => `<link rel="modulepreload" href="/${path}">`).join("\n    "));
writeFileSync(join(fresh, "index.html"), html);
// Screens that need no server have an address of their own on any static host, below any path.
const STATIC = ["workbench", "roll", "explore", "verify"];
for (const name of STATIC) {
  mkdirSync(join(fresh, name));
  writeFileSync(
    join(fresh, name, "index.html"),
    html.replace("<html ", "<html data-static ").replaceAll('="/', '="../'),
  );
}

// What the workbench needs before Python; its editor comes after it, as Python does, into a field that is there.
const benched = new Set(first);
const benchPath = entry("src/workbench/index.tsx").path;
reach(benchPath, benched.add(benchPath));

// What a page of the documentation needs for its buttons.
const docsPath = entry("src/docs/index.tsx").path;
const documented = new Set([docsPath]);
reach(docsPath, documented);

// Dice in three dimensions are heavy and for those who ask for them, faces are fetched by who sees them: no browser
// stores them ahead.
const rolling = entry("src/dice3d/index.ts").path;
// What only the workbench needs is stored once somebody has been there, and what only the documentation needs is none
// of theirs.
const editing = entry("src/workbench/codemirror.ts").path;
const elsewhere = new Set([rolling, editing, docsPath, entry("src/docs/Inside.tsx").path]);
const shell = [
  "",
  ...STATIC.map((name) => `${name}/`),
  earlyPath,
  ...outputs.filter((one) => !/\.(map|woff2)$/.test(one.path) && !elsewhere.has(one.path)).map((one) => one.path),
  "manifest.webmanifest",
  ...readdirSync(join(fresh, "icons")).map((name) => `icons/${name}`),
];
const version = createHash("sha256").update(html).update(shell.join()).digest("hex").slice(0, 12);
const worker = await build({
  absWorkingDir: here,
  entryPoints: ["src/worker.js"],
  bundle: true,
  minify: true,
  write: false,
  define: { SHELL: JSON.stringify(shell), LATER: JSON.stringify([editing]), VERSION: JSON.stringify(version) },
  target: "es2022",
});
writeFileSync(join(fresh, "worker.js"), worker.outputFiles[0].text);

// Whoever gets the page gets the licences of what is bundled in it.
const bundled = Object.keys(result.metafile.inputs).map(
  (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
);
const licences = [...new Set(bundled.filter(Boolean))]
  .sort()
  .map((name) => `${name}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}\n`);
writeFileSync(join(fresh, "licences.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));

await python(here, fresh);

const zipped = (path) => gzipSync(readFileSync(join(fresh, path)), { level: 9 }).length;
const sizes = {
  first: zipped(earlyPath),
  table: zipped(earlyPath),
  rolling: zipped(rolling),
  workbench: zipped(earlyPath),
  docs: 0,
  editor: zipped(editing),
  python: pythonSize(fresh),
  style: zipped(style),
  files: {},
};
for (const { path } of outputs.filter((one) => /\.(js|css)$/.test(one.path))) {
  sizes.files[path] = zipped(path);
  if (first.has(path)) sizes.first += sizes.files[path];
  if (seated.has(path)) sizes.table += sizes.files[path];
  if (documented.has(path)) sizes.docs += sizes.files[path];
  if (benched.has(path)) sizes.workbench += sizes.files[path];
  console.log(
    `${first.has(path) ? "first" : "later"} ${(sizes.files[path] / 1000).toFixed(1).padStart(6)} kB  ${path}`,
  );
}
const kilobytes = (size) => `${(size / 1000).toFixed(1)} kB`;
console.log(
  `First load: ${kilobytes(sizes.first)} of script (a table: ${kilobytes(sizes.table)}; ` +
    `dice in 3D, on demand: ${kilobytes(sizes.rolling)}) and ${kilobytes(sizes.style)} of style, gzipped.`,
);
console.log(
  `Workbench: ${kilobytes(sizes.workbench)} of script, then its editor with ${kilobytes(sizes.editor)} ` +
    `and Python with ${(sizes.python / 1e6).toFixed(1)} MB. A page of the documentation: ${kilobytes(sizes.docs)}.`,
);
writeFileSync(join(fresh, "sizes.json"), JSON.stringify(sizes, null, 1));
if (sizes.table > FIRST_LOAD_LIMIT)
  fail(`the first load of a table is ${sizes.table} bytes of script, more than ${FIRST_LOAD_LIMIT}`);
if (sizes.workbench > WORKBENCH_LIMIT)
  fail(`the first load of the workbench is ${sizes.workbench} bytes of script, more than ${WORKBENCH_LIMIT}`);

rmSync(target, { recursive: true, force: true });
renameSync(fresh, target);
if (!existsSync(join(target, "index.html"))) fail("nothing was written");
