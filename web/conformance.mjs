// Runs the page's own checker against every case of conformance/fairness.json: node conformance.mjs
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const parts = ["bytes", "sha256", "stream", "chain", "own", "check"].map((part) => `export * from "./src/fair/${part}";`);
const made = await build({ stdin: { contents: parts.join("\n"), resolveDir: here, loader: "ts" }, bundle: true, format: "esm", write: false, define: { "import.meta.url": '"https://dice.example/assets/fair.js"' } });
const fair = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`);
const file = JSON.parse(readFileSync(join(here, "..", "conformance", "fairness.json"), "utf8"));

const { canonical, hex, unhex, frame } = fair;
const counts = {};
let wrong = 0;

/** One thing that must be as published. */
function same(what, expected, actual) {
  counts[what.split(" ")[0]] = (counts[what.split(" ")[0]] ?? 0) + 1;
  if (canonical(expected) === canonical(actual)) return;
  wrong += 1;
  console.error(`${what}: ${canonical(actual).slice(0, 300)} is not ${canonical(expected).slice(0, 300)}`);
}

/** A JSON Patch (RFC 6902), as far as the file uses it. */
function patched(log, patch) {
  const whole = structuredClone(log);
  for (const { op, path, value } of patch) {
    const way = path.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = way.pop();
    const at = way.reduce((part, name) => part[name], whole);
    if (!Array.isArray(at)) op === "remove" ? delete at[last] : (at[last] = value);
    else at.splice(Number(last), op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
  }
  return whole;
}

for (const { fields, bytes } of file.frames) same("frames", bytes, hex(frame(...fields.map(unhex))));
for (const { value, text } of file.canonical) same("canonical", text, canonical(value));
for (const { secret, number, key, commitment } of file.keys) {
  same("keys", key, hex(await fair.hmac(unhex(secret), frame("rollwright/key/1", String(number)))));
  same("keys", commitment, hex(await fair.commitment(key)));
}
for (const { nonce, throw: place, derived, offered } of file.nonces) {
  same("nonces", derived, await fair.nonceOf(nonce, place));
  same("nonces", offered, hex(await fair.witnessCommitment(derived)));
}
for (const { key, nonce, witness, number, faces, ...place } of file.throws) {
  const proof = { key, nonce, number, witness: witness ? { seat: "s9", nonce: witness } : null };
  same(`throws ${place.roll}`, faces, await fair.redraw({ ...place, fair: proof }));
}
for (const { table, before, events } of file.chain) await chained("chain", table, before, events);

async function chained(what, table, first, events) {
  same(`${what} before event 1`, first, await fair.firstHash(table));
  let before = first;
  for (const event of events) {
    if (event.body) same(`${what} digest ${event.seq}`, event.digest, await fair.digestOf(event.salt, event.body));
    same(`${what} hash ${event.seq}`, event.hash, await fair.chainHash(before, event));
    before = event.hash;
  }
}

for (const { name, log, values } of file.logs) {
  const whose = `logs ${name} for ${log.for}`;
  await chained(whose, log.table, values.first, log.events);
  for (const { seq, open, body } of values.events) {
    same(`${whose} open ${seq}`, open, canonical(log.events[seq - 1].open));
    if (body) same(`${whose} body ${seq}`, body, canonical(log.events[seq - 1].body));
  }
  for (const { seq, commitment, faces } of values.throws) {
    const { body } = log.events[seq - 1];
    same(`${whose} commitment ${seq}`, commitment, hex(await fair.commitment(body.fair.key)));
    same(`${whose} faces ${seq}`, faces, await fair.redraw({ table: log.table, ...body }));
  }
  same(`${whose} problems`, [], (await fair.checkLog(log)).problems);
}
for (const { name, of, for: whose, fitted, rules, problems, patch } of file.forged) {
  const { log } = file.logs.find((one) => one.name === of && one.log.for === whose);
  const found = (await fair.checkLog(patched(log, patch))).problems;
  const missed = rules ? found : problems.filter(({ seq, what }) => !found.some((one) => one.seq === seq && what.includes(one.fault)));
  same(`forged ${name}${fitted ? ", with hashes that fit" : ""}: found ${canonical(found)}; missed or too much`, [], missed);
}
console.log(Object.entries(counts).map(([name, n]) => `${name}: ${n}`).join(", "));
process.exit(wrong ? 1 : 0);
