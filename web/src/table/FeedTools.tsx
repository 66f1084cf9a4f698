// Search and filter above the feed.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { feedFilter, hasFilter, searching, showAll, type Kind } from "./feed_filter";

const KINDS: Kind[] = ["", "rolls", "said", "sheets", "people"];

export function FeedTools({ table }: { table: Table }): JSX.Element {
  const filter = feedFilter.value;
  const active = hasFilter(filter) || !!filter.text;
  const [open, setOpen] = useState(false);
  const set = (change: Partial<typeof filter>): void => void (feedFilter.value = { ...filter, ...change });
  return (
    <div
      class="feed-tools"
      data-open={searching.value || active || undefined}
      role="search"
      aria-label={t("feed.search")}
    >
      <div class="row tools-line">
        <span class="search-box grow">
          <Icon name="search" size={18} />
          <input
            class="feed-search"
            type="search"
            aria-label={t("feed.search")}
            placeholder={t("feed.search")}
            value={filter.text}
            onInput={(event) => set({ text: event.currentTarget.value })}
          />
        </span>
        <button
          class={`button quiet ${open || filter.who || filter.kind ? "on" : ""}`}
          aria-expanded={open}
          aria-label={t("feed.filter")}
          onClick={() => setOpen(!open)}
        >
          <Icon name="filter" size={18} />
          <span class="tools-word">{t("feed.filter")}</span>
        </button>
        {(active || searching.value) && (
          <button class={`button quiet ${active ? "" : "tools-away"}`} onClick={showAll}>
            <Icon name="cross" size={18} />
            <span class="unseen">{t("feed.all")}</span>
          </button>
        )}
      </div>
      {open && (
        <div class="row tools-filter">
          <select
            class="input"
            aria-label={t("feed.who")}
            value={filter.who}
            onChange={(event) => set({ who: event.currentTarget.value })}
          >
            <option value="">{t("feed.who.all")}</option>
            {table.seats.value
              .filter((seat) => seat.status === "here")
              .map((seat) => (
                <option key={seat.id} value={seat.id}>
                  {table.nameOf(seat.id)}
                </option>
              ))}
          </select>
          <select
            class="input"
            aria-label={t("feed.kind")}
            value={filter.kind}
            onChange={(event) => set({ kind: event.currentTarget.value as Kind })}
          >
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`feed.kind.${kind || "all"}`)}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}
