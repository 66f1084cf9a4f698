// Few files in place of many: what is shared by the same screens comes in one.
//
// esbuild makes a file for every set of entries that share something, and each part that is fetched later is
// an entry: sixty files for a first screen, and a round trip for every six of them. Nothing is fetched here
// that was not fetched before: files are put together only where all who want one of them want the others.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { rollup } from "rollup";

const HASHED = /-[A-Z0-9]{8}(?=\.js$|$)/;

/** All that an output imports at once, and what that imports, by its path. */
function closure(outputs, path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const one of outputs[path].imports) if (one.kind === "import-statement") closure(outputs, one.path, found);
  return found;
}

/** Which of the screens want an output; whoever comes after the page has all that the page has. */
function wantedBy(screens, path) {
  const by = Object.keys(screens).filter((name) => screens[name].has(path));
  return by.includes("page") ? by.filter((name) => name === "page" || name === "docs") : by;
}

/** The outputs of a build with those put together that the same screens want, in the same form as before. */
export async function together(here, folder, outputs, families) {
  const scripts = Object.keys(outputs).filter((path) => path.endsWith(".js"));
  const entries = new Map(
    scripts.filter((path) => outputs[path].entryPoint).map((path) => [outputs[path].entryPoint, path]),
  );
  const screens = Object.fromEntries(
    Object.entries(families).map(([name, sources]) => {
      const found = new Set();
      for (const source of sources) closure(outputs, entries.get(source), found);
      return [name, found];
    }),
  );
  const absolute = (path) => resolve(here, path);
  const groups = new Map(
    scripts
      .filter((path) => !outputs[path].entryPoint)
      .map((path) => [absolute(path), wantedBy(screens, path).join("-")]),
  );
  const started = ["src/main.tsx", "src/docs/index.tsx"].map((source) => absolute(entries.get(source)));
  const plain = (name) => name.replace(HASHED, "");
  const bundle = await rollup({
    input: started,
    treeshake: false,
    onwarn: (problem) => {
      throw new Error(problem.message);
    },
  });
  const named = ({ name }) => `${plain(name)}-[hash].js`;
  for (const path of scripts) rmSync(absolute(path));
  const { output } = await bundle.write({
    dir: join(folder, "assets"),
    format: "es",
    compact: true,
    hoistTransitiveImports: true,
    hashCharacters: "base36",
    entryFileNames: named,
    chunkFileNames: named,
    manualChunks: (id) => groups.get(id) || undefined,
  });
  await bundle.close();
  const sources = new Map([...entries].map(([source, path]) => [absolute(path), source]));
  const at = (file) => join(folder, "assets", file);
  const kept = Object.entries(outputs)
    .filter(([path]) => !path.endsWith(".js"))
    .map(([path, about]) => [absolute(path), about]);
  const made = output.map((one) => [
    at(one.fileName),
    {
      entryPoint: sources.get(one.facadeModuleId),
      cssBundle: one.facadeModuleId && styleOf(outputs, here, one.facadeModuleId),
      imports: one.imports.map((file) => ({ path: at(file), kind: "import-statement" })),
    },
  ]);
  return new Map([...kept, ...made]);
}

/** The style sheet that belongs to a script. */
function styleOf(outputs, here, id) {
  const [, about] = Object.entries(outputs).find(([path]) => resolve(here, path) === id);
  return about.cssBundle && resolve(here, about.cssBundle);
}
