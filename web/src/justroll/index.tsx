/** Just roll: any game or expression without a table, with live odds; a link brings it all back. */

import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useRolling } from "../dice";
import { ALONE, ask } from "../net/queries";
import { OfflineError, RequestError } from "../net/http";
import type { Preview } from "../panel/preview_query";
import { Builder, createEditor, type RollEditor } from "../panel/Builder";
import { Switch } from "../panel/controls";
import { Dock } from "../panel/Dock";
import { Favourites } from "../panel/favourites";
import { EXPRESSION } from "../form/draft";
import { FavouriteList, withName, StarButton, useShortcut } from "../panel";
import { HouseRulesButton } from "../panel/HouseRulesButton";
import { firstDice } from "../panel/pools";
import { readinessOf } from "../panel/readiness";
import { fieldErrorOf } from "../panel/field_errors";
import { gameFacts, games, loadGames, setActiveGame } from "../state/games";
import type { FormAnswer } from "../state/card";
import type { Body, GameFacts } from "../state/types";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { announce, showToast } from "../ui/announcer";
import { t } from "../i18n";
import { GamePicker } from "./GamePicker";
import { fromAddress, toAddress, type LinkedRoll } from "./roll_links";
import { LocalRolls, type LocalRoll } from "./local_rolls";
import { PlayCard } from "./PlayCard";
import "./justroll.css";

const PATH = "/roll";
const RESTS = 200;
/** Rolls in sight; those before them are a tap away, and are not drawn again whenever another lies on top. */
const WHOLE = 6;
const Coming = lazy(async () => (await import("../python/PythonProgress")).PythonProgress);

/** Says what went wrong, in words for people. */
const trouble = (problem: Error): void => showToast(fieldErrorOf(problem)!.message);

/** The page. */
export default function JustRoll(): JSX.Element {
  const linked = useMemo(() => fromAddress(location.search), []);
  const game = useSignal(linked.game);
  const facts = useSignal<GameFacts | null>(null);
  const first = useSignal<LinkedRoll | null>(linked);
  const plays = useMemo(() => new LocalRolls(), []);
  useEffect(() => {
    if (!games.value) loadGames().catch(trouble);
  }, []);
  useEffect(() => {
    facts.value = null;
    if (game.value) gameFacts(game.value).then((found) => setActiveGame((facts.value = found)), trouble);
  }, [game.value]);
  const pick = (name: string): void => {
    first.value = null;
    game.value = name;
  };
  const ready = !game.value || facts.value?.name === game.value;
  const top = (
    <>
      <header class="justroll-head">
        <h1>{t("justroll.title")}</h1>
        <p class="soft">{t("justroll.lead")}</p>
        {ALONE && <Coming />}
      </header>
      <GamePicker value={game.value} onPick={pick} />
    </>
  );
  return (
    <div class="justroll">
      {ready ? (
        <Desk key={game.value} game={facts.value} linked={first.value} plays={plays} top={top} />
      ) : (
        <div class="justroll-scroll">
          {top}
          <div class="skeleton" aria-busy="true" />
        </div>
      )}
    </div>
  );
}

