/** The workbench: write dice and rules, see their odds beside them. Nothing of it leaves this browser. */
import { useSignal } from "@preact/signals";
import { Fragment, type ComponentChildren, type JSX } from "preact";
import { useEffect, useErrorBoundary, useMemo, useRef } from "preact/hooks";
import { route } from "../app/routes";
import type { ProgramAnswer, RuleShown } from "../net/shapes";
import { freshPython, pythonState, wakePython } from "../python";
import { PythonProgress, PythonEnded } from "../python/PythonProgress";
import { Icon, type IconName } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { announce, showToast } from "../ui/announcer";
import { bring, t } from "../i18n";
import { en_panel } from "../i18n/en_panel";
import { en_workbench } from "../i18n/en_workbench";
import { Editor } from "./Editor";
import type { Editor as Made } from "./codemirror";
import { PrintedText, Problem, OutputView, type Output } from "./outputs";
import { Rule, rulesOf } from "./Rules";
import { isPacked, unpacked, type View } from "./share";
import { Work } from "./work";

bring(en_panel);
bring(en_workbench);

const Beginnings = lazy(async () => (await import("./Gallery")).Beginnings);
const Gallery = lazy(async () => (await import("./Gallery")).Gallery);
const FromAnydice = lazy(async () => (await import("./FromAnydice")).FromAnydice);
const FromGames = lazy(async () => (await import("./FromGames")).FromGames);
const Games = lazy(async () => (await import("./Games")).Games);
const Sharing = lazy(async () => (await import("./ShareTools")).ShareTools);

/** Whether another site shows this in a frame: then there is one screen and no way to any other. */
const EMBED = /[?&]embed\b/.test(location.search);
if (EMBED) document.documentElement.dataset.embed = "";

type Open = "" | "gallery" | "anydice" | "games" | "share";
const TOOLS: readonly { open: Exclude<Open, "">; icon: IconName }[] = [
  { open: "gallery", icon: "star" },
  { open: "games", icon: "die" },
  { open: "anydice", icon: "send" },
  { open: "share", icon: "share" },
];

/** Opens the work of a link, or the last one. */
function useOpened(work: Work): void {
  const { token } = route.value;
  useEffect(() => {
    void unpacked(token).then((shared) => {
      if (shared) return work.open(shared, false);
      if (isPacked(token)) showToast(t("bench.unreadable"));
      if (!work.begun.value) work.openKept();
    });
  }, [token]);
}

