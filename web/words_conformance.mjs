// Says every case of vectors/words.json with the page's own evaluator: cases with compiled texts
// come in as JSON, what was said goes out. `plurals` asks the browser's own rules for their forms.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { languagesFromFiles } from "./languages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const parts = 'export { say } from "./src/i18n/say"; export { written } from "./src/i18n";';
const made = await build({
  stdin: { contents: parts, resolveDir: here, loader: "ts" },
  plugins: [languagesFromFiles],
  bundle: true,
  format: "esm",
  write: false,
});
const { say, written } = await import(
  `data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`
);
const { cases, plurals } = JSON.parse(readFileSync(0, "utf8"));

const voice = ({ language, texts, people = {} }) => ({
  language,
  find: (id) => texts[id],
  number: (value, digits) => written(value, digits, `${language}-u-nu-latn`),
  who: (ref) => people[ref] ?? ref,
});
const said = cases.map((one) => say(one.message, voice(one)));
const forms = Object.fromEntries(
  plurals.languages.map((code) => [
    code,
    ["cardinal", "ordinal"].map((type) => plurals.numbers.map((n) => new Intl.PluralRules(code, { type }).select(n))),
  ]),
);
console.log(JSON.stringify({ said, forms }));
