// Check a log or a roll, all of it here in the browser: hashes, promises, dice, and the rules by its own Python; it
// says what was checked.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { route } from "../app/routes";
import { verifyLog, notALog, type LogReport } from "../fair/verify_log";
import { decodeUtf8, parseJson } from "../fair/json";
import { neverAnswered, compareMemory } from "../fair/device_memory";
import { Ask, Going } from "../fair/ReplayProgress";
import { useReplay, type ReplayState, type ReplayRun } from "../fair/replay";
import { headWords } from "../fair/head_words";
import type { LogEvent } from "../state/types";
import { OfflineError, file } from "../net/http";
import type { VerifyAnswer } from "../net/shapes";
import { knownTables, type KnownTable } from "../net/tokens";
import type { Protest } from "../state/calling";
import { Icon, type IconName } from "../ui/icons";
import { announce } from "../ui/announcer";
import { bring, maybe, t, type Key } from "../i18n";
import { en_checking } from "../i18n/en_checking";
import { loadGames } from "../state/games";
import { aboutTable, titleOf } from "./known_tables";

bring(en_checking);

/** How the part of a link that holds a roll begins. */
const LINK = "roll:";
const COMMAND = "rollwright verify log.json";
/** Bytes of a log; a server writes half as many by default. */
const LARGEST = 2 ** 28;
type State =
  | { at: "idle" }
  | { at: "busy"; share: number; signatures: number }
  | { at: "wrong"; text: string }
  | { at: "log"; report: LogReport; protests: Protest[] }
  | { at: "roll" };

export default function VerifyScreen(): JSX.Element {
  const [state, setState] = useState<State>({ at: "idle" });
  const replay = useReplay();
  const tables = Object.entries(knownTables())
    .filter(([, about]) => about.token)
    .sort(([, a], [, b]) => b.at - a.at);
  const wanted = route.value.token;

  const stopping = useRef(new AbortController());
  const check = async (file: Blob): Promise<void> => {
    if (file.size > LARGEST) return setState({ at: "wrong", text: t("verify.large") });
    let plain: unknown;
    try {
      plain = parseJson(decodeUtf8(await file.arrayBuffer()));
    } catch {
      return setState({ at: "wrong", text: t("verify.notjson") });
    }
    if (plain !== null && typeof plain === "object" && "events" in plain) return checkWhole(plain);
    checkRoll({ transcript: rollIn(plain) });
  };
  /** A roll outside a log: the rules are all there is to check. */
  const checkRoll = (question: object): void => {
    setState({ at: "roll" });
    void replay.begin(question);
  };
  const checkWhole = async (log: object): Promise<void> => {
    replay.forget();
    stopping.current.abort();
    const { signal } = (stopping.current = new AbortController());
    setState({ at: "busy", share: 0, signatures: 0 });
    const told = (share: number, signatures: number): void => setState({ at: "busy", share, signatures });
    const report = await verifyLog(log, { told, signal });
    const protests = remembersOf(log, report);
    report.unanswered = Math.max(report.unanswered, lostOf(log, report));
    if (notALog(log) && !report.beyond) {
      setState({ at: "log", report, protests });
      return announce(t("verify.bad"));
    }
    setState({ at: "log", report, protests });
    announce(t(headline(report, protests, await replay.begin({ log: { ...log, handover: undefined } }))));
  };
  const pick = (input: HTMLInputElement): void => {
    if (input.files?.[0]) void check(input.files[0]);
    input.value = ""; // so that the same file can be checked again
  };
  const fetchTable = async (id: string, about: KnownTable): Promise<void> => {
    setState({ at: "busy", share: 0, signatures: 0 });
    try {
      await check(await file(`/tables/${id}/log.json`, { token: about.token }));
    } catch (problem) {
      setState({ at: "wrong", text: problem instanceof OfflineError ? t("problem.away") : (problem as Error).message });
    }
  };
  useEffect(() => void loadGames().catch(() => {}), []);
  useEffect(() => {
    if (wanted.startsWith(LINK)) return checkRoll({ link: wanted });
    const found = tables.find(([id]) => id === wanted);
    if (found) void fetchTable(...found);
  }, [wanted]);

  return (
    <div class="verify stack">
      <header class="stack close">
        <h1>{t("verify.title")}</h1>
        <p class="lead">{t("verify.lead")}</p>
      </header>
      <div class="verify-choose">
        <label class="drop">
          <Icon name="download" size={32} />
          <span>
            <strong>{t("verify.file")}</strong>
            <br />
            <span class="small soft">{t("verify.file.about")}</span>
          </span>
          <input type="file" accept=".json,application/json" onChange={(event) => pick(event.currentTarget)} />
        </label>
        {tables.length > 0 && (
          <section class="panel">
            <header>
              <h2>{t("start.yours")}</h2>
            </header>
            <div class="menu-list yours">
              {tables.slice(0, 6).map(([id, about]) => (
                <button key={id} class="button" onClick={() => void fetchTable(id, about)}>
                  <Icon name="table" />
                  <span class="grow">
                    <strong>{titleOf(about)}</strong>
                    <span class="small soft">{aboutTable(about)}</span>
                  </span>
                </button>
              ))}
            </div>
          </section>
        )}
      </div>
      <div aria-live="polite">
        {state.at === "busy" && (
          <div class="notice">
            <Icon name="hourglass" />
            <p class="grow">{t("verify.busy", { share: Math.round(100 * state.share), n: state.signatures })}</p>
            <button type="button" class="button quiet" onClick={() => stopping.current.abort()}>
              <Icon name="cross" size={18} />
              {t("verify.stop")}
            </button>
          </div>
        )}
        {state.at === "wrong" && (
          <p class="notice bad" role="alert">
            <Icon name="warn" />
            {state.text}
          </p>
        )}
        {state.at === "roll" && <OneRoll replay={replay} />}
      </div>
      {state.at === "log" && <Result report={state.report} protests={state.protests} replay={replay} />}
      <Explained />
    </div>
  );
}

