// The check of a log, and the numbers of a witness: what a host may try on the page itself.
import { expect, test } from "vitest";
import { checkLog, type Log } from "../src/fair/check";
import { facesKnown } from "../src/fair/pools";
import { answer, answered, offersOf, rememberOffers } from "../src/net/device";

const [vectors] = Object.values(
  import.meta.glob<{ logs: { name: string; log: Log }[] }>("../../conformance/fairness.json", { import: "default" }),
);
const { logs: LOGS } = await vectors!();
const { log: LOG } = LOGS[0]!;

/** The log with one field of an event exchanged. */
function exchanged(place: number, part: "open" | "body", name: string, value: unknown): unknown {
  const log = structuredClone(LOG);
  (log.events[place]![part] as Record<string, unknown>)[name] = value;
  return log;
}

test("a value that cannot be made a text is a fault like any other", async () => {
  for (const [place, event] of LOG.events.entries())
    for (const name of event.body ? ["roll", "by"] : []) {
      const { problems } = await checkLog(exchanged(place, "body", name, { toString: 0 }));
      expect(problems.length, `${place} ${name}`).toBeGreaterThan(0);
    }
});

test("a text in a list is no text", async () => {
  const place = LOG.events.findIndex(({ kind }) => kind === "roll.thrown");
  const { problems } = await checkLog(exchanged(place, "body", "roll", ["r1"]));
  expect(problems).toContainEqual({ seq: place + 1, fault: "malformed event", roll: '["r1"]' });
});

test("the faces of a die are gone through once", () => {
  let looks = 0;
  const faces = Array.from({ length: 50 }, (_, n): [string, number] => [`face ${n}`, 1]);
  const counted = new Proxy(faces, { get: (all, name) => ((looks += Number(name === "0")), Reflect.get(all, name)) });
  const isFace = facesKnown({ die: counted, count: 1000 });
  for (let n = 0; n < 1000; n++) expect(isFace(`face ${n}`)).toBe(n < 50);
  expect(looks).toBe(1);
});

test("a key that nobody of the seat signed in is told, also the first one", async () => {
  const { problems, replaced } = await checkLog(LOGS.find(({ name }) => name === "keys")!.log);
  expect([problems, replaced]).toEqual([[], 2]);
});

test("a witness tells a number once, whatever asks for it", () => {
  rememberOffers("t", { one: "1", two: "2" });
  expect(answer("t", 7, "one")).toBe("1");
  expect(answer("t", 9, "one")).toBeUndefined();
  expect(answer("t", 7, "two")).toBeUndefined();
  expect([answered("t"), offersOf("t")]).toEqual([[7], { two: "2" }]);
});
