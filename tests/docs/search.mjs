// Asks the search of a built site: its own script, as a worker would run it, and its own index.
// node search.mjs SITE QUERY… prints the addresses that are found, one line of JSON a query.
import { readFileSync, readdirSync } from "node:fs";

const [, , site, ...queries] = process.argv;
const folder = `${site}/assets/javascripts/workers`;
const script = readdirSync(folder).find((name) => /^search\..*\.js$/.test(name));
const index = JSON.parse(readFileSync(`${site}/search.json`, "utf8"));
const [TAKE, READY, ASK, FOUND] = [0, 1, 2, 3];

// Made anew for each query: the search writes into it what it found.
function everything() {
  const input = { type: "operator", data: { operator: "and", operands: [] } };
  return { input, aggregation: { input: [{ type: "term", data: { field: "tags" } }] } };
}

let answered;
globalThis.self = { postMessage: (answer) => answered(answer) };
(0, eval)(readFileSync(`${folder}/${script}`, "utf8"));

async function told(type, data, expected) {
  const answer = await new Promise((resolve) => {
    answered = resolve;
    self.onmessage({ data: { type, data } });
  });
  if (answer.type !== expected) throw new Error(`the search answered ${JSON.stringify(answer)}`);
  return answer.data;
}

await told(TAKE, index, READY);
for (const input of queries) {
  const { items } = await told(ASK, { input, filter: everything() }, FOUND);
  console.log(JSON.stringify(items.map((item) => index.items[item.id].location)));
}