/** The roll in what `roll --json` printed, or what was saved alone. */
const rollIn = (plain: unknown): unknown =>
  plain !== null && typeof plain === "object" && "transcript" in plain ? plain.transcript : plain;

/** A saved roll, or that in a link, by its rules. */
function OneRoll({ replay }: { replay: ReplayRun }): JSX.Element {
  const state = replay.state.value;
  if (state.at === "going" || state.at === "idle")
    return (
      <div class="notice">
        <Icon name="hourglass" />
        <div class="grow">
          <Going replay={replay} />
        </div>
      </div>
    );
  if (state.at !== "found")
    return (
      <div class="notice">
        <Icon name="info" />
        <div class="stack close">
          <p>{t("verify.noreplay", { why: whyNot(state) })}</p>
          <div class="row">
            <Ask onAsk={replay.again} />
          </div>
        </div>
      </div>
    );
  const { true: good, told, said, problem = "" } = state.answer;
  if (good === null)
    return (
      <p class="notice">
        <Icon name="info" />
        {t("verify.noreplay", { why: problem })}
      </p>
    );
  return (
    <p class={`notice ${good ? "" : "bad"}`}>
      <Icon name={good ? "seal" : "warn"} />
      <span>
        <strong>{t(good ? "verify.roll.good" : "verify.roll.bad")}</strong> {said?.join(" ") ?? told ?? problem}{" "}
        {!said && <span class="small soft">{t("verify.roll.about")}</span>}
      </span>
    </p>
  );
}

const whyNot = (state: ReplayState): string => (state.at === "failed" ? state.why : t("replay.declined"));

/** The differences between this browser's memory of a table and a log in the right form. */
function remembersOf(log: object, { head }: LogReport): Protest[] {
  const { table, events } = log as { table: string; events: LogEvent[] };
  return head
    ? compareMemory(
        table,
        events.filter((event) => typeof event?.open === "object"),
      )
    : [];
}

