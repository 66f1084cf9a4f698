// The feed: what happened at the table, newest below, nothing jumping away while one reads.
import { Fragment, type JSX } from "preact";
import { memo } from "./memo";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Table } from "../state/table";
import { isMotionOff } from "../app/settings";
import { Icon } from "../ui/icons";
import { rove } from "../ui/roving";
import { locale, t } from "../i18n";
import { groupEdits, type FeedRow } from "./edit_groups";
import { EventLine } from "./EventLine";
import { EditsLine, RollLine } from "./feed_lines";
import { feedFilter, applyFilter, hasFilter } from "./feed_filter";
import { FeedTools } from "./FeedTools";
import { SearchBack, useSearchBack } from "./SearchBack";
import { ChatBox } from "./ChatBox";

const STEP = 60;
const NEAR = 90;
const JUST_NOW = 1000;

export function Feed({ table }: { table: Table }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(STEP);
  const [seen, setSeen] = useState(table.head.value);
  const atEnd = useRef(true);
  const lastTop = useRef(0);
  const anchor = useRef<{ height: number; top: number } | null>(null);
  const all = groupEdits(applyFilter(table.items.value, feedFilter.value, table));
  const shown = all.slice(-count);
  const head = table.head.value;
  const searches = hasFilter(feedFilter.value);
  const searchOn = useSearchBack(table, all.length);
  const mine = newestOfMine(table);
  const mineSeen = useRef(mine);

  // One's own roll is always brought into view, wherever one was reading.
  if (mine > mineSeen.current) atEnd.current = true;
  mineSeen.current = Math.max(mine, mineSeen.current);

  // A reader at the end stays at the end; one further up stays there.
  useLayoutEffect(() => {
    const box = scroller.current!;
    if (anchor.current) {
      box.scrollTop = anchor.current.top + (box.scrollHeight - anchor.current.height);
      anchor.current = null;
    } else if (atEnd.current) lastTop.current = toEnd(box);
  });
  useEffect(() => {
    const box = scroller.current!;
    const watch = new ResizeObserver(() => atEnd.current && (lastTop.current = toEnd(box)));
    watch.observe(box);
    watch.observe(box.querySelector(".feed")!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (atEnd.current && head !== seen) setSeen(head);
  });

  const older = (): void => {
    const box = scroller.current!;
    anchor.current = { height: box.scrollHeight, top: box.scrollTop };
    if (count < all.length) setCount(count + STEP);
    else if (table.older.value === "some") void table.loadOlder().then(() => setCount((now) => now + STEP));
    else anchor.current = null;
  };
  const onScroll = (): void => {
    const box = scroller.current!;
    // Only scrolling up leaves the end; a card that grows below does not push anybody away.
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR) atEnd.current = true;
    else if (box.scrollTop < lastTop.current - 2) atEnd.current = false;
    lastTop.current = box.scrollTop;
    if (atEnd.current && seen !== table.head.value) setSeen(table.head.value);
    if (box.scrollTop < 400 && (count < all.length || (table.older.value === "some" && !searches)) && !anchor.current)
      older();
  };
  const down = (): void => {
    atEnd.current = true;
    setSeen(table.head.value);
    toEnd(scroller.current!, isMotionOff() ? "instant" : "smooth");
  };
  const fresh = all.filter((item) => newest(item) > seen).length;

  return (
    <div class="feed-box">
      <FeedTools table={table} />
      <div class="feed-scroll" ref={scroller} onScroll={onScroll}>
        {/* Whoever opens a line reads there. */}
        <ol
          class="feed"
          aria-label={t("feed.label")}
          onClick={() => (atEnd.current = false)}
          onKeyDown={(event) => rove(event, ".feed-item")}
        >
          {searches && <SearchBack table={table} onMore={searchOn} />}
          {(count < all.length || (table.older.value !== "none" && !searches)) && (
            <li class="feed-older">
              <button class="button quiet" disabled={table.older.value === "loading"} onClick={older}>
                {table.older.value === "loading" ? t("feed.loading") : t("feed.older")}
              </button>
            </li>
          )}
          {!shown.length && (
            <li class="empty">
              <Icon name="die" size={44} />
              <p>
                {table.items.value.length
                  ? t(table.older.value === "none" ? "feed.nothing" : "search.none")
                  : t(table.isPlaying.value ? "feed.empty" : "feed.quiet")}
              </p>
            </li>
          )}
          {shown.map((item, place) => {
            const day = dayOf(item);
            return (
              <Fragment key={item.key}>
                {day !== dayOf(shown[place - 1]) && (
                  <li key={`d${day}`} class="feed-day">
                    <span>{day}</span>
                  </li>
                )}
                <Item item={item} table={table} last={place === shown.length - 1} />
              </Fragment>
            );
          })}
        </ol>
      </div>
      {fresh > 0 && !atEnd.current && (
        <button class="button main feed-new" onClick={down}>
          <Icon name="down" size={18} />
          {t("feed.new", { n: fresh })}
        </button>
      )}
      {table.isPlaying.value && <ChatBox table={table} />}
    </div>
  );
}

/** The place in the log of the newest step of one's own rolls, of those that were made just now. */
const newestOfMine = (table: Table): number =>
  table.items.value.findLast(
    (item) => "roll" in item && item.roll.by === table.me.value?.seat && table.arrived.has(item.place),
  )?.place ?? 0;

const newest = (item: FeedRow): number => ("roll" in item ? item.roll.last : item.place);

const dayOf = (item: FeedRow | undefined): string =>
  item ? new Date(item.at).toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long" }) : "";

function toEnd(box: HTMLElement, how: ScrollBehavior = "instant"): number {
  const top = box.scrollHeight - box.clientHeight;
  if (Math.abs(box.scrollTop - top) >= 1) box.scrollTo({ top, behavior: how });
  return top;
}

/** Opens the middle of a line by Enter too, from the line that the arrows lead to. */
function press(event: KeyboardEvent): void {
  const line = event.currentTarget as HTMLElement;
  if (event.target !== line || (event.key !== "Enter" && event.key !== " ")) return;
  line.querySelector<HTMLElement>(".feed-line")?.click();
  event.preventDefault();
}

const Item = memo(
  function Item({ item, table, last }: { item: FeedRow; table: Table; last: boolean }): JSX.Element {
    return (
      <li
        class={`feed-item ${"roll" in item ? "is-roll" : "is-line"}`}
        tabIndex={last ? 0 : -1}
        id={`item-${item.key}`}
        data-fresh={performance.now() - (table.arrived.get(item.place) ?? -Infinity) < JUST_NOW || undefined}
        onKeyDown={press}
      >
        {"roll" in item ? (
          <RollLine roll={item.roll} table={table} />
        ) : "edits" in item ? (
          <EditsLine burst={item} table={table} />
        ) : (
          <EventLine event={item.event} table={table} />
        )}
      </li>
    );
  },
  // A line is redrawn only when its roll was folded again.
  (one, other) =>
    one.last === other.last &&
    one.item.place === other.item.place &&
    ("roll" in one.item && "roll" in other.item ? one.item.roll === other.item.roll : one.item.key === other.item.key),
);
