/** Just roll: any game or expression without a table, with live odds; a link brings it all back. */

import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useRolling } from "../dice";
import { ALONE, ask } from "../net/asks";
import { Away, Refused } from "../net/rest";
import type { Preview } from "../panel/asking";
import { Builder, makeBench, type Bench } from "../panel/Builder";
import { Switch } from "../panel/controls";
import { Dock } from "../panel/Dock";
import { Favourites } from "../panel/favourites";
import { EXPRESSION } from "../form/draft";
import { Kept, named, StarButton, useShortcut } from "../panel";
import { House } from "../panel/House";
import { firstDice } from "../panel/pools";
import { readyOf } from "../panel/ready";
import { wrongOf } from "../panel/refusals";
import { gameFacts, games, loadGames, putInFront } from "../state/games";
import type { FormAnswer } from "../state/card";
import type { Body, GameFacts } from "../state/types";
import { Icon } from "../ui/icons";
import { later } from "../ui/later";
import { announce, tell } from "../ui/live";
import { t } from "../words";
import { GamePicker } from "./GamePicker";
import { fromAddress, toAddress, type Linked } from "./links";
import { Plays, type Played } from "./play";
import { PlayCard } from "./PlayCard";
import "./justroll.css";

const PATH = "/roll";
const RESTS = 200;
/** Rolls in sight; those before them are a tap away, and are not drawn again whenever another lies on top. */
const WHOLE = 6;
const Coming = later(async () => (await import("../python/Coming")).Coming);

/** Says what went wrong, in words for people. */
const trouble = (problem: Error): void => tell(wrongOf(problem)!.message);

/** The page. */
export default function JustRoll(): JSX.Element {
  const linked = useMemo(() => fromAddress(location.search), []);
  const game = useSignal(linked.game);
  const facts = useSignal<GameFacts | null>(null);
  const first = useSignal<Linked | null>(linked);
  const plays = useMemo(() => new Plays(), []);
  useEffect(() => {
    if (!games.value) loadGames().catch(trouble);
  }, []);
  useEffect(() => {
    facts.value = null;
    if (game.value) gameFacts(game.value).then((found) => putInFront((facts.value = found)), trouble);
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
  linked: Linked | null;
  plays: Plays;
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
  const draw = (play: Played): JSX.Element => (
    <PlayCard key={play.id} play={play} plays={plays} goal={bench.form.goal.value} onTake={take} />
  );
  return (
    <>
      <div class="justroll-scroll" tabIndex={-1}>
        {top}
        <div class="justroll-desk">
          <section class="panel roll-panel" aria-label={t("justroll.what")}>
            <Builder bench={bench} docked explore={explored}>
              <Kept bench={bench} favourites={favourites} />
            </Builder>
            <Switch
              label={t("panel.physical")}
              help={t("panel.physical_help")}
              value={physical.value}
              onSet={(on) => (physical.value = on)}
            />
            {bench.form.roll.value !== EXPRESSION && <House form={bench.form} />}
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

function opened(game: GameFacts | null, linked: Linked | null): Bench {
  const bench = makeBench(game, {
    preview: (question, abort) => ask<Preview>("preview", question, abort),
    form: (question) => ask<FormAnswer>("form", question),
    free: true,
  });
  if (linked && (linked.roll || linked.expression)) {
    bench.form.load(linked);
  } else if (!game) bench.form.expression.value = "2d6";
  return bench;
}

async function start(bench: Bench, plays: Plays, favourites: Favourites, physical: boolean): Promise<void> {
  const what = bench.form.what.value;
  const ready = readyOf(bench, false);
  if (ready.why && !ready.can) announce(ready.why.said);
  if (!what || !ready.can) return;
  const request = bench.form.roll.value === EXPRESSION ? null : bench.form.request.value;
  const roll = named(bench);
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
    if (problem instanceof Refused && problem.field) bench.form.wrong.value = wrongOf(problem);
    else tell(problem instanceof Away ? t("justroll.away") : wrongOf(problem as Error)!.message);
  }
}

function ShareButton(): JSX.Element {
  const share = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell(t("justroll.copied"));
    } catch {
      tell(location.href);
    }
  };
  return (
    <button type="button" class="button round" aria-label={t("justroll.share")} onClick={share}>
      <Icon name="link" />
    </button>
  );
}