/** How many calls were never answered as far as this browser remembers it, though the log may not tell. */
function lostOf(log: object, { head }: LogReport): number {
  const { table, events, for: whose } = log as { table: string; events: LogEvent[]; for?: unknown };
  if (!head) return 0;
  const formed = events.filter((event) => typeof event?.open === "object");
  return neverAnswered(table, whose, formed);
}

/** The overall result: never more than was really checked. */
function headline(
  { problems, beyond, left, unknown, closed }: LogReport,
  protests: Protest[],
  replay: ReplayState,
): Key {
  if (beyond) return "verify.some";
  if (problems.length || protests.length) return "verify.bad";
  if (replay.at === "going" || replay.at === "idle") return "verify.half.busy";
  if (replay.at !== "found") return left ? "verify.some" : "verify.half";
  if (replay.answer.problems?.length) return "verify.bad.rules";
  if (left || unknown || closed) return "verify.some";
  return !unreplayed(replay.answer)
    ? replay.answer.true
      ? "verify.good"
      : "verify.some"
    : replay.answer.checked?.["rolls replayed"]
      ? "verify.part"
      : "verify.half";
}

const unreplayed = ({ checked = {} }: VerifyAnswer): number => (checked.rolls ?? 0) - (checked["rolls replayed"] ?? 0);

const LOOKS: Partial<Record<Key, "good" | "bad">> = {
  "verify.good": "good",
  "verify.bad": "bad",
  "verify.bad.rules": "bad",
};

/** Remarks that are shown with any result. */
const BESIDE = [
  "cancelled",
  "regretted",
  "open",
  "openSeen",
  "undone",
  "kept",
  "refused",
  "unanswered",
  "waiting",
  "unsigned",
  "held",
  "replaced",
  "replacedUnsigned",
  "imports",
  "inserted",
  "silent",
  "unwitnessed",
  "agreed",
  "erased",
] as const;

function Beside({ report }: { report: LogReport }): JSX.Element | null {
  const counts = { ...report, unwitnessed: report.throws - report.witnessed };
  const found = BESIDE.filter((name) => counts[name]);
  if (!found.length) return null;
  return (
    <ul class="row tight beside" aria-label={t("verify.beside")}>
      {found.map((name) => (
        <li key={name} class="chip">
          {t(`verify.beside.${name}`, { n: counts[name] })}
        </li>
      ))}
    </ul>
  );
}

