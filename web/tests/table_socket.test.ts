// The line to a table: what is silent is given up, and what was sent is sent again as it was, until it is answered.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TableSocket, type SocketListener } from "../src/net/table_socket";

/** A socket whose other end is this test. */
class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = Socket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly said: Record<string, unknown>[] = [];
  constructor() {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.said.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** What the page has asked to be done. */
  get commands(): Record<string, unknown>[] {
    return this.said.flatMap(({ command }) => (command ? [command as Record<string, unknown>] : []));
  }
}

const newest = (): Socket => Socket.all.at(-1)!;
/** The server takes the call, and lets the page in. */
function welcome(): Socket {
  const socket = newest();
  socket.onopen?.();
  socket.tell({ welcome: { head: 0, hash: "", protocol: 3 } });
  return socket;
}
const heard = (more: Partial<SocketListener> = {}): SocketListener => ({
  after: () => ({ after: null, hash: "" }),
  welcome: () => undefined,
  events: () => undefined,
  present: () => undefined,
  isCall: () => false,
  ready: () => Promise.reject(new Error("nothing is called for")),
  settled: () => false,
  bye: () => undefined,
  withNames: (message) => message,
  refused: () => undefined,
  ...more,
});

let line: TableSocket;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  localStorage.clear();
  Socket.all = [];
  line = new TableSocket("table", "token", heard());
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
});

test("a server that says nothing is given up, and called again", () => {
  welcome();
  expect(line.standing.value).toBe("open");
  vi.advanceTimersByTime(20_000); // a ping
  expect(newest().said.at(-1)).toHaveProperty("ping");
  vi.advanceTimersByTime(7_999);
  expect(line.standing.value).toBe("open");
  vi.advanceTimersByTime(1);
  expect(line.standing.value).not.toBe("open");
  vi.advanceTimersByTime(15_000 * 1.5);
  expect(Socket.all.length).toBeGreaterThan(1);
  welcome();
  expect(line.standing.value).toBe("open");
});

test("an answer to a ping keeps the line", () => {
  welcome();
  for (let minute = 0; minute < 3; minute += 1) {
    vi.advanceTimersByTime(20_000);
    newest().tell({ pong: 1 });
  }
  expect(line.standing.value).toBe("open");
  expect(Socket.all).toHaveLength(1);
});

test("what was sent and not answered is sent again on the next line, as it was, and once", async () => {
  const done = line.send({ do: "chat.send", text: "I push!" });
  expect(line.unsent.value).toBe(1);
  const first = welcome();
  expect(first.commands).toHaveLength(1);
  first.onclose?.();
  vi.advanceTimersByTime(15_000 * 1.5);
  const second = welcome();
  expect(second).not.toBe(first);
  expect(second.commands).toEqual(first.commands);
  const { id } = second.commands[0]!;
  second.tell({ ack: { id, ok: true, first: 1, last: 1 } });
  expect(await done).toMatchObject({ id, ok: true });
  expect(line.unsent.value).toBe(0);
});

test("commands go out in the order in which they were given", () => {
  for (const text of ["one", "two", "three"]) void line.send({ do: "chat.send", text });
  expect(welcome().commands.map(({ text }) => text)).toEqual(["one", "two", "three"]);
});

test("a refusal that may pass is tried again, later each time; any other is told", async () => {
  const refused = line.send({ do: "chat.send", text: "now" }).catch((problem: Error) => problem);
  const socket = welcome();
  const { id } = socket.commands[0]!;
  socket.tell({ ack: { id, ok: false, error: { code: "too_many", message: "wait", wait: 5_000 } } });
  vi.advanceTimersByTime(4_999);
  expect(socket.commands).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(socket.commands).toHaveLength(2);
  expect(socket.commands[1]).toEqual(socket.commands[0]);
  socket.tell({ ack: { id, ok: false, error: { code: "forbidden", message: "not yours" } } });
  expect(await refused).toMatchObject({ message: "not yours" });
  expect(line.unsent.value).toBe(0);
});

test("what never left can be taken back, and whoever waits for it is told", async () => {
  const taken = line.send({ do: "chat.send", text: "never mind" }).catch((problem: Error) => problem);
  expect(line.unheard.value).toBe(1);
  line.takeBack("it was taken back");
  expect(await taken).toMatchObject({ message: "it was taken back" });
  expect(welcome().commands).toEqual([]);
});

test("what waits outlives the page: another line of the same browser sends it", () => {
  void line.send({ do: "chat.send", text: "from before" }).catch(() => undefined);
  line.close();
  line = new TableSocket("table", "token", heard());
  expect(line.unsent.value).toBe(1);
  expect(welcome().commands.map(({ text }) => text)).toEqual(["from before"]);
});

/** A line whose commands are signed: every call has a number that no other has. */
let made = 0;
const signing = (more: Partial<SocketListener> = {}): SocketListener =>
  heard({
    isCall: () => true,
    ready: ({ id }) => Promise.resolve({ id, call: { number: `number ${(made += 1)}` }, texts: {} } as never),
    ...more,
  });
const called = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);

test("a call without an answer is sent again as it was signed, on a page loaded anew too", async () => {
  line.close();
  line = new TableSocket("table", "token", signing());
  const first = welcome();
  void line.send({ do: "roll.start", expression: "2d6" }).catch(() => undefined);
  await called();
  const [call] = first.commands;
  expect(call).toHaveProperty("call.number");
  first.onclose?.();
  vi.advanceTimersByTime(15_000 * 1.5);
  expect(welcome().commands).toEqual([call]);
  line.close();
  line = new TableSocket("table", "token", signing());
  expect(welcome().commands).toEqual([call]);
});

test("where the dice of another call fell first, one more is signed in its place", async () => {
  const isLate = (_: unknown, answer: unknown): boolean => JSON.stringify(answer).includes("stale_slot");
  line.close();
  line = new TableSocket("table", "token", signing({ settled: isLate }));
  const socket = welcome();
  const done = line.send({ do: "roll.start", expression: "2d6" });
  await called();
  const error = { code: "stale_slot", message: "somebody was quicker" };
  socket.tell({ ack: { id: socket.commands[0]!.id, ok: false, error, first: 7, last: 7 } });
  await called();
  const [late, anew] = socket.commands;
  expect(anew!.id).not.toBe(late!.id);
  expect(anew!.call).not.toEqual(late!.call);
  socket.tell({ ack: { id: anew!.id, ok: true, first: 8, last: 9 } });
  expect(await done).toMatchObject({ ok: true, first: 8 });
});