/** The desk of one game: the builder on the left, what was rolled on the right. */
function Desk({
  game,
  linked,
  plays,
  top,
}: {
  game: GameFacts | null;
  linked: LinkedRoll | null;
  plays: LocalRolls;
  top: ComponentChildren;
}): JSX.Element {
  const bench = useMemo(() => opened(game, linked), [game]);
  const favourites = useMemo(() => new Favourites(`roll.${game?.name ?? ""}`), [game]);
  // Once somebody rests: browsers take their time over it, and odds are waited for at every step.
  useEffect(() => {
    let soon = 0;
    const stop = effect(() => {
      const address = toAddress(PATH, { game: game?.name ?? "", ...bench.form.saved() });
      clearTimeout(soon);
      soon = window.setTimeout(() => history.replaceState(history.state, "", address), RESTS);
    });
    return () => (clearTimeout(soon), stop());
  }, [bench]);
  const physical = useSignal(false);
  const roll = (): void => void start(bench, plays, favourites, physical.value);
  /** Other dice, as a remark on a roll has them, ready to be rolled. */
  const take = (dice: string): void => bench.form.load({ roll: EXPRESSION, fields: {}, expression: dice });
  useShortcut(roll);
  useRolling();
  const list = plays.list.value;
  const draw = (play: LocalRoll): JSX.Element => (
    <PlayCard key={play.id} play={play} plays={plays} goal={bench.form.goal.value} onTake={take} />
  );
  return (
    <>
      <div class="justroll-scroll" tabIndex={-1}>
        {top}
        <div class="justroll-desk">
          <section class="panel roll-panel" aria-label={t("justroll.what")}>
            <Builder bench={bench} docked explore={explored}>
              <FavouriteList bench={bench} favourites={favourites} />
            </Builder>
            <Switch
              label={t("panel.physical")}
              help={t("panel.physical_help")}
              value={physical.value}
              onSet={(on) => (physical.value = on)}
            />
            {bench.form.roll.value !== EXPRESSION && <HouseRulesButton form={bench.form} />}
          </section>
          <section class="justroll-plays" aria-label={t("justroll.rolls")}>
            {list.slice(0, WHOLE).map(draw)}
            {list.length > WHOLE && (
              <details class="earlier tucked">
                <summary>
                  <Icon name="right" size={16} />
                  {t("justroll.earlier", { n: list.length - WHOLE })}
                </summary>
                {list.slice(WHOLE).map(draw)}
              </details>
            )}
            {!list.length && <p class="empty">{t("justroll.nothing")}</p>}
          </section>
        </div>
      </div>
      <Dock bench={bench} later={false} physical={physical.value} onRoll={roll}>
        <ShareButton />
        <StarButton bench={bench} favourites={favourites} />
      </Dock>
    </>
  );
}

/** The address of the pictures of a roll. */
const explored = ({ game, roll, ...fields }: Body): string =>
  toAddress("/explore", { game: String(game), roll: String(roll), fields, expression: "" });

function opened(game: GameFacts | null, linked: LinkedRoll | null): RollEditor {
  const bench = createEditor(game, {
    preview: (question, abort) => ask<Preview>("preview", question, abort),
    form: (question) => ask<FormAnswer>("form", question),
    free: true,
  });
  if (linked && (linked.roll || linked.expression)) {
    bench.form.load(linked);
  } else if (!game) bench.form.expression.value = "2d6";
  return bench;
}

async function start(bench: RollEditor, plays: LocalRolls, favourites: Favourites, physical: boolean): Promise<void> {
  const what = bench.form.what.value;
  const ready = readinessOf(bench, false);
  if (ready.why && !ready.can) announce(ready.why.said);
  if (!what || !ready.can) return;
  const request = bench.form.roll.value === EXPRESSION ? null : bench.form.request.value;
  const roll = withName(bench);
  try {
    const done = plays.start(
      what,
      { title: roll.name, game: bench.form.game?.name ?? "", request, physical, marks: bench.lane.answer.value?.marks },
      physical ? [] : firstDice(bench),
      bench.form.goal.value,
    );
    document.querySelector(".justroll-plays")?.scrollIntoView({ block: "nearest" });
    await done;
    favourites.rolled(roll);
  } catch (problem) {
    if (problem instanceof RequestError && problem.field) bench.form.wrong.value = fieldErrorOf(problem);
    else showToast(problem instanceof OfflineError ? t("justroll.away") : fieldErrorOf(problem as Error)!.message);
  }
}

function ShareButton(): JSX.Element {
  const share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      showToast(t("justroll.copied"));
    } catch {
      showToast(location.href);
    }
  };
  return (
    <button type="button" class="button round" aria-label={t("justroll.share")} onClick={share}>
      <Icon name="link" />
    </button>
  );
}