function Result({
  report,
  protests,
  replay,
}: {
  report: LogReport;
  protests: Protest[];
  replay: ReplayRun;
}): JSX.Element {
  const state = replay.state.value;
  const head = headline(report, protests, state);
  const looks = LOOKS[head] ?? "part";
  const replayed = state.at === "found" ? state.answer : null;
  return (
    <section class={`panel verdict ${looks}`}>
      <header>
        <Icon name={looks === "good" ? "seal" : looks === "bad" ? "warn" : "info"} size={40} />
        <h2>{t(head)}</h2>
      </header>
      <Beside report={report} />
      <ul class="stack close checked-by">
        {report.beyond ? (
          <Line good={null} text={t("verify.fault.unknown format")} />
        ) : (
          <Line
            good={!report.problems.length}
            text={t(report.problems.length ? "verify.here.bad" : "verify.here.good")}
          />
        )}
        {replayed ? (
          <Rules answer={replayed} />
        ) : state.at === "failed" || state.at === "declined" ? (
          <Line good={null} text={t("verify.noreplay", { why: whyNot(state) })} />
        ) : null}
        {!!replayed?.not_here?.length && (
          <Line good={null} text={t("verify.nothere", { games: replayed.not_here.join(", ") })} />
        )}
        {report.left > 0 && <Line good={null} text={t("verify.left", { n: report.left })} />}
        {report.unknown > 0 && <Line good={null} text={t("verify.unknown", { n: report.unknown })} />}
        {report.closed > 0 && <Line good={null} text={t("verify.closed", { n: report.closed })} />}
        {report.sealed > 0 && <Line good={null} text={t("verify.hidden", { n: report.sealed })} />}
        {report.typed > 0 && <Line good={null} text={t("verify.byhand", { n: report.typed })} />}
      </ul>
      {state.at === "going" && <Going replay={replay} />}
      {(state.at === "failed" || state.at === "declined") && (
        <div class="row">
          <Ask onAsk={replay.again} />
        </div>
      )}
      <dl class="facts">
        <Fact n={report.events} of="verify.events" />
        <Fact n={report.signatures} of="verify.signatures" />
        <Fact n={report.throws} of="verify.throws" />
        <Fact n={report.faces} of="verify.faces" />
        <Fact n={report.witnessed} of="verify.witnessed" />
        {replayed?.checked && <Fact n={replayed.checked["rolls replayed"] ?? 0} of="verify.replayed" />}
      </dl>
      {!report.beyond && (report.problems.length > 0 || protests.length > 0 || !!replayed?.problems?.length) && (
        <ul class="stack close">
          {protests.map(({ what, seq }) => (
            <li key={what + seq} class="notice bad">
              <Icon name="cross" />
              {t(`protest.${what}`, { n: seq })}
            </li>
          ))}
          {report.problems.slice(0, 30).map((one, n) => (
            <li key={n} class="notice bad">
              <Icon name="cross" />
              {one.seq ? t("verify.at", { n: one.seq }) : ""} {t(`verify.fault.${one.fault}`)}
            </li>
          ))}
          {replayed?.problems?.slice(0, 30).map((one, n) => (
            <li key={`r${n}`} class="notice bad">
              <Icon name="cross" />
              {one.seq === null ? "" : t("verify.at", { n: one.seq })} {maybe(`verify.fault.${one.what}`)}{" "}
              <span class="small soft">{one.message}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="small soft">
        {t("verify.alone")} <code>{COMMAND}</code>
      </p>
      <p class="small soft">
        {t("verify.head")} <code class="hash">{report.head}</code>
      </p>
      {report.head && (
        <p class="small soft">
          {t("verify.spoken")} <strong class="spoken">{headWords(report.head)}</strong>
        </p>
      )}
    </section>
  );
}

/** The result of replaying the rules; a log of another format is neither true nor false. */
function Rules({ answer }: { answer: VerifyAnswer }): JSX.Element {
  const { checked = {}, problems = [], said = [] } = answer;
  if (answer.true === null && problems.length)
    return <Line good={null} text={t("verify.noreplay", { why: said.join(" ") })} />;
  const left = unreplayed(answer);
  const good = problems.length ? false : left ? null : true;
  const key: Key = problems.length ? "verify.rules.bad" : left ? "verify.rules.part" : "verify.rules.good";
  return <Line good={good} text={t(key, { n: checked["rolls replayed"] ?? 0, all: checked.rolls ?? 0 })} />;
}

/** One line on what was checked: it holds, it does not, or nobody knows. */
function Line({ good, text }: { good: boolean | null; text: string }): JSX.Element {
  return (
    <li class="row tight fair-step" data-good={good === null ? "unknown" : good}>
      <Icon name={good === null ? "info" : good ? "check" : "cross"} size={20} />
      <span class="grow">{text}</span>
    </li>
  );
}

function Fact({ n, of }: { n: number; of: Key }): JSX.Element | null {
  return n ? (
    <div>
      <dt>{t(of, { n })}</dt>
      <dd>{n}</dd>
    </div>
  ) : null;
}

const STEPS: { icon: IconName; title: Key; text: Key }[] = [
  { icon: "lock", title: "explain.promise", text: "explain.promise.text" },
  { icon: "hand", title: "explain.mix", text: "explain.mix.text" },
  { icon: "eye", title: "explain.open", text: "explain.open.text" },
  { icon: "link", title: "explain.chain", text: "explain.chain.text" },
];

function Explained(): JSX.Element {
  return (
    <section class="stack explained">
      <h2>{t("explain.title")}</h2>
      <ol class="explain-steps">
        {STEPS.map(({ icon, title, text }) => (
          <li key={title} class="panel">
            <Icon name={icon} size={30} />
            <h3>{t(title)}</h3>
            <p>{t(text)}</p>
          </li>
        ))}
      </ol>
      <p class="small soft">{t("explain.limits")}</p>
    </section>
  );
}
