/** Explore: what if, without rolling. Curves, heat maps, and builds beside each other. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { addressOf } from "../app/base";
import { follow } from "../app/routes";
import { GamePicker } from "../justroll/GamePicker";
import { fromAddress, toAddress } from "../justroll/roll_links";
import { ALONE, ask } from "../net/queries";
import type { Preview } from "../panel/preview_query";
import { Builder, createEditor } from "../panel/Builder";
import { EXPRESSION } from "../form/draft";
import { HouseRulesButton } from "../panel/HouseRulesButton";
import { fieldErrorOf } from "../panel/field_errors";
import "../panel/panel.css";
import "../justroll/justroll.css";
import { gameFacts, games, loadGames, setActiveGame } from "../state/games";
import type { FormAnswer } from "../state/card";
import type { GameFacts } from "../state/types";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { showToast } from "../ui/announcer";
import { t } from "../i18n";
import { Compare } from "./Compare";
import { Vary } from "./Vary";
import "./explore.css";

type Picture = "curve" | "map" | "compare";
const PICTURES: readonly Picture[] = ["curve", "map", "compare"];
const PATH = "/explore";
const Coming = lazy(async () => (await import("../python/PythonProgress")).PythonProgress);
const trouble = (problem: Error): void => showToast(fieldErrorOf(problem)!.message);

/** The page. */
export default function Explore(): JSX.Element {
  const linked = useMemo(() => fromAddress(location.search), []);
  const game = useSignal(linked.game);
  const facts = useSignal<GameFacts | null>(null);
  /** Whether it is known what to begin with. */
  const begun = useSignal(!!(linked.game || linked.expression));
  useEffect(() => {
    // Without a wish, the first game is shown.
    const begin = (): void => {
      if (!begun.value) game.value = games.value?.[0]?.name ?? "";
      begun.value = true;
    };
    if (games.value) begin();
    else loadGames().then(begin, (problem: Error) => (trouble(problem), begin()));
  }, []);
  useEffect(() => {
    facts.value = null;
    if (game.value) gameFacts(game.value).then((found) => setActiveGame((facts.value = found)), trouble);
  }, [game.value]);
  const ready = begun.value && (!game.value || facts.value?.name === game.value);
  return (
    <div class="explore">
      <header class="justroll-head">
        {linked.table && (
          <a class="button quiet back-to-table" href={addressOf(`/t/${linked.table}`)} onClick={follow}>
            <Icon name="back" size={18} />
            {t("explore.back")}
          </a>
        )}
        <h1>{t("explore.title")}</h1>
        <p class="soft">{t("explore.lead")}</p>
        {ALONE && <Coming />}
      </header>
      <GamePicker value={game.value} onPick={(name) => (game.value = name)} />
      {ready ? (
        <Desk key={game.value} game={facts.value} table={linked.table} />
      ) : (
        <div class="skeleton" aria-busy="true" />
      )}
    </div>
  );
}

function Desk({ game, table }: { game: GameFacts | null; table: string | undefined }): JSX.Element {
  const bench = useMemo(() => {
    const made = createEditor(game, {
      preview: (question, abort) => ask<Preview>("preview", question, abort),
      form: (question) => ask<FormAnswer>("form", question),
      purpose: "explore",
      free: true,
    });
    const linked = fromAddress(location.search);
    if (linked.game === (game?.name ?? "") && linked.roll && Object.keys(linked.fields).length) made.form.load(linked);
    // The same roll has the same number here as beside the button one came from.
    made.form.goal.value = linked.goal ?? "";
    made.form.policy.value = linked.policy ?? "";
    if (!game) made.form.expression.value = linked.expression || "4d6kh3";
    return made;
  }, [game]);
  const wanted = useSignal<Picture>(game ? "curve" : "compare");
  const plain = bench.form.roll.value === EXPRESSION;
  const picture = plain ? "compare" : wanted.value;
  const address = toAddress(PATH, {
    game: game?.name ?? "",
    ...bench.form.saved(),
    goal: bench.form.goal.value,
    policy: bench.form.policy.value,
    table,
  });
  useEffect(() => history.replaceState(history.state, "", address), [address]);
  return (
    <div class="explore-desk">
      <section class="panel roll-panel" aria-label={t("explore.roll")}>
        <Builder bench={bench} />
        {!plain && <HouseRulesButton form={bench.form} />}
      </section>
      <section class="panel explore-pictures" aria-label={t("explore.pictures")}>
        <div class="kinds" role="group" aria-label={t("explore.pictures")}>
          {PICTURES.map((one) => (
            <button
              type="button"
              class="kind"
              aria-pressed={picture === one}
              disabled={plain && one !== "compare"}
              onClick={() => (wanted.value = one)}
            >
              {t(`explore.${one}`)}
            </button>
          ))}
        </div>
        {picture === "compare" ? (
          <Compare key={bench.form.roll.value} bench={bench} />
        ) : (
          <Vary key={bench.form.roll.value + picture} bench={bench} map={picture === "map"} />
        )}
      </section>
    </div>
  );
}
