// The check of a log, and the numbers of a witness: what a host may try on the page itself.
import { expect, test, vi } from "vitest";
import { checkLog, type Log, type Report } from "../src/fair/check";
import { decoded, parsed } from "../src/fair/json";
import type { People } from "../src/fair/people";
import { base64url, utf8 } from "../src/fair/bytes";
import { sha256 } from "../src/fair/hashing";
import { facesKnown } from "../src/fair/pools";
import { neverAnswered } from "../src/fair/remembering";
import { publicKey } from "../src/fair/signing";
import { Witnesses } from "../src/fair/witnesses";
import { answer, answered, offersOf, rememberCall, rememberOffers, settleCall } from "../src/net/device";
import { rememberTable } from "../src/net/tokens";
import type { LogEvent } from "../src/state/types";

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
  const { problems, replaced, replacedUnsigned } = await checkLog(LOGS.find(({ name }) => name === "keys")!.log);
  expect([problems, replaced, replacedUnsigned]).toEqual([[], 1, 1]);
});

test("a long check goes on in slices and can be stopped; how far it is and what is left is told", async () => {
  const { log } = LOGS.find(({ name }) => name === "given_up")!;
  let [others, now] = [0, 0];
  vi.spyOn(performance, "now").mockImplementation(() => (now += 25)); // two events a slice, on every machine
  const other = setInterval(() => (others += 1));
  const stop = new AbortController();
  const shares: [number, number][] = [];
  const told = (share: number, signatures: number): void => {
    shares.push([share, signatures]);
    if (share > 0.5) stop.abort();
  };
  const { problems, left, events, signatures } = await checkLog(log, { told, signal: stop.signal });
  clearInterval(other);
  expect(problems).toEqual([]);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(events / 2);
  expect(shares[0]![0]).toBeGreaterThan(0);
  expect(shares[0]![0]).toBeLessThan(shares.at(-1)![0]);
  expect(signatures).toBe(shares.at(-1)![1]);
  expect(signatures).toBeGreaterThan(0);
  expect(others).toBeGreaterThan(0);
});

test("a witness tells a number once, whatever asks for it", () => {
  rememberOffers("t", { one: "1", two: "2" });
  expect(answer("t", 7, "one")).toBe("1");
  expect(answer("t", 9, "one")).toBeUndefined();
  expect(answer("t", 7, "two")).toBeUndefined();
  expect([answered("t"), offersOf("t")]).toEqual([[7], { two: "2" }]);
});

test("a browser counts the calls that nobody answered, whatever fills the gap in the log", () => {
  const { table, events } = LOGS.find(({ name }) => name === "keys")!.log;
  const seed = base64url(sha256(utf8("device key of s2")));
  const key = publicKey(seed);
  const never = (whose: string, some = events): number => neverAnswered(table, whose, some);
  rememberTable(table, { seed });
  expect(never("s2")).toBe(0);
  rememberCall(table, key, "d2", 1, "00".repeat(32));
  expect([never("s2"), never("s3"), never("everybody")]).toEqual([1, 0, 0]);
  expect(never("s2", events.slice(0, 6))).toBe(0); // an older copy: the call may have come later
  settleCall(table, key, "d2", 1, null);
  expect(never("s2")).toBe(1);
  settleCall(table, key, "d2", 1, 5);
  expect(never("s2")).toBe(0);
  rememberCall(table, key, "d2", 1, "00".repeat(32), true);
  expect(never("s2")).toBe(0);
  rememberCall(table, key, "d2", 2, "00".repeat(32));
  expect(never("s2")).toBe(0);
});

test("twice as long a log takes twice the work, whatever is ready of whoever rolls", async () => {
  const looked = async (times: number): Promise<number> => {
    let looks = 0;
    const wasHere = (): boolean => ((looks += 1), false);
    const people = { head: 9999, isWhole: true, hadWitnesses: () => true, wasHere } as unknown as People;
    const witnesses = new Witnesses(people, {} as Report);
    const hash = (number: number): string => number.toString(16).padStart(64, "0");
    for (let number = 0; number < times; number++) {
      const event = { seq: number + 1, open: {} } as unknown as LogEvent;
      witnesses.offer(event, { by: "s3", commitments: [hash(number)] }, () => {});
      witnesses.call(event, { seq: number + 1, by: "s2", seen: null }, () => {});
    }
    return looks;
  };
  expect(await looked(200)).toBe(2 * (await looked(100)));
});

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const TEXT = JSON.stringify(LOG);

test.each([
  ["beside the events", TEXT.replace('"events":', `"beside":${DEEP},"events":`), "not a log"],
  ["beside an event", TEXT.replace('"seq":2', `"seq":2,"beside":${DEEP}`), "not a log"],
  ["in the place of an event", TEXT.replace('"events":[', `"events":[${DEEP},`), "not a log"],
  ["in a text", TEXT.replace('"texts":{', `"texts":{"t9":${DEEP},`), "not a log"],
  ["in what everybody sees", TEXT.replace('"open":{', `"open":{"beside":${DEEP},`), "malformed event"],
  ["in a body", TEXT.replace('"body":{', `"body":{"beside":${DEEP},`), "malformed event"],
])("what lies deep %s is told", async (_, text, fault) => {
  const { problems } = await checkLog(parsed(text));
  expect(problems[0]?.fault).toBe(fault);
});

test.each([
  ["quotes that never end", `"${'\\"'.repeat(1_000_000)}`],
  ["a text that never ends", `"${"\\\\".repeat(1_000_000)}\\`],
  ["a number without end", `${"1".repeat(1_000_000)}x`],
  ["a word without end", `${"N".repeat(1_000_000)}`],
  ["two points", "1.5.5"],
  ["a number and a word", "1NaN"],
])("%s: that is no JSON, and is read once", (_, text) => expect(() => parsed(text)).toThrow());

test("a mark at the beginning of a file is no part of it", () => {
  expect(parsed(decoded(new Uint8Array([0xef, 0xbb, 0xbf, 0x37]).buffer))).toBe(7);
});

test("whom a secret of nothing asks is found at once, however many numbers are ready", () => {
  const looked = (times: number): number => {
    let looks = 0;
    const isHereSince = (): boolean => ((looks += 1), true);
    const people = { isWhole: true, mayHaveWitnesses: () => true, isHereSince } as unknown as People;
    const witnesses = new Witnesses(people, {} as Report);
    const hash = (number: number): string => number.toString(16).padStart(64, "0");
    const ready = { by: "s3", commitments: Array.from({ length: times }, (_, number) => hash(number)) };
    witnesses.offer({ seq: 1 } as LogEvent, ready, () => {});
    const open = { witness: { seat: "s3", offer: hash(times - 1) } };
    for (let seq = 2; seq < times; seq++)
      witnesses.withhold({ seq, kind: "sealed", open } as unknown as LogEvent, () => {});
    return looks;
  };
  expect(looked(200)).toBeLessThan(2.3 * looked(100));
});
