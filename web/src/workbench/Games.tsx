/** A whole game that a program makes: its sheet, its form and its rolls for one, and the package it becomes. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { begin } from "../form/FormView";
import { PlayCard } from "../justroll/PlayCard";
import { LocalRolls } from "../justroll/local_rolls";
import type { GameSummary, PackageAnswer } from "../net/shapes";
import { Builder, createEditor, type RollEditor } from "../panel/Builder";
import { firstDice } from "../panel/pools";
import { readinessOf } from "../panel/readiness";
import { startedRoll } from "../sheets/open_sheet";
import { factsOf, setActiveGame } from "../state/games";
import type { Body, GameFacts } from "../state/types";
import { save } from "../ui/clipboard";
import { Icon } from "../ui/icons";
import { showToast, showError } from "../ui/announcer";
import { language, t } from "../i18n";
import { withName } from "../panel";
import { askPython } from "../python";
import { OwnSheet } from "./sheet";
import { SheetView } from "./SheetView";
import type { Work } from "./work";
import { zip } from "./zip";

export function Games({ work, games }: { work: Work; games: readonly GameSummary[] }): JSX.Element {
  return (
    <>
      {games.map((game) => (
        <Game key={game.name} work={work} game={game} />
      ))}
    </>
  );
}

function Game({ work, game }: { work: Work; game: GameSummary }): JSX.Element {
  const facts = useSignal<GameFacts | null>(null);
  const { answered } = work;
  useEffect(() => {
    const describe = (name: string): Promise<GameFacts> =>
      work.ask<GameFacts>("describe", { game: name, language: language.value }).then(factsOf);
    describe(game.name).then((found) => setActiveGame((facts.value = found), describe), showError);
    return () => setActiveGame(null);
  }, [game.name, answered.value]);
  const pack = (): void =>
    void askPython<PackageAnswer>("package", { text: work.text.value, game: game.name }).then(
      (made) => save(zip(made.name, made.files), `${made.name}.zip`),
      showError,
    );
  return (
    <section class="output game-made" aria-label={game.title}>
      <h2 class="output-name">{game.title}</h2>
      {game.summary && <p class="soft">{game.summary}</p>}
      <div class="row">
        <button type="button" class="button" onClick={pack}>
          <Icon name="download" size={18} />
          {t("bench.package")}
        </button>
      </div>
      {facts.value && <Desk key={answered.value} work={work} game={facts.value} />}
    </section>
  );
}

/** A question in which the sheet lies whole: no table here knows it by its name. */
const withSheet = (question: Body, sheet: OwnSheet | null): Body =>
  "sheet" in question ? { ...question, sheet: sheet?.sheet.value?.values ?? null } : question;

function Desk({ work, game }: { work: Work; game: GameFacts }): JSX.Element {
  const sheet = useMemo(() => (game.sheet ? new OwnSheet(work, game) : null), [game]);
  const plays = useMemo(
    () => new LocalRolls((kind, question) => work.ask(kind, withSheet(question as Body, sheet))),
    [game],
  );
  const bench = useMemo(
    () =>
      createEditor(game, {
        preview: (question, signal) => work.ask("preview", withSheet(question, sheet), signal ? { signal } : {}),
        form: (question) => work.ask("form", withSheet(question, sheet)),
        sheet: () => sheet?.sheet.value ?? undefined,
        state: () => JSON.stringify(sheet?.sheet.value?.values ?? null),
        free: true,
        ...(sheet
          ? {
              act: (kind, amount, target) =>
                void sheet
                  .send({
                    do: "sheet.apply_effect",
                    sheet: "",
                    kind,
                    ...(amount === undefined ? {} : { amount }),
                    ...(target ? { target } : {}),
                  })
                  .catch(showError),
            }
          : {}),
      }),
    [game],
  );
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => void sheet?.open().catch(showError), [sheet]);
  useTaps(bench, panel);
  useEffects(plays, sheet);
  const roll = (): void => {
    const what = bench.form.what.value;
    if (!what || !readinessOf(bench, false).can) return;
    void plays
      .start(
        what,
        {
          title: withName(bench).name,
          game: game.name,
          request: bench.form.request.value,
          physical: false,
          marks: bench.lane.answer.value?.marks,
        },
        firstDice(bench),
        bench.form.goal.value,
      )
      .catch(showError);
  };
  return (
    <div class="stack">
      {sheet && <SheetView sheet={sheet} fields={game.sheet!.fields} />}
      <div class="roll-panel" ref={panel}>
        <Builder bench={bench} />
      </div>
      <div class="row">
        <button type="button" class="button main" onClick={roll}>
          {t("bench.roll")}
        </button>
      </div>
      {plays.list.value.slice(0, 5).map((play) => (
        <PlayCard key={play.id} play={play} plays={plays} goal={bench.form.goal.value} onTake={() => undefined} />
      ))}
    </div>
  );
}

/** A tap on the sheet begins a roll in the form below it. */
function useTaps(bench: RollEditor, panel: { readonly current: HTMLDivElement | null }): void {
  const taken = startedRoll.value;
  useEffect(() => {
    if (!taken) return;
    if (taken.start) begin(bench.form, taken.start);
    else if (taken.saved) bench.form.load(taken.saved);
    startedRoll.value = null;
    panel.current?.scrollIntoView({ block: "nearest" });
    panel.current?.querySelector<HTMLElement>("button, input, select")?.focus({ preventScroll: true });
  }, [taken, bench]);
}

/** A roll that has ended does to the sheet what its game says, once. */
function useEffects(plays: LocalRolls, sheet: OwnSheet | null): void {
  const done = useMemo(() => new Set<number>(), [plays]);
  const list = plays.list.value;
  useEffect(() => {
    if (!sheet) return;
    for (const { id, title, rolled } of [...list].reverse()) {
      if (done.has(id) || rolled?.step.step !== "done") continue;
      done.add(id);
      if (rolled.step.effects.length)
        sheet.rolled(title, rolled.transcript).then((why) => why.length && showToast(why.join(" ")), showError);
    }
  }, [list]);
}
