// The table itself: the stage in the middle, sheet, roll panel and the rest left of it, the feed right; one of them on
// a phone.
import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { addressOf } from "../app/base";
import { follow } from "../app/routes";
import { settingsOpen } from "../app/App";
import { forgetTable } from "../net/tokens";
import { Table } from "../state/table";
import { useBack } from "../ui/back_button";
import { Icon, Mark, type IconName } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import { foreign } from "../i18n/text";
import { RollSlot } from "../table/RollSlot";
import { CurrentRoll } from "../table/CurrentRoll";
import { openSheet } from "../sheets/open_sheet";
import { movesHere } from "../dice/motion";
import { currentRoll } from "../table/current_roll";
import { searching, showAll } from "../table/feed_filter";
import { waitsForMe } from "../table/waits";
import { begin, evening, isSideOpen, left, show, side, view, whole, wide, type View } from "./views";

const AskBar = lazy(async () => (await import("../table/RollRequests")).RollRequestBar);
const WaitingStrip = lazy(async () => (await import("../table/WaitingStrip")).WaitingStrip);
const Feed = lazy(async () => (await import("../table/Feed")).Feed);
const Inviting = lazy(async () => (await import("../table/InviteLinks")).InviteLinks);
const Mute = lazy(async () => (await import("../app/Mute")).Mute);
const Shared = lazy(async () => (await import("../table/SharedSheet")).SharedSheet);
const SheetPane = lazy(async () => (await import("../sheets/SheetPane")).SheetPane);
const Protests = lazy(async () => (await import("../table/Protests")).Protests);
const More = lazy(async () => (await import("../table/More")).More);

const TABS: { view: View; icon: IconName }[] = [
  { view: "stage", icon: "table" },
  { view: "sheet", icon: "sheet" },
  { view: "roll", icon: "die" },
  { view: "feed", icon: "feed" },
  { view: "more", icon: "more" },
];

export function TableScreen({ id, token }: { id: string; token: string }): JSX.Element {
  const table = useMemo(() => new Table(id, token), [id, token]);
  const waiting = useMemo(
    () =>
      computed(
        () =>
          table.openRolls.value.filter((roll) => waitsForMe(roll, table)).length +
          table.letRolls.value.length +
          Number(evening.value > 0),
      ),
    [table],
  );
  useEffect(() => {
    table.watched = () => (movesHere() ? (currentRoll(table)?.id ?? "") : "");
    const announcing = (run: (module: typeof import("../table/announcements")) => void): void =>
      void import("../table/announcements").then(run, () => {});
    table.onThrown = (events) => announcing(({ announceThrow: announceThrown }) => announceThrown(events));
    table.onNews = (events) => announcing(({ announceNews }) => announceNews(events, table));
    showAll();
    openSheet.value = "";
    begin("sheet");
    return () => table.leave();
  }, [table]);
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => shortcut(event);
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [table]);
  useBack(!wide.value && view.value !== "stage", () => show("stage"));
  useBack(isSideOpen.value && (wide.value || view.value === "sheet"), () => (isSideOpen.value = false));
  // Players without a character find the panel to roll with first; watchers, what happens.
  useEffect(() => {
    if (table.ready.value && !table.isPlaying.value) begin("feed");
    else if (table.ready.value && (!table.world.value.table.game || (table.isReferee.value && !table.mySheet.value)))
      begin("roll");
  }, [table.ready.value]);
  if (table.over.value) return <Over table={table} />;
  if (table.me.value?.status === "knocking") return <Knocking table={table} />;
  if (!table.ready.value)
    return (
      <main class="loading" id="main" aria-busy="true" aria-label={t("app.loading")}>
        <Mark size={56} />
        <Offline table={table} />
      </main>
    );
  const free = !table.world.value.table.game;
  const rolling = <RollSlot table={table} />;
  const title = table.world.value.table.title || table.game.value?.title || t("table.free");
  return (
    <div
      class="table-page felt"
      data-view={view.value}
      data-left={left.value}
      data-side={side.value}
      data-free={free || undefined}
    >
      <header class="table-top">
        <a class="brand" href={addressOf("/")} onClick={follow} aria-label={t("nav.home")}>
          <Mark size={34} />
        </a>
        <div class="grow">
          <h1>{title}</h1>
          <p class="small soft">
            {foreign(table.game.value) && `${t("game.foreign", { language: foreign(table.game.value) })} · `}
            {table.world.value.table.title && table.game.value ? `${table.game.value.title} · ` : ""}
            {t("table.session", { n: table.world.value.session })}
          </p>
        </div>
        {table.isReferee.value && <Inviting table={table} />}
        <Mute />
        <button class="button quiet round" aria-label={t("settings.title")} onClick={() => (settingsOpen.value = true)}>
          <Icon name="gear" />
        </button>
      </header>
      <div class="table-notices">
        <Offline table={table} />
        {table.caller.value && <Protests table={table} caller={table.caller.value} />}
        <AskBar table={table} />
        {!wide.value && view.value !== "stage" && (
          <WaitingStrip table={table} besides="" only={view.value === "feed" ? "all" : "mine"} />
        )}
      </div>
      <main class="panes" id="main" tabIndex={-1}>
        <section class="pane stage-pane" aria-label={t("tab.stage")}>
          <CurrentRoll table={table} />
        </section>
        <section class="pane sheet-pane" aria-label={t("tab.sheet")}>
          <div class="sheet-scroll">
            {table.shared.value && !whole.value && <Shared table={table} />}
            <SheetPane table={table} />
          </div>
          {isSideOpen.value && <div class="laid">{rolling}</div>}
        </section>
        <section class="pane roll-pane" aria-label={t("tab.roll")}>
          {!isSideOpen.value && rolling}
        </section>
        <section class="pane feed-pane" aria-label={t("tab.feed")}>
          {table.shared.value && whole.value && <Shared table={table} />}
          <Feed table={table} />
        </section>
        <section class="pane more-pane" aria-label={t("tab.more")}>
          <More table={table} />
        </section>
      </main>
      <nav class="tabs" aria-label={t("nav.table")}>
        {TABS.filter((tab) => (tab.view !== "roll" || table.isPlaying.value) && (tab.view !== "sheet" || !free)).map(
          (tab) => (
            <button
              key={tab.view}
              class={`tab tab-${tab.view}`}
              aria-current={view.value === tab.view ? "page" : undefined}
              data-shown={left.value === tab.view || undefined}
              data-beside={side.value === tab.view || undefined}
              onClick={() => show(tab.view)}
            >
              <Icon name={tab.icon} size={24} />
              <span>{t(`tab.${tab.view}`)}</span>
              {tab.view === "stage" && waiting.value > 0 && (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is part of the name of its button
                <span class="badge" aria-label={t("table.waits", { n: waiting.value })}>
                  {waiting.value}
                </span>
              )}
            </button>
          ),
        )}
      </nav>
    </div>
  );
}

