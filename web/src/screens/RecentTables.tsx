// One's tables, by name: to go back to them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../app/base";
import { faceOf } from "../app/settings";
import { follow } from "../app/routes";
import { forgetTable, knownTables } from "../net/tokens";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { aboutTable, gameOf, titleOf } from "./known_tables";

export function RecentTables(): JSX.Element | null {
  const [tables, setTables] = useState(knownTables());
  const onForget = (id: string): void => (forgetTable(id), setTables(knownTables()));
  const all = Object.entries(tables)
    .filter(([, about]) => about.token)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, 8);
  if (!all.length) return null;
  return (
    <section class="panel" aria-labelledby="yours-title">
      <header>
        <h2 id="yours-title">{t("start.yours")}</h2>
      </header>
      <ul class="yours">
        {all.map(([id, about]) => (
          <li class="row" key={id}>
            <a
              style={faceOf(gameOf(about))?.style}
              class={`button grow ${faceOf(gameOf(about))?.class ?? ""}`}
              href={addressOf(`/t/${id}`)}
              onClick={follow}
            >
              <Icon name="table" />
              <span class="grow">
                <strong>{titleOf(about)}</strong>
                <span class="small soft">{aboutTable(about)}</span>
              </span>
              <Icon name="right" size={18} />
            </a>
            <button
              class="button quiet round"
              aria-label={t("start.forget", { title: titleOf(about) })}
              onClick={() => onForget(id)}
            >
              <Icon name="cross" size={18} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
