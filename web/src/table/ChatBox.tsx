// A line to say something to the table, or to somebody there.
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { searching } from "./feed_filter";

/**
 * A text that begins so is meant for a program, such as a whisper of another tool; said here, everybody would read it.
 */
const A_COMMAND = /^\s*\//;

export function ChatBox({ table }: { table: Table }): JSX.Element {
  const [text, setText] = useState("");
  const [to, setTo] = useState("all");
  const [refused, setRefused] = useState(false);
  const id = useId();
  const others = table.here.value.filter((seat) => seat.id !== table.me.value?.seat);
  const say = (event: Event): void => {
    event.preventDefault();
    if (!text.trim()) return;
    if (A_COMMAND.test(text)) return setRefused(true);
    // A refused text is there again, unless something else was written meanwhile.
    table
      .send({ do: "chat.send", text: text.trim(), to: to === "all" ? "all" : [to] })
      .catch((problem: Error) => (setText((now) => now || text), showError(problem)));
    setText("");
  };
  return (
    <form class="say" onSubmit={say}>
      {refused && (
        <p class="say-refused" role="alert" id={id}>
          {t("say.command")}
        </p>
      )}
      {text && others.length > 0 && (
        <select
          class="input say-to"
          aria-label={t("say.to")}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        >
          <option value="all">{t("say.all")}</option>
          {others.map((seat) => (
            <option key={seat.id} value={seat.id}>
              {table.nameOf(seat.id)}
            </option>
          ))}
        </select>
      )}
      <div class="row">
        <SearchButton />
        <input
          class="input grow"
          aria-label={t("say.label")}
          placeholder={t("say.label")}
          maxLength={2000}
          value={text}
          aria-invalid={refused || undefined}
          aria-describedby={refused ? id : undefined}
          onInput={(event) => (setText(event.currentTarget.value), setRefused(false))}
        />
        <button class="button round" aria-label={t("say.send")} disabled={!text.trim()}>
          <Icon name="send" size={20} />
        </button>
      </div>
    </form>
  );
}

/** On a small screen the search is one tap away instead of a line above the feed. */
function SearchButton(): JSX.Element {
  const open = (): void => {
    searching.value = true;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".feed-search")?.focus());
  };
  return (
    <button
      type="button"
      class="button quiet round search-button"
      aria-label={t("feed.search")}
      aria-expanded={searching.value}
      onClick={open}
    >
      <Icon name="search" size={20} />
    </button>
  );
}
