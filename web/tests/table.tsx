// A table as a real server told of it: drawn whole, without server, socket or browser.
import { type ComponentType, render } from "preact";
import { vi } from "vitest";
import { settled } from "./dom";

type Answer = { ask: string; body: unknown; status: number; answer: unknown };
type Step = { frames: Record<string, unknown>[]; answers: number[] };
type Recording = { answers: Answer[]; told: Record<string, Step[]> };

const RECORDINGS = import.meta.glob<Recording>("./recorded/*.json", { import: "default" });
const GAMES = import.meta.glob<unknown>("./recorded/games/*.json", { import: "default" });
const WORDS = import.meta.glob<Record<string, never>>("../src/i18n/en_*.ts");
/** What a page fetches when it is needed: here all of it is at hand. */
const PARTS = import.meta.glob("../src/{app,table,sheets,panel,form,dice,screens,justroll}/*.tsx");
const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };
const PATIENCE = 60_000;
/** Milliseconds after which no page writes into its address any more. */
const RESTED = 250;

async function loaded<T>(all: Record<string, () => Promise<T>>, name: string): Promise<T> {
  const found = all[`./recorded/${name}.json`];
  if (!found) throw new Error(`there is no recording of ${name}: ./dev run tests.page.recorded ${name}`);
  return structuredClone(await found());
}

/** What a game says of itself in a language, or in English where that is not recorded: as if it spoke no other. */
const gameIn = (game: string, code: string): string =>
  `./recorded/games/${game}.${code}.json` in GAMES ? `games/${game}.${code}` : `games/${game}.en`;

/** Two questions are the same whichever number they have, and whatever form is known already. */
const alike = (body: unknown): string => {
  if (!body || typeof body !== "object") return "";
  const { n, hash, ...rest } = body as Record<string, unknown>;
  return JSON.stringify(sorted(rest));
};
const sorted = (part: unknown): unknown =>
  Array.isArray(part)
    ? part.map(sorted)
    : part && typeof part === "object"
      ? Object.fromEntries(
          Object.entries(part)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sorted(one)]),
        )
      : part;

/** A form that is known already is not sent again: whoever does not know it gets it from an earlier answer. */
const isWhole = (answer: unknown, body: unknown): boolean => {
  const { form, hash } = answer as Record<string, unknown>;
  return form !== null || (body as Record<string, unknown> | null)?.hash === hash;
};

/** Somebody at a table of a recorded story. */
export class Looker {
  /** The commands that the page has sent. */
  readonly sent: Record<string, unknown>[] = [];
  /** What the page has asked of the server. */
  readonly asked: string[] = [];
  /** Questions that nobody asked when this was recorded: they stay without an answer. */
  readonly unanswered: string[] = [];
  /** The same, with what was said of it. */
  readonly questions: { ask: string; body: unknown }[] = [];
  /** Which questions reach nobody. */
  cut: (ask: string) => boolean = () => false;
  private socket: FakeSocket | null = null;
  private step = 0;
  private pending = 0;

  constructor(
    private readonly recording: Recording,
    private readonly who: string,
  ) {}

  private get steps(): Step[] {
    const steps = this.recording.told[this.who];
    if (!steps) throw new Error(`${this.who} does not look on`);
    return steps;
  }

  /** Every message of the socket up to this step. */
  get heard(): string {
    return JSON.stringify(this.steps.slice(0, this.step + 1).map(({ frames }) => frames));
  }

  /** Has the server answer otherwise than it did. */
  change(ask: string, change: (answer: Record<string, unknown>) => void): void {
    for (const one of this.recording.answers) if (one.ask === ask) change(one.answer as Record<string, unknown>);
  }

  /** Has nobody answer a question. */
  forget(end: string): void {
    for (const one of this.recording.answers) if (one.ask.endsWith(end)) one.ask = "";
  }

  /** Has the server tell all of it otherwise than it did. */
  retell(change: (told: unknown) => unknown): void {
    this.recording.told = change(this.recording.told) as Recording["told"];
  }

  connect(socket: FakeSocket): void {
    this.socket = socket;
    queueMicrotask(() => socket.onopen?.());
  }

  /** What the page says. */
  hear(message: Record<string, unknown>): void {
    if ("hello" in message) queueMicrotask(() => this.tell(this.steps[0]!.frames));
    if ("command" in message) this.sent.push(message.command as Record<string, unknown>);
  }

  private tell(frames: Record<string, unknown>[]): void {
    for (const frame of frames) this.socket?.onmessage?.({ data: JSON.stringify(frame) });
  }

  /** The next step of the story; what was sent before it is done with it. */
  async next(): Promise<void> {
    this.step += 1;
    const { frames } = this.steps[this.step]!;
    const seqs = frames.flatMap(({ events }) => ((events as { seq: number }[]) ?? []).map(({ seq }) => seq));
    this.tell(frames);
    for (const { id } of this.sent)
      this.tell([{ ack: { id, ok: true, first: Math.min(...seqs), last: Math.max(...seqs) } }]);
    await this.rest();
  }

  /** What is asked in any step of the story is answered from now on. */
  skip(): void {
    this.step = this.steps.length - 1;
  }

  /** Has the server answer the newest command: it was done, or why not. */
  async settle(answer: Record<string, unknown> = { ok: true, first: null, last: null }): Promise<void> {
    this.tell([{ ack: { id: this.sent.at(-1)!.id, ...answer } }]);
    await this.rest();
  }

  /** Waits until all that was asked is answered, and drawn. */
  async rest(): Promise<void> {
    await settled();
    await until(() => this.pending === 0);
    await settled();
  }

