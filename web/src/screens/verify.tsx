// Check a log or a roll: hashes, promises and dice here in the browser, the rules by replay on the host; it says who checked what.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { route } from "../app/routes";
import { checkLog, type Report } from "../fair/check";
import { given } from "../fair/own";
import { Away, file, post } from "../net/rest";
import { knownTables, type Known } from "../net/tokens";
import type { LogEvent } from "../state/types";
import { Icon, type IconName } from "../ui/icons";
import { announce } from "../ui/live";
import { bring, maybe, t, type Key } from "../words";
import { en_checking } from "../words/en_checking";
import { loadGames } from "../state/games";
import { aboutTable, titleOf } from "./known";

bring(en_checking);

interface Exported { table: string; for?: string; events: LogEvent[] }
interface Replay { true?: boolean | null; said?: string[]; checked?: Record<string, number>; problems?: { seq: number | null; what: string; message: string }[]; more?: number }
/** Whose server replays the rules: the one this page came from, which may be the one that is checked. */
const host = location.host;
const COMMAND = "rollwright verify log.json";
type State = { at: "idle" } | { at: "busy"; share: number } | { at: "wrong"; text: string } | { at: "log"; report: Report; replay: Replay | string | null } | { at: "roll"; told: string; good: boolean };

export default function VerifyScreen(): JSX.Element {
  const [state, setState] = useState<State>({ at: "idle" });
  const tables = Object.entries(knownTables()).filter(([, about]) => about.token).sort(([, a], [, b]) => b.at - a.at);
  const wanted = route.value.token;

  const check = async (text: string): Promise<void> => {
    let plain: Exported & { request?: unknown };
    try {
      plain = JSON.parse(text) as typeof plain;
    } catch {
      return setState({ at: "wrong", text: t("verify.notjson") });
    }
    if (Array.isArray(plain?.events) && typeof plain.table === "string") return checkWhole(plain);
    try {
      const answer = await post<{ told?: string; problem?: string } & Replay>("/verify", { transcript: plain });
      if (answer.true === null) return setState({ at: "wrong", text: answer.problem ?? "" }); // of rules that the host does not have
      setState({ at: "roll", told: answer.told ?? answer.problem ?? "", good: answer.true === true });
    } catch (problem) {
      setState({ at: "wrong", text: problem instanceof Away ? t("problem.away") : (problem as Error).message });
    }
  };
  const checkWhole = async (log: Exported): Promise<void> => {
    setState({ at: "busy", share: 0 });
    const report = await checkLog(log, { told: (share) => setState({ at: "busy", share }), own: given(log.table) });
    setState({ at: "log", report, replay: null });
    const replay = await post<Replay>("/verify", { log: { ...log, handover: undefined } }).then((found) => (found.true === null ? (found.said ?? []).join(" ") : found), (problem: Error) => (problem instanceof Away ? t("verify.rules.away", { host }) : problem.message));
    setState({ at: "log", report, replay });
    announce(t(headline(report, replay), { host }));
  };
  const pick = (input: HTMLInputElement): void => {
    void input.files?.[0]?.text().then(check);
    input.value = ""; // so that the same file can be checked again
  };
  const fetchTable = async (id: string, about: Known): Promise<void> => {
    setState({ at: "busy", share: 0 });
    try {
      await check(await (await file(`/tables/${id}/log.json`, { token: about.token })).text());
    } catch (problem) {
      setState({ at: "wrong", text: problem instanceof Away ? t("problem.away") : (problem as Error).message });
    }
  };
  useEffect(() => void loadGames().catch(() => {}), []);
  useEffect(() => {
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
          <span><strong>{t("verify.file")}</strong><br /><span class="small soft">{t("verify.file.about")}</span></span>
          <input type="file" accept=".json,application/json" onChange={(event) => pick(event.currentTarget)} />
        </label>
        {tables.length > 0 && (
          <section class="panel">
            <header><h2>{t("start.yours")}</h2></header>
            <div class="menu-list yours">{tables.slice(0, 6).map(([id, about]) => <button key={id} class="button" onClick={() => void fetchTable(id, about)}><Icon name="table" /><span class="grow"><strong>{titleOf(about)}</strong><span class="small soft">{aboutTable(about)}</span></span></button>)}</div>
          </section>
        )}
      </div>
      <div aria-live="polite">
        {state.at === "busy" && <p class="notice"><Icon name="hourglass" />{t("verify.busy", { share: Math.round(100 * state.share) })}</p>}
        {state.at === "wrong" && <p class="notice bad" role="alert"><Icon name="warn" />{state.text}</p>}
        {state.at === "roll" && <p class={`notice ${state.good ? "" : "bad"}`}><Icon name={state.good ? "seal" : "warn"} /><span><strong>{t(state.good ? "verify.roll.good" : "verify.roll.bad", { host })}</strong> {state.told} <span class="small soft">{t("verify.roll.about")}</span></span></p>}
      </div>
      {state.at === "log" && <Result report={state.report} replay={state.replay} />}
      <Explained />
    </div>
  );
}

/** What the whole of it comes to: never more than was really checked, and by whom. */
function headline({ problems }: Report, replay: Replay | string | null): Key {
  if (problems.length) return "verify.bad";
  if (replay === null) return "verify.half.busy";
  if (typeof replay === "string") return "verify.half";
  if (!replay.true) return "verify.bad.host";
  return unreplayed(replay) ? "verify.part" : "verify.good";
}

const unreplayed = ({ checked = {} }: Replay): number => (checked.rolls ?? 0) - (checked["rolls replayed"] ?? 0);

function Result({ report, replay }: { report: Report; replay: Replay | string | null }): JSX.Element {
  const head = headline(report, replay);
  const looks = head === "verify.good" ? "good" : head === "verify.bad" || head === "verify.bad.host" ? "bad" : "part";
  const replayed = replay && typeof replay === "object" ? replay : null;
  return (
    <section class={`panel verdict ${looks}`}>
      <header><Icon name={looks === "good" ? "seal" : looks === "bad" ? "warn" : "info"} size={40} /><h2>{t(head, { host })}</h2></header>
      <ul class="stack close checked-by">
        <Line good={!report.problems.length} text={t(report.problems.length ? "verify.here.bad" : "verify.here.good")} />
        {replay === null ? <Line good={null} text={t("verify.replaying", { host })} /> : replayed ? <Rules replay={replayed} /> : <Line good={null} text={t("verify.noreplay", { why: replay as string })} />}
        {report.sealed > 0 && <Line good={null} text={t("verify.hidden", { n: report.sealed })} />}
        {report.typed > 0 && <Line good={null} text={t("verify.byhand", { n: report.typed })} />}
      </ul>
      <dl class="facts">
        <Fact n={report.events} of="verify.events" />
        <Fact n={report.throws - report.typed} of="verify.throws" />
        <Fact n={report.faces} of="verify.faces" />
        <Fact n={report.witnessed} of="verify.witnessed" />
        {replayed?.checked && <Fact n={replayed.checked["rolls replayed"] ?? 0} of="verify.replayed" />}
      </dl>
      {(report.problems.length > 0 || !!replayed?.problems?.length) && (
        <ul class="stack close">
          {report.problems.slice(0, 30).map((one, n) => <li key={n} class="notice bad"><Icon name="cross" />{t("verify.at", { n: one.seq })} {t(`verify.fault.${one.fault}`)}</li>)}
          {replayed?.problems?.slice(0, 30).map((one, n) => <li key={`r${n}`} class="notice bad"><Icon name="cross" />{one.seq === null ? "" : t("verify.at", { n: one.seq })} {maybe(`verify.fault.${one.what}`)} <span class="small soft">{one.message}</span></li>)}
        </ul>
      )}
      <p class="small soft">{t("verify.alone")} <code>{COMMAND}</code></p>
      <p class="small soft">{t("verify.head")} <code class="hash">{report.head}</code></p>
    </section>
  );
}

/** What the host that replayed the rules says of them. */
function Rules({ replay }: { replay: Replay }): JSX.Element {
  const { checked = {}, problems = [] } = replay;
  const left = unreplayed(replay);
  const good = problems.length ? false : left ? null : true;
  const key: Key = problems.length ? "verify.rules.bad" : left ? "verify.rules.part" : "verify.rules.good";
  return <Line good={good} text={t(key, { host, n: checked["rolls replayed"] ?? 0, all: checked.rolls ?? 0 })} />;
}

/** One line on what was checked: it holds, it does not, or nobody knows. */
function Line({ good, text }: { good: boolean | null; text: string }): JSX.Element {
  return <li class="row tight fair-step" data-good={good === null ? "unknown" : good}><Icon name={good === null ? "info" : good ? "check" : "cross"} size={20} /><span class="grow">{text}</span></li>;
}

function Fact({ n, of }: { n: number; of: Key }): JSX.Element | null {
  return n ? <div><dt>{t(of, { n })}</dt><dd>{n}</dd></div> : null;
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
        {STEPS.map(({ icon, title, text }) => <li key={title} class="panel"><Icon name={icon} size={30} /><h3>{t(title)}</h3><p>{t(text)}</p></li>)}
      </ol>
      <p class="small soft">{t("explain.limits")}</p>
    </section>
  );
}
