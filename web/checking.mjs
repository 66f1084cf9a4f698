// Checks logs as the page does. Each line that comes in says what to do with what, in JSON; each line that goes out is
// what came of it.
import { build } from "esbuild";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

// As on a page without TLS, which may not ask the browser for hashes.
Object.defineProperty(globalThis.crypto, "subtle", { value: undefined });

const parts = ["bytes", "keys", "pools", "stream", "json", "verify_log"].map(
  (part) => `export * from "./src/fair/${part}";`,
);
const made = await build({
  stdin: { contents: parts.join("\n"), resolveDir: dirname(fileURLToPath(import.meta.url)), loader: "ts" },
  bundle: true,
  format: "esm",
  write: false,
  define: { "import.meta.url": '"https://dice.example/assets/fair.js"' },
});
const fair = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`);

// Thousands of copies of a log differ in one field each: whether a signature fits is worked out once for all of them.
const { fits } = fair.PublicKey.prototype;
const known = new Map();
fair.PublicKey.prototype.fits = function (message, signature) {
  const asked = [fair.hex(this.bytes), fair.hex(message), fair.hex(signature)].join();
  if (!known.has(asked)) known.set(asked, fits.call(this, message, signature));
  return known.get(asked);
};

const ASKED = {
  /** What is wrong with the text of a log, and all that is counted on the way. */
  check: (text) => fair.verifyLog(fair.parseJson(text)),
  /** Whether a text is JSON at all. */
  reads: (text) => {
    try {
      fair.parseJson(text);
      return true;
    } catch {
      return false;
    }
  },
  /** The faces of a pool that two numbers give. */
  draw: ({ key, call, pool }) => {
    const numbers = { key: fair.unhex(key), call: fair.unhex(call), witness: new Uint8Array(), place: 0 };
    return fair.drawFaces(numbers, fair.groupsOf(pool));
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, of] = JSON.parse(line);
  console.log(JSON.stringify(await ASKED[what](of)));
}
