// Runs the page's own checker against every case of fairness.json and signatures.json: node conformance.mjs
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const parts = ["bytes", "hashing", "keys", "pools", "stream", "calls", "chain", "head_words", "verify_log"].map(
  (part) => `export * from "./src/fair/${part}";`,
);
const made = await build({
  stdin: { contents: parts.join("\n"), resolveDir: here, loader: "ts" },
  bundle: true,
  format: "esm",
  write: false,
  define: { "import.meta.url": '"https://dice.example/assets/fair.js"' },
});
const fair = await import(`data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`);
const read = (name) => JSON.parse(readFileSync(join(here, "..", "vectors", name), "utf8"));
const file = read("fairness.json");
const signatures = read("signatures.json");

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
    const way = path
      .split("/")
      .slice(1)
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = way.pop();
    const at = way.reduce((part, name) => part[name], whole);
    if (!Array.isArray(at)) op === "remove" ? delete at[last] : (at[last] = value);
    else at.splice(Number(last), op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
  }
  return whole;
}

for (const { fields, bytes } of file.frames) same("frames", bytes, hex(frame(...fields.map(unhex))));
for (const { value, text } of file.canonical) same("canonical", text, canonical(value));
for (const { secret, lane, number, key, slot } of file.keys) {
  same("keys", key, hex(fair.mac(unhex(secret), frame("rollwright/key/2", lane, String(number)))));
  same("keys", slot, hex(fair.slotOf(unhex(key))));
}
for (const { seed, key, message, signature } of signatures.signed) {
  same("signed", key, hex(fair.keyOf(unhex(seed))));
  same("signed", signature, hex(fair.signWith(unhex(seed), unhex(message))));
}
for (const { name, key, message, signature, valid } of signatures.checked)
  same(`checked ${name}`, valid, fair.keyFrom(key)?.fits(unhex(message), unhex(signature)) ?? false);
for (const { number, offer } of file.offers) same("offers", offer, hex(fair.offerOf(unhex(number))));
for (const { table, epoch, seat, call, hash, key } of file.calls) {
  const made = fair.callHash(table, epoch, seat, call);
  same("calls", hash, hex(made));
  if (key) same("calls", true, fair.keyFrom(key).fits(made, unhex(call.signature)));
}
for (const { table, epoch, device, token_hash, hash } of file.claims)
  same("claims", hash, hex(fair.claimHash(table, epoch, device, token_hash)));
for (const { head, words } of file.spoken) same("spoken", words, fair.headWords(head));

/** What settles the faces of a throw. */
function settled({ key, call, witness }, place) {
  return { key: unhex(key), call: unhex(call), witness: unhex(witness), place };
}

for (const { throw: place, pool, faces, ...rest } of file.throws)
  same(`throws ${place}`, faces, fair.drawFaces(settled(rest, place), fair.groupsOf(pool)));
for (const { table, before, events } of file.chain) chained("chain", table, before, events);

function chained(what, table, first, events) {
  same(`${what} before event 1`, first, fair.firstHash(table));
  let before = first;
  for (const event of events) {
    if (event.body) same(`${what} digest ${event.seq}`, event.digest, fair.digestOf(event.salt, event.body));
    same(`${what} hash ${event.seq}`, event.hash, fair.chainHash(before, event));
    before = event.hash;
  }
}

for (const { name, log, values } of file.logs) {
  const whose = `logs ${name} for ${log.for}`;
  chained(whose, log.table, values.first, log.events);
  for (const { seq, open, body } of values.events) {
    same(`${whose} open ${seq}`, open, canonical(log.events[seq - 1].open));
    if (body) same(`${whose} body ${seq}`, body, canonical(log.events[seq - 1].body));
  }
  for (const { seq, call, slot, context, faces } of values.throws) {
    const { fair: proof, pool } = log.events[seq - 1].body;
    const told = log.events.find(({ kind, body }) => kind === "witness.revealed" && context.includes(body?.number));
    const from = settled({ key: proof.key ?? "", call, witness: told?.body.number ?? "" }, proof.throw);
    same(`${whose} context ${seq}`, context, hex(fair.contextOf(from)));
    if (!proof.key) continue;
    same(`${whose} slot ${seq}`, slot, hex(fair.slotOf(unhex(proof.key))));
    same(`${whose} faces ${seq}`, faces, fair.drawFaces(from, fair.groupsOf(pool)));
  }
  same(`${whose} problems`, [], (await fair.verifyLog(log)).problems);
}
for (const { name, of, for: whose, fitted, rules, problems, patch } of file.forged) {
  const { log } = file.logs.find((one) => one.name === of && one.log.for === whose);
  const found = (await fair.verifyLog(patched(log, patch))).problems;
  const missed = rules
    ? []
    : problems.filter(({ seq, what }) => !found.some((one) => one.seq === seq && what.includes(one.fault)));
  same(
    `forged ${name}${fitted ? ", with hashes that fit" : ""}: found ${canonical(found)}; missed or too much`,
    [],
    missed,
  );
}
console.log(
  Object.entries(counts)
    .map(([name, n]) => `${name}: ${n}`)
    .join(", "),
);
process.exit(wrong ? 1 : 0);
