// Tells which dice the page expects of lines of vectors/notation.json: lines come in as JSON, names of dice go out.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const made = await build({
  entryPoints: [join(here, "src", "panel", "written_dice.ts")],
  bundle: true,
  format: "esm",
  write: false,
});
const { diceIn } = await import(
  `data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`
);
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(diceIn)));
