// Checks logs as the page does: each line that comes in names a file, each line that goes out is what is wrong with it.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const made = await build({
  stdin: {
    contents: 'export * from "./src/fair/check"; export * from "./src/fair/json";',
    resolveDir: dirname(fileURLToPath(import.meta.url)),
    loader: "ts",
  },
  bundle: true,
  format: "esm",
  write: false,
  define: { "import.meta.url": '"https://dice.example/assets/fair.js"' },
});
const fair = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`);
for await (const path of createInterface({ input: process.stdin })) {
  const { problems } = await fair.checkLog(fair.parsed(readFileSync(path, "utf8")));
  console.log(JSON.stringify(problems));
}
