// The languages of the page besides English: every `src/i18n/CODE.json`, found when the page is built.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "src", "i18n");

/** Each language by its code, with all it says. */
export function languages(where = folder) {
  const files = readdirSync(where)
    .filter((name) => /^[a-z]{2,3}\.json$/.test(name))
    .sort();
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(where, name), "utf8"))]),
  );
}

const NAME = "i18n:languages";
const module = () => {
  const others = Object.entries(languages()).map(([code, said]) => {
    const name = JSON.stringify(said["language.name"]);
    const load = `async () => (await import(${JSON.stringify(`./${code}.json`)})).default`;
    return `${JSON.stringify(code)}: { name: ${name}, load: ${load} }`;
  });
  return `export const others = {${others}};`;
};

/** For esbuild: what `i18n:languages` is, each language being fetched when it is wanted. */
export const languagesFromFiles = {
  name: "languages",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${NAME}$`) }, ({ path }) => ({ path, namespace: "languages" }));
    build.onLoad({ filter: /.*/, namespace: "languages" }, () => ({ contents: module(), resolveDir: folder }));
  },
};

/** The same for the tests. */
export const languagesForVite = {
  name: "languages",
  resolveId: (id) => (id === NAME ? join(folder, "languages.js") : undefined),
  load: (id) => (id === join(folder, "languages.js") ? module() : undefined),
};