  /** The answer to a question, as it was at this step or last before it; without one it waits for ever. */
  answer(ask: string, body: unknown): Promise<Response> {
    this.questions.push({ ask, body });
    if (this.cut(ask)) return Promise.reject(new TypeError("nobody is there"));
    this.pending += 1;
    this.asked.push(ask);
    const found = this.found(ask, body).finally(() => (this.pending -= 1));
    return found.then((response) => response ?? new Promise(() => undefined));
  }

  private async found(ask: string, body: unknown): Promise<Response | null> {
    const game = /^GET \/games\/(\w+)\?language=(\w+)$/.exec(ask);
    if (game) return Response.json(await loaded(GAMES, gameIn(game[1]!, game[2]!)));
    const known = this.steps
      .slice(0, this.step + 1)
      .flatMap(({ answers }) => answers.map((n) => this.recording.answers[n]!));
    const all = known.filter((one) => one.ask === ask && alike(one.body) === alike(body));
    const found = all.findLast((one) => isWhole(one.answer, body)) ?? all.at(-1);
    if (!found) {
      this.unanswered.push(`${ask} ${alike(body)}`);
      return null;
    }
    const answer = found.answer as Record<string, unknown>;
    const asked = body as Record<string, unknown> | null;
    return Response.json(asked && "n" in asked ? { ...answer, n: asked.n } : answer, { status: found.status });
  }
}

/** A socket that ends at whoever looks on. */
class FakeSocket {
  static readonly OPEN = 1;
  static looker: Looker;
  readonly readyState = FakeSocket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    FakeSocket.looker.connect(this);
  }
  send(text: string): void {
    FakeSocket.looker.hear(JSON.parse(text));
  }
  close(): void {}
}

interface How {
  readonly size?: { width: number; height: number };
  readonly language?: string;
  /** What this browser remembers from before, by its names. */
  readonly remembers?: Record<string, unknown>;
  /** What is done before the page hears anything. */
  readonly before?: (looker: Looker) => void;
  /** Another screen than that of the table. */
  readonly screen?: () => Promise<ComponentType>;
  /** Whether the browser remembers what was done in it before. */
  readonly keeps?: boolean;
}

/** A page that was never anywhere else, and somebody of whom a story is told. */
async function anew(story: string, who: string, how: How): Promise<Looker> {
  const { size = DESKTOP, language = "en", remembers = {}, before, keeps } = how;
  render(null, document.body);
  const looker = new Looker(await loaded(RECORDINGS, story), who);
  before?.(looker);
  FakeSocket.looker = looker;
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", (address: string, { method = "GET", body }: { method?: string; body?: string } = {}) =>
    looker.answer(`${method} ${address.replace(/^.*\/api\/v1/, "")}`, body ? JSON.parse(body) : null),
  );
  (window as unknown as { happyDOM: { setViewport: (size: object) => void } }).happyDOM.setViewport(size);
  // As in the browsers of most tests, dice lie at once: here nothing draws them in the air.
  (
    window as unknown as { happyDOM: { settings: { device: { prefersReducedMotion: string } } } }
  ).happyDOM.settings.device.prefersReducedMotion = "reduce";
  if (!keeps) localStorage.clear();
  sessionStorage.clear();
  vi.resetModules(); // a page that was never anywhere else
  await Promise.all(Object.values(PARTS).map((part) => part()));
  const { writeStored } = await import("../src/app/storage");
  for (const [name, held] of Object.entries(remembers)) writeStored(name, held);
  await everyWord(language);
  return looker;
}

/** Sits down where a story is told, and draws the table as the page does. */
export async function look(story: string, who: string, how: How = {}): Promise<Looker> {
  const looker = await anew(story, who, how);
  const { TableScreen } = await import("../src/screens/TableScreen");
  const Other = await how.screen?.();
  const { Live } = await import("../src/ui/announcer");
  render(
    <>
      {Other ? <Other /> : <TableScreen id="recordedtabl" token={"r".repeat(43)} />}
      <Live />
    </>,
    document.body,
  );
  await until(() => document.querySelector(".stage-pane, main:not(.loading)") !== null);
  await looker.rest();
  return looker;
}

/** Opens the page at an address without a table, as somebody did of whom a story is told. */
export async function visit(story: string, address: string, who: string, how: How = {}): Promise<Looker> {
  render(null, document.body);
  await new Promise((done) => setTimeout(done, RESTED)); // a page that was there before has written its address
  history.replaceState(null, "", address);
  const looker = await anew(story, who, how);
  looker.skip();
  const { App } = await import("../src/app/App");
  render(<App />, document.body);
  await until(() => document.querySelector(".loading, .justroll > .justroll-scroll > .skeleton") === null);
  await looker.rest();
  return looker;
}

/** Every word of all parts, for a page that was never anywhere else; it speaks this language. */
export async function everyWord(language = "en"): Promise<void> {
  const { bring, speak } = await import("../src/i18n");
  for (const words of await Promise.all(Object.values(WORDS).map((part) => part())))
    for (const one of Object.values(words)) bring(one);
  await speak(language);
}

/** Waits for what comes about by itself. */
export async function until(happened: () => boolean): Promise<void> {
  await settled();
  await vi.waitFor(
    async () => {
      await settled();
      const unanswered = FakeSocket.looker?.unanswered.join("\n");
      if (!happened()) throw new Error(`it did not come to pass; nobody answers\n${unanswered}`);
    },
    { timeout: PATIENCE, interval: 5 },
  );
}