function shortcut(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog")
  )
    return;
  const focus = (selector: string): void =>
    void setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus());
  const doing: Record<string, () => void> = {
    a: () => focus(".ask-bar .button.main"),
    r: () => (show("roll"), focus(".roll-pane :is(button, select, input):not(:disabled)")),
    f: () => (show("feed"), focus(".feed .feed-item[tabindex='0']")),
    s: () => (show("sheet"), focus(".sheet-pane :is(button, select, input):not(:disabled)")),
    c: () => (show("stage"), focus(".stage-pane .decision button")),
    g: () => (show("more"), focus(".more-pane button")),
    "/": () => (show("feed"), (searching.value = true), focus(".feed-search")),
    "?": () => (settingsOpen.value = true),
  };
  const run = doing[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function Offline({ table }: { table: Table }): JSX.Element | null {
  const standing = table.standing.value;
  if (standing === "open" || (standing === "connecting" && !table.ready.value)) return null;
  return (
    <div class="offline" role="status">
      <Icon name="offline" size={20} />
      <span>{t("offline.banner")}</span>
      {table.unsent.value > 0 && <strong>{t("offline.unsent", { n: table.unsent.value })}</strong>}
      {table.unheard.value > 0 && (
        <button class="button small-button" onClick={() => table.takeBack()}>
          <Icon name="undo" size={16} />
          {t("offline.take_back")}
        </button>
      )}
    </div>
  );
}

function Knocking({ table }: { table: Table }): JSX.Element {
  return (
    <main class="empty join" id="main" tabIndex={-1}>
      <div class="panel stack" role="status">
        <Icon name="knock" size={56} />
        <h1>{t("knock.title")}</h1>
        <p>{t("knock.text")}</p>
        <Offline table={table} />
      </div>
    </main>
  );
}

/** Whether one has left, was removed and by whom, or was never let in. */
function overSaid(table: Table): string {
  const me = table.me.value;
  const code = table.over.value?.code;
  if (code === "protocol") return t("over.protocol");
  if (table.atDoor) return t("over.refused");
  const out = table.known().findLast((event) => event.kind === "seat.removed" && event.body?.seat === me?.seat);
  const by = String(out?.body?.by ?? "");
  if (!out) return t(code === "removed" ? "over.removed" : "over.title");
  return by === me?.seat ? t("over.title") : t("over.removed_by", { name: table.nameOf(by) });
}

function Over({ table }: { table: Table }): JSX.Element {
  const over = table.over.value;
  const isOld = over?.code === "protocol";
  return (
    <main class="empty join" id="main" tabIndex={-1}>
      <div class="panel stack" role="alert">
        <Icon name="flag" size={56} />
        <h1>{overSaid(table)}</h1>
        {isOld && (
          <button class="button main" onClick={() => location.reload()}>
            {t("over.reload")}
          </button>
        )}
        {!table.atDoor && !isOld && <p>{over?.message}</p>}
        {!isOld && (
          <a class="button main" href={addressOf("/")} onClick={(event) => (forgetTable(table.id), follow(event))}>
            {t("nav.home")}
          </a>
        )}
      </div>
    </main>
  );
}
