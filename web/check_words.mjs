// Fails when a word is missing in a language, when none uses it, or when a component says one by itself.
import { build, transformSync } from "esbuild";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { languages } from "./languages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "src");
const problems = [];

const files = readdirSync(source, { recursive: true })
  .map(String)
  .filter((name) => /\.tsx?$/.test(name));
const words = files.filter((name) => name.replaceAll("\\", "/").startsWith("i18n/"));
const texts = new Map(
  files.filter((name) => !words.includes(name)).map((name) => [name, readFileSync(join(source, name), "utf8")]),
);

async function loaded(name) {
  const made = await build({ entryPoints: [join(source, name)], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`);
}

const placeholders = (said) =>
  [...new Set(JSON.stringify(said).match(/\{\w+\}/g) ?? [])]
    .filter((one) => one !== "{n}")
    .sort()
    .join();

const english = {};
for (const name of words.filter((one) => /en(_\w+)?\.ts$/.test(one))) {
  for (const [key, said] of Object.entries(Object.values(await loaded(name))[0])) {
    if (key in english) problems.push(`${key} stands twice`);
    english[key] = said;
  }
}
for (const [code, all] of Object.entries(languages(join(source, "i18n")))) {
  const { "language.name": called, ...said } = all;
  const name = `i18n/${code}.json`;
  if (!called) problems.push(`${name} misses language.name`);
  for (const key of Object.keys(english)) {
    if (!(key in said)) problems.push(`${name} misses ${key}`);
    else if (placeholders(said[key]) !== placeholders(english[key]))
      problems.push(`${name}: ${key} has other placeholders than English`);
  }
  for (const key of Object.keys(said)) if (!(key in english)) problems.push(`${name}: ${key} is no key`);
}

// A key is used where it stands as a whole text, or where a template begins with what comes before its last dots.
const all = [...texts.values()].join("\n");
const whole = new Set([...all.matchAll(/["'`]([\w.-]+)["'`]/g)].map((one) => one[1]));
// Other templates are names of things, or words of the game in front.
const begun = [...all.matchAll(/(?<=\b(?:t|maybe)\()`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map((one) => one[1]);
for (const key of Object.keys(english))
  if (!whole.has(key) && !begun.some((start) => key.startsWith(start))) problems.push(`nothing uses ${key}`);
for (const [, key] of all.matchAll(/\bt\(\s*["']([\w.-]+)["']/g))
  if (!(key in english)) problems.push(`there is no word for ${key}`);

for (const [name, text] of texts) {
  const bare = transformSync(text, { loader: name.endsWith("x") ? "tsx" : "ts", jsx: "preserve" }).code;
  const where = relative(here, join(source, name));
  for (const [, said] of bare.matchAll(/\b(?:title|aria-label|placeholder|alt|label)="([^"]*[A-Za-z]{3}[^"]*)"/g))
    problems.push(`${where} says "${said}"`);
  if (name.endsWith("x"))
    for (const [, said] of bare.matchAll(/[\w"'}/]>\s*([A-Za-z][^<>{}()=;&|]*)\s*<\//g))
      problems.push(`${where} says "${said.trim()}"`);
  for (const [, said] of bare.matchAll(/"([A-Z][a-z]+ [a-z][^"]*)"/g)) problems.push(`${where} says "${said}"`);
}

for (const problem of problems) console.error(`words: ${problem}`);
console.log(`${Object.keys(english).length} words checked.`);
process.exit(problems.length ? 1 : 0);
