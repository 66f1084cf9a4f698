// How far back the feed was looked through: by hand without a filter, by itself with one.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Table } from "../state/table";
import { locale, t } from "../i18n";
import { feedFilter, hasFilter } from "./feed_filter";

/** As many finds are enough at first, and as many pages are looked through for them at once. */
const ENOUGH = 30;
const PAGES = 8;
const TYPED = 350;

/** While somebody searches, earlier pages are fetched until enough is found. */
export function useSearchBack(table: Table, found: number): () => void {
  const filter = feedFilter.value;
  const left = useRef(0);
  const wanted = useRef(ENOUGH);
  const online = table.standing.value === "open";
  const on = (): void => {
    if (left.current <= 0 || found >= wanted.current || table.older.value !== "some" || !online) return;
    left.current -= 1;
    void table.loadOlder();
  };
  useEffect(() => {
    left.current = 0;
    if (!hasFilter(filter)) return;
    const timer = setTimeout(() => {
      left.current = PAGES;
      wanted.current = ENOUGH;
      on();
    }, TYPED);
    return () => clearTimeout(timer);
  }, [filter]);
  useEffect(on, [table.older.value, found]);
  return () => {
    left.current = PAGES;
    wanted.current = found + ENOUGH;
    on();
  };
}

export function SearchBack({ table, onMore }: { table: Table; onMore: () => void }): JSX.Element {
  const older = table.older.value;
  const first = table.items.value[0];
  const since = first && new Date(first.at).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
  return (
    <li class="feed-older" role="status">
      <p class="small soft">{older === "none" ? t("search.all") : since && t("search.since", { when: since })}</p>
      {older !== "none" && (
        <button class="button quiet" disabled={older === "loading"} onClick={onMore}>
          {t(older === "loading" ? "feed.loading" : "search.on")}
        </button>
      )}
    </li>
  );
}
