// What this browser signs, answers as a witness and protests against: what a host may try on the page itself.
import { signal } from "@preact/signals";
import { render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { base64url, unhex, utf8, hex } from "../src/fair/bytes";
import { callHash } from "../src/fair/calls";
import { sealOf } from "../src/fair/chain";
import { sha256 } from "../src/fair/hashing";
import { keyFrom } from "../src/fair/keys";
import { publicKey } from "../src/fair/signing";
import { offerOf } from "../src/fair/stream";
import { lastHead, rememberHead } from "../src/net/device";
import type { SignedCommand } from "../src/net/shapes";
import type { Sent, Wire } from "../src/net/table_socket";
import { knownTable, rememberTable } from "../src/net/tokens";
import { JoinScreen } from "../src/screens/JoinScreen";
import { Caller } from "../src/state/calling";
import type { Table } from "../src/state/table";
import type { LogEvent } from "../src/state/types";
import { FacesEntry } from "../src/table/FacesEntry";
import { Protests } from "../src/table/Protests";
import { within } from "@testing-library/dom";
import { all, one, page, settled, user } from "./dom";
import { look, until } from "./table";

/** Another table for every test: an open page remembers what it signed at each. */
let TABLE = "";
let tables = 0;
const SEED = base64url(sha256(utf8("a device")));
const KEY = publicKey(SEED);
const hash = (n: number): string => n.toString(16).padStart(64, "0");
const EPOCH = hash(1);
type Told = Record<string, unknown>;

/** A table as its signer knows it: Bo's seat, with the device of this browser; what it sends is kept. */
function seated(fair: Told = {}) {
  const sent: Told[] = [];
  const devices = [{ id: "d2", seat: "s2", key: KEY, counter: 4, quiet: 7 }];
  return {
    sent,
    id: TABLE,
    me: signal({ seat: "s2", role: "player", status: "here" }),
    isPlaying: signal(true),
    isReferee: signal(false),
    devices: signal(devices),
    last: { seq: 9, hash: hash(9) },
    world: signal({ asks: [] as Told[] }),
    fair: { epoch: EPOCH, slots: { d2: hash(20), table: hash(21) }, devices, witnesses: false, offers: {}, ...fair },
    known: () => [],
    event: () => undefined,
    epochAt: () => EPOCH,
    roll: (id: string) => ({ r1: { silent: true, revealed: false } })[id],
    get: () => Promise.reject(new Error("nobody asks")),
    send: (command: Told) => (sent.push(command), Promise.resolve()),
  };
}
const signer = (table = seated()): Caller => new Caller(table as unknown as Table);
type Texts = Record<string, { salt: string; text: string }>;
const signed = (caller: Caller, command: Told): SignedCommand & { texts: Texts } => {
  const wire = caller.ready({ id: "one", ...command } as unknown as Sent) as Extract<Wire, { call: SignedCommand }>;
  return { ...wire.call, texts: wire.texts as Texts };
};
const event = (seq: number, kind: string, body: Told, open: Told = {}): LogEvent =>
  ({ seq, kind, body, open, hash: hash(seq) }) as unknown as LogEvent;
const roll = { do: "roll.start", expression: "2d6" };

beforeEach(() => {
  TABLE = `table${(tables += 1)}`;
  rememberTable(TABLE, { seed: SEED, token: "t".repeat(43) });
});

test.each([
  ["of the browser", true],
  ["of the page, where there is no TLS", false],
])("a call names its seat, lane, count and slot, and its signature fits, with the cryptography %s", (_, secure) => {
  if (!secure) vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const { texts, ...call } = signed(signer(), roll);
  vi.unstubAllGlobals();
  expect(call).toMatchObject({ device: "d2", lane: "d2", counter: 5, seen: 9, slot: hash(20), command: roll });
  expect(call.head).toBe(hash(9).slice(0, 32));
  expect(keyFrom(KEY)!.fits(callHash(TABLE, EPOCH, "s2", call), unhex(call.signature!))).toBe(true);
  expect(keyFrom(KEY)!.fits(callHash(TABLE, EPOCH, "s3", call), unhex(call.signature!))).toBe(false);
});

test("no count is used twice, also after the page was loaded anew", () => {
  const first = signer();
  expect([signed(first, roll).counter, signed(first, roll).counter]).toEqual([5, 6]);
  expect(signed(signer(), roll).counter).toBe(7);
});

test("a roll that nobody is told of has a count of its own: a gap in the other would tell of it", () => {
  const caller = signer();
  const quiet = signed(caller, { ...roll, visibility: "private", announce: false });
  expect([quiet.lane, quiet.counter, quiet.slot]).toEqual(["table", 8, hash(21)]);
  expect(signed(caller, { do: "roll.choose", roll: "r1", number: 0 })).toMatchObject({ lane: "table", counter: 9 });
  expect(signed(caller, roll)).toMatchObject({ lane: "d2", counter: 5 });
});

test("what is written to a roll is signed as a seal; the words stand beside the call", () => {
  const { texts, command } = signed(signer(), { ...roll, note: " for luck " });
  const [[seal, { salt, text }]] = Object.entries(texts) as [[string, Texts[string]]];
  expect(command).toEqual({ ...roll, note: { seal } });
  expect([text, sealOf(salt, text)]).toEqual(["for luck", seal]);
});

test("nothing is rolled unsigned where the host left the key out of the log", () => {
  const caller = signer(seated({ devices: [] }));
  expect(() => signed(caller, roll)).toThrow("This browser rolls nothing unsigned");
});

test("a browser that signs nothing sends a number of its own; one without the key of its seat says what to do", () => {
  rememberTable(TABLE, { seed: undefined });
  const wire = signer(seated({ devices: [] })).ready({ id: "one", ...roll } as unknown as Sent);
  expect(wire).toMatchObject({ ...roll, nonce: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(() => signed(signer(), roll)).toThrow("ask a referee for a “link for another device”");
});

test("a call that another was quicker than is made anew; one that the rules refuse is not", () => {
  const caller = signer();
  const refused = (code: string, first: number | null) => {
    const wire = caller.ready({ id: "one", ...roll } as unknown as Sent);
    return caller.settled(wire, { id: "one", ok: false, error: { code, message: "" }, first, last: first } as never);
  };
  expect(refused("stale_slot", 10)).toBe(true);
  expect(refused("changed", 10)).toBe(false);
  expect(refused("stale_counter", null)).toBe(false);
  const wire = caller.ready({ id: "one", ...roll } as unknown as Sent);
  signed(signer(), roll); // another tab of this browser
  const stale = { id: "one", ok: false, error: { code: "stale_counter", message: "" } };
  expect(caller.settled(wire, stale as never)).toBe(true);
});

/** Somebody who is ready as a witness, and was asked for a number in event 12. */
function asked() {
  const table = seated({ witnesses: true });
  const caller = signer(table);
  caller.begin(9);
  const [{ commitments }] = table.sent as [{ commitments: string[] }];
  table.fair.offers = Object.fromEntries(commitments.map((offer) => [offer, "s2"]));
  const offer = commitments[0]!;
  caller.hear([event(12, "roll.started", { by: "s1" }, { witness: { seat: "s2", offer } })]);
  return { table, caller, offer, commitments };
}

test("a witness has numbers ready, and tells the one that dice wait for without anybody pressing anything", () => {
  const { table, offer, commitments } = asked();
  expect(commitments).toHaveLength(6);
  expect(table.sent.map((one) => one.do)).toEqual(["witness.commit", "witness.reveal"]);
  const [, { asked: at, number }] = table.sent as [Told, { asked: number; number: string }];
  expect([at, hex(offerOf(unhex(number)))]).toEqual([12, offer]);
});

test("where dice wait for nobody, no number is made", () => {
  const table = seated();
  signer(table).begin(9);
  expect(table.sent).toEqual([]);
});

const protests = (caller: Caller): unknown[] => caller.protests.value.map(({ what, seq }) => [what, seq]);

test("a witness who had answered protests against a host that says they were silent", () => {
  const { caller } = asked();
  caller.hear([event(13, "witness.timed_out", { asked: 12, seat: "s2" })]);
  expect(protests(caller)).toEqual([["passed", 13]]);
});

test("one who had not answered was silent", () => {
  const caller = signer();
  caller.hear([event(13, "witness.timed_out", { asked: 12, seat: "s2" })]);
  expect(protests(caller)).toEqual([]);
});

test("a call in the name of this device that it never signed is protested against; its own is not", () => {
  const caller = signer();
  const { texts, ...call } = signed(caller, roll);
  caller.hear([event(10, "roll.started", { by: "s2", call })]);
  expect(protests(caller)).toEqual([]);
  caller.hear([event(11, "roll.started", { by: "s2", call: { ...call, number: "0".repeat(64) } })]);
  expect(protests(caller)).toEqual([["unsigned", 11]]);
});

test("what another tab had seen comes as it was, or the log was rewritten", () => {
  const back = (seen: string): unknown[] => {
    rememberHead(TABLE, { seq: 11, hash: seen });
    const table = seated();
    const caller = signer(table);
    for (const seq of [10, 11]) {
      table.last = { seq, hash: hash(seq) };
      caller.hear([event(seq, "said", {})]);
      if (seq === 10) expect(lastHead(TABLE)).toEqual({ seq: 11, hash: seen });
    }
    return [protests(caller), lastHead(TABLE)];
  };
  expect(back(hash(11))).toEqual([[], { seq: 11, hash: hash(11) }]);
  expect(back(hash(0))).toEqual([[["rewritten", 11]], { seq: 11, hash: hash(11) }]);
});

test("a log without the head that this browser had seen was rewritten", async () => {
  rememberHead(TABLE, { seq: 9, hash: hash(9) });
  const same = signer();
  same.begin(9);
  await settled();
  expect(protests(same)).toEqual([]);
  rememberHead(TABLE, { seq: 9, hash: hash(0) });
  const caller = signer();
  caller.begin(9);
  await settled();
  expect(protests(caller)).toEqual([["rewritten", 9]]);
});

test("what another tab has seen while this one had no line is asked for, and is no protest", async () => {
  const back = async (told: string, end: number): Promise<unknown[]> => {
    localStorage.clear();
    rememberHead(TABLE, { seq: 11, hash: hash(11) });
    const asked: string[] = [];
    const get = (path: string) => (asked.push(path), Promise.resolve({ events: [{ seq: 11, hash: told }] }));
    const caller = signer({ ...seated(), get: get as never });
    caller.begin(end);
    await settled();
    return [asked, protests(caller), lastHead(TABLE)?.seq];
  };
  const asks = ["/events?after=10&limit=1"];
  expect(await back(hash(11), 12)).toEqual([asks, [], 11]);
  expect(await back(hash(0), 12)).toEqual([asks, [["rewritten", 11]], 9]);
  expect(await back(hash(11), 10)).toEqual([[], [["rewritten", 11]], 9]);
});

test("a slot that is replaced without a call of this device is told", () => {
  const caller = signer();
  caller.hear([event(10, "roll.started", { by: "s1" }, { slots: { d2: hash(30) } })]);
  expect(protests(caller)).toEqual([["replaced", 10]]);
});

test("a device that nobody of the seat asked for is told; one that this device asked for is not", () => {
  const caller = signer();
  const moved = { by: "s2", seat: "s2", keep_old: true, device: { id: "d9", key: "ab".repeat(32) } };
  const { texts, ...call } = signed(caller, { do: "seat.move", keep_old: true });
  caller.hear([event(10, "seat.moved", { ...moved, call })]);
  expect(protests(caller)).toEqual([]);
  caller.hear([event(11, "seat.moved", { ...moved, by: "s1" })]);
  expect(protests(caller)).toEqual([["seated", 11]]);
});

test("what a device protests against stands above all else until somebody has seen it", async () => {
  const table = seated();
  const caller = signer(table);
  caller.protests.value = (["unsigned", "rewritten", "passed", "seated"] as const).map((what, n) => ({ what, seq: n }));
  render(<Protests table={table as unknown as Table} caller={caller} />, document.body);
  await settled();
  const said = all("li", page().getByRole("alert")).map((one) => one.textContent);
  expect(said[0]).toContain("Event 0 is in your name, but this browser never signed it");
  expect(said[1]).toContain("event 1, and the log has another in its place");
  expect(said[2]).toContain("Your device told its number as a witness");
  expect(said[3]).toContain("lets another device sign for you");
  await user.click(page().getByRole("button", { name: "I have seen this" }));
  await settled();
  expect(page().queryByRole("alert")).toBeNull();
});

test("a browser without the key of its seat says so, and what can be done", async () => {
  rememberTable(TABLE, { seed: undefined });
  const table = seated();
  render(<Protests table={table as unknown as Table} caller={signer(table)} />, document.body);
  await settled();
  const told = page().getByRole("status").textContent;
  expect(told).toContain("This browser cannot sign for you");
  expect(told).toContain("ask a referee for a “link for another device”");
});

test("whoever sits down at two tables has a key of their own for each: nobody can tell that they are one", async () => {
  const keys: Record<string, string> = {};
  vi.stubGlobal("fetch", (address: string, { body = "{}" }: { body?: string } = {}) => {
    const at = /tables\/(\w+)\/join$/.exec(address)?.[1];
    if (at) keys[at] = JSON.parse(body).key;
    return Promise.resolve(Response.json({ seat: "s2", games: [] }));
  });
  const link = { token: "l".repeat(43), role: "player", title: "", game: "", host: "Rosa" } as const;
  for (const table of ["first", "second"]) {
    const joined = vi.fn();
    render(<JoinScreen key={table} table={table} link={link} onJoined={joined} />, document.body);
    await settled();
    await user.clear(page().getByLabelText("Your name"));
    await user.type(page().getByLabelText("Your name"), "Bo");
    await user.click(page().getByRole("button", { name: "Sit down" }));
    await vi.waitFor(() => expect(joined).toHaveBeenCalled());
    expect(keys[table]).toBe(publicKey(knownTable(table)!.seed!));
  }
  expect(keys.first).not.toBe(keys.second);
  vi.unstubAllGlobals();
});

test("dice that wait for a witness say for whom", async () => {
  const after = { step: "throw", by: "s1", witness: "s2", dice: ["d6"] };
  const table = { nameOf: () => "Bo" };
  const shown = { roll: { by: "s1" }, after, table, may: true };
  render(<FacesEntry {...(shown as unknown as Parameters<typeof FacesEntry>[0])} />, document.body);
  await settled();
  expect(page().getByRole("status").textContent).toContain("Waiting for Bo's device, as a witness");
});

test("what was changed just before is told to whoever meant to roll by it", async () => {
  const bo = await look("push", "bo");
  await until(() => all(".stage-pane .option-worth").length === 2);
  await user.click(within(one(".stage-pane .options")).getByRole("button", { name: /^Keep/ }));
  await settled();
  const message = "the sheet or the house rules changed just before; nothing was rolled. Look, and roll again";
  await bo.settle({ ok: false, error: { code: "changed", message } });
  await until(() => all(".toast").some(({ textContent }) => textContent!.includes("nothing was rolled")));
});
