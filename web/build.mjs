// Builds the page: type check, words check, bundle, hashed names, service worker, sizes.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { languagesFromFiles } from "./languages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const options = process.argv.slice(2);
const target = options.find((word) => !word.startsWith("--")) ?? join(here, "../src/rollwright/server/page");
const FIRST_LOAD_LIMIT = 60_000;

function check(command, ...words) {
  const done = spawnSync(process.execPath, [join(here, command), ...words], { cwd: here, stdio: "inherit" });
  if (done.status) fail(`${command} found something to mend (see above)`);
}

function fail(why) {
  console.error(`The page was not built: ${why}.`);
  process.exit(1);
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

const result = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx" },
  plugins: [languagesFromFiles],
  outdir: join(fresh, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  loader: { ".woff2": "file" },
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
const earlyText = (await build({ absWorkingDir: here, entryPoints: ["src/early.ts"], bundle: true, format: "iife", minify: true, write: false })).outputFiles[0].text;
const earlyPath = `assets/early-${createHash("sha256").update(earlyText).digest("hex").slice(0, 8).toUpperCase()}.js`;
writeFileSync(join(fresh, earlyPath), earlyText);

const outputs = Object.entries(result.metafile.outputs).map(([path, about]) => ({
  path: relative(fresh, join(here, path)).replaceAll("\\", "/"),
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
  for (const one of byPath.get(path).about.imports)
    if (one.kind === "import-statement") walk(relative(fresh, join(here, one.path)).replaceAll("\\", "/"));
};
walk(page.path);
const style = relative(fresh, join(here, page.about.cssBundle)).replaceAll("\\", "/");
// Styles of parts that are fetched later are in the page's own sheet already.
for (const one of outputs.filter((one) => one.path.endsWith(".css") && one.path !== style)) {
  rmSync(join(fresh, one.path));
  outputs.splice(outputs.indexOf(one), 1);
}
const preloads = [...first].filter((path) => path !== page.path);

// What a table needs beside that, for the record: its screen is fetched once somebody sits down.
const seated = new Set(first);
const reach = (path) => {
  for (const one of byPath.get(path).about.imports)
    if (one.kind === "import-statement") {
      const to = relative(fresh, join(here, one.path)).replaceAll("\\", "/");
      if (!seated.has(to)) seated.add(to), reach(to);
    }
};
for (const name of ["src/screens/seated.tsx", "src/screens/table.tsx"]) {
  const { path } = entry(name);
  seated.add(path), reach(path);
}

const html = readFileSync(join(here, "index.html"), "utf8")
  .replace("%STYLE%", `/${style}`)
  .replace("%EARLY%", `/${earlyPath}`)
  .replace("%PAGE%", `/${page.path}`)
  .replace("%PRELOADS%", preloads.map((path) => `<link rel="modulepreload" href="/${path}">`).join("\n    "));
writeFileSync(join(fresh, "index.html"), html);

// Dice in three dimensions are heavy and for those who ask for them, faces are fetched by who sees them: no browser stores them ahead.
const rolling = entry("src/dice3d/index.ts").path;
const shell = ["", earlyPath, ...outputs.filter((one) => !/\.(map|woff2)$/.test(one.path) && one.path !== rolling).map((one) => one.path),
  "manifest.webmanifest", ...readdirSync(join(fresh, "icons")).map((name) => `icons/${name}`)];
const version = createHash("sha256").update(html).update(shell.join()).digest("hex").slice(0, 12);
const worker = await build({
  absWorkingDir: here, entryPoints: ["src/worker.js"], bundle: true, minify: true, write: false,
  define: { SHELL: JSON.stringify(shell), VERSION: JSON.stringify(version) }, target: "es2022",
});
writeFileSync(join(fresh, "worker.js"), worker.outputFiles[0].text);

// Whoever gets the page gets the licences of what is bundled in it.
const bundled = Object.keys(result.metafile.inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
const licences = [...new Set(bundled.filter(Boolean))].sort().map((name) =>
  `${name}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}\n`);
writeFileSync(join(fresh, "licences.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));

const zipped = (path) => gzipSync(readFileSync(join(fresh, path)), { level: 9 }).length;
const sizes = { first: zipped(earlyPath), table: zipped(earlyPath), rolling: zipped(rolling), style: zipped(style), files: {} };
for (const { path } of outputs.filter((one) => /\.(js|css)$/.test(one.path))) {
  sizes.files[path] = zipped(path);
  if (first.has(path)) sizes.first += sizes.files[path];
  if (seated.has(path)) sizes.table += sizes.files[path];
  console.log(`${first.has(path) ? "first" : "later"} ${(sizes.files[path] / 1000).toFixed(1).padStart(6)} kB  ${path}`);
}
console.log(`First load: ${(sizes.first / 1000).toFixed(1)} kB of script (a table: ${(sizes.table / 1000).toFixed(1)} kB; dice in 3D, on demand: ${(sizes.rolling / 1000).toFixed(1)} kB) and ${(sizes.style / 1000).toFixed(1)} kB of style, gzipped.`);
writeFileSync(join(fresh, "sizes.json"), JSON.stringify(sizes, null, 1));
if (sizes.table > FIRST_LOAD_LIMIT) fail(`the first load of a table is ${sizes.table} bytes of script, more than ${FIRST_LOAD_LIMIT}`);

rmSync(target, { recursive: true, force: true });
renameSync(fresh, target);
if (!existsSync(join(target, "index.html"))) fail("nothing was written");