export default function Workbench(): JSX.Element {
  const work = useMemo(() => new Work(), []);
  const open = useSignal<Open>("");
  const editor = useRef<Made | null>(null);
  useOpened(work);
  useEffect(() => work.follow(), []);
  useEffect(() => void (EMBED || wakePython()), []);
  useSeen();
  const close = (): void => void (open.value = "");
  const take = (text: string): void => (work.take(text), close());
  return (
    <div class="workbench" data-embed={EMBED || undefined}>
      <header class="workbench-head">
        <h1 class={EMBED ? "unseen" : ""}>{t("bench.title")}</h1>
        {!EMBED && <p class="soft">{t("bench.lead")}</p>}
        {EMBED ? (
          <a
            class="button quiet small"
            href={location.href.replace(/[?&]embed[^#]*/, "")}
            target="_blank"
            rel="noopener"
          >
            {t("bench.open_whole")}
          </a>
        ) : (
          <div class="row tight workbench-tools">
            {TOOLS.map((tool) => (
              <button key={tool.open} type="button" class="button" onClick={() => (open.value = tool.open)}>
                <Icon name={tool.icon} size={18} />
                {t(`bench.${tool.open}`)}
              </button>
            ))}
          </div>
        )}
      </header>
      <div class="workbench-desk">
        <section class="panel workbench-editor" aria-label={t("bench.program")}>
          <Editor work={work} onMade={(made) => (editor.current = made)} />
          <p class="small soft">{t("bench.leave")}</p>
        </section>
        <section class="panel workbench-results" aria-label={t("bench.results")}>
          <Results
            work={work}
            onGo={(line, column) => editor.current?.goTo(line, column)}
            onAnydice={() => (open.value = "anydice")}
          />
        </section>
      </div>
      {open.value === "gallery" && <Gallery onTake={take} onClose={close} />}
      {open.value === "anydice" && (
        <FromAnydice
          given={work.answer.value?.problems.some(({ code }) => code === "anydice") ? work.text.value : ""}
          onTake={take}
          onClose={close}
        />
      )}
      {open.value === "games" && <FromGames onTake={take} onClose={close} />}
      {open.value === "share" && <Sharing work={work} onClose={close} />}
    </div>
  );
}

/** How high the part of the page is that a keyboard on the screen leaves in sight. */
function useSeen(): void {
  useEffect(() => {
    const seen = window.visualViewport;
    const measure = (): void =>
      document.documentElement.style.setProperty("--seen", `${Math.round(seen?.height ?? innerHeight)}px`);
    measure();
    seen?.addEventListener("resize", measure);
    return () => seen?.removeEventListener("resize", measure);
  }, []);
}

const VIEWS: readonly View[] = ["each", "at_least", "at_most"];

function Results({
  work,
  onGo,
  onAnydice,
}: {
  work: Work;
  onGo: (line: number, column: number) => void;
  onAnydice: () => void;
}): JSX.Element {
  const answer = work.answer.value;
  useEffect(() => {
    const first = answer?.outputs.find((output) => output.kind === "odds");
    if (first?.kind === "odds") announce(`${first.name}: ${first.fields?.[0]?.summary ?? ""}`);
  }, [answer]);
  // An error is above all else, and on a phone results are in a frame of their own: it comes into sight there.
  const wrong = answer?.problems[0];
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = head.current?.parentElement;
    if (wrong && wrong.code !== "anydice" && frame) frame.scrollTop = 0;
  }, [wrong?.message, wrong?.line]);
  if (!work.agreed.value) return <Asking work={work} />;
  // That a program is one of AnyDice is no slip: what it comes to is seen first.
  const told = (anydice: boolean): JSX.Element[] =>
    (answer?.problems ?? [])
      .filter(({ code }) => (code === "anydice") === anydice)
      .map((problem) => <Problem problem={problem} onGo={onGo} onAnydice={onAnydice} />);
  return (
    <>
      <div class="results-head" ref={head}>
        <Standing work={work} />
        <div class="kinds" role="group" aria-label={t("bench.view")}>
          {VIEWS.map((view) => (
            <button
              type="button"
              class="kind"
              aria-pressed={work.view.value === view}
              onClick={() => (work.view.value = view)}
            >
              {t(`bench.${view}`)}
            </button>
          ))}
        </div>
      </div>
      <div class="outputs" data-old={work.counting.value || undefined}>
        <Guarded answer={answer}>
          {told(false)}
          {answer && <Lines work={work} answer={answer} />}
          {told(true)}
          {answer && answer.games.length > 0 && <Games work={work} games={answer.games} />}
          {answer && <PrintedText printed={answer.printed} />}
          {!EMBED && work.untouched.value && <Beginnings onTake={(text) => work.take(text)} />}
          {answer &&
            !answer.outputs.length &&
            !answer.problems.length &&
            !answer.games.length &&
            !answer.rules.length && <p class="empty">{t("bench.nothing")}</p>}
        </Guarded>
      </div>
    </>
  );
}

/**
 * A program may have made its own answer, of any shape: what cannot be shown is said to be so, and the page goes on.
 */
function Guarded({ answer, children }: { answer: ProgramAnswer | null; children: ComponentChildren }): JSX.Element {
  const [problem, again] = useErrorBoundary(freshPython);
  useEffect(() => void (problem && again()), [answer]);
  return problem ? (
    <p class="notice bad" role="alert">
      {t("python.stopped.crash")}
    </p>
  ) : (
    <>{children}</>
  );
}

/**
 * Outputs in the order of their lines; those of a rule without a line are below its sliders. One without sliders can
 * only be rolled, which comes last.
 */
function Lines({ work, answer }: { work: Work; answer: ProgramAnswer }): JSX.Element {
  const shown = (output: Output, n: number): JSX.Element => (
    <OutputView key={`${output.rule} ${n} ${output.kind}`} output={output} view={work.view.value} />
  );
  const written = answer.outputs.filter((output) => !output.rule);
  const all = rulesOf(answer).sort((one, other) => one.line - other.line);
  const [rules, plain] = [all.filter((rule) => rule.arguments.length), all.filter((rule) => !rule.arguments.length)];
  const of = (rule: RuleShown): JSX.Element[] =>
    answer.outputs.filter((output) => output.rule === rule.name).map(shown);
  const before = (n: number): Output[] =>
    written.filter(({ line }) => line < (rules[n]?.line ?? Infinity) && line >= (rules[n - 1]?.line ?? 0));
  const at = (output: Output): number => answer.outputs.indexOf(output);
  return (
    <>
      {rules.map((rule, n) => (
        <Fragment key={rule.name}>
          {before(n).map((output) => shown(output, at(output)))}
          <Rule work={work} rule={rule} />
          {of(rule)}
        </Fragment>
      ))}
      {before(rules.length).map((output) => shown(output, at(output)))}
      {plain.map((rule) => (
        <Fragment key={rule.name}>
          {of(rule)}
          <Rule work={work} rule={rule} />
        </Fragment>
      ))}
    </>
  );
}

/** Somebody else's work: it is read first, and runs at the reader's request. */
function Asking({ work }: { work: Work }): JSX.Element {
  return (
    <div class="notice asking" role="status">
      <Icon name="lock" />
      <div class="stack close">
        <p>
          <strong>{t("bench.stranger")}</strong>
        </p>
        <p>{t("bench.stranger_about")}</p>
        <div class="row">
          <button type="button" class="button main" onClick={() => (work.agreed.value = true)}>
            {t("bench.run")}
          </button>
        </div>
      </div>
    </div>
  );
}

/** How far Python is, or why a program was ended; nothing while all is well. */
function Standing({ work }: { work: Work }): JSX.Element {
  const again = (): void => work.again();
  const why = work.stopped.value;
  if (why) return <PythonEnded why={why} onAgain={again} />;
  if (work.refused.value)
    return (
      <p class="notice bad" role="alert">
        {work.refused.value}
      </p>
    );
  if (pythonState.value.step !== "ready" && pythonState.value.step !== "asleep")
    return <PythonProgress onAgain={again} />;
  return (
    <p class="python-comes soft small">
      <span aria-hidden="true">{work.counting.value ? t("bench.counting") : ""}</span>
      {work.slow.value && (
        <button type="button" class="button quiet small" onClick={() => work.stop()}>
          {t("bench.stop")}
        </button>
      )}
    </p>
  );
}
