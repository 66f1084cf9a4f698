/** A roll of a game that is there, made up in its form and taken over as a program. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { EXPRESSION } from "../form/draft";
import type { CodeAnswer, GamesAnswer } from "../net/shapes";
import { Builder, createEditor } from "../panel/Builder";
import { readinessOf } from "../panel/readiness";
import { askPython } from "../python";
import { factsOf, setActiveGame } from "../state/games";
import type { GameFacts } from "../state/types";
import { Dialog } from "../ui/Dialog";
import { showError } from "../ui/announcer";
import { language, t } from "../i18n";

export function FromGames({ onTake, onClose }: { onTake: (text: string) => void; onClose: () => void }): JSX.Element {
  const games = useSignal<GamesAnswer["games"] | null>(null);
  const facts = useSignal<GameFacts | null>(null);
  useEffect(() => {
    askPython<GamesAnswer>("describe", {}).then(
      (found) => ((games.value = found.games), pick(found.games[0]!.name)),
      showError,
    );
    return () => setActiveGame(null);
  }, []);
  const described = (name: string): Promise<GameFacts> =>
    askPython<GameFacts>("describe", { game: name, language: language.value }).then(factsOf);
  const pick = (name: string): void =>
    void described(name).then((found) => setActiveGame((facts.value = found), described), showError);
  return (
    <Dialog title={t("bench.games")} onClose={onClose} broad>
      <div class="stack">
        <p>{t("bench.games_about")}</p>
        {!games.value && <div class="skeleton form-waits" aria-busy="true" />}
        <div class="kinds" role="group" aria-label={t("bench.games")}>
          {games.value?.map((game) => (
            <button
              key={game.name}
              type="button"
              class="kind"
              aria-pressed={facts.value?.name === game.name}
              onClick={() => pick(game.name)}
            >
              {game.title}
            </button>
          ))}
        </div>
        {facts.value && <Making key={facts.value.name} game={facts.value} onTake={onTake} />}
      </div>
    </Dialog>
  );
}

function Making({ game, onTake }: { game: GameFacts; onTake: (text: string) => void }): JSX.Element {
  const bench = useMemo(
    () =>
      createEditor(game, {
        preview: (question, signal) => askPython("preview", question, signal ? { signal } : {}),
        form: (question) => askPython("form", question),
        free: true,
      }),
    [game],
  );
  const { form } = bench;
  const plain = form.roll.value === EXPRESSION;
  const take = (): void => {
    if (plain) onTake(`${form.expression.value}\n`);
    else if (form.request.value && readinessOf(bench, false).can)
      void askPython<CodeAnswer>("code", { request: form.request.value }).then((made) => onTake(made.text), showError);
  };
  return (
    <div class="stack">
      <div class="roll-panel">
        <Builder bench={bench} />
      </div>
      <div class="row">
        <button type="button" class="button main" onClick={take}>
          {t("bench.as_program")}
        </button>
      </div>
    </div>
  );
}
