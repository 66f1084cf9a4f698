// Everything beside rolling: people, the referee's side, export, statistics.
import type { ComponentType, JSX } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../app/base";
import { follow, go } from "../app/routes";
import { file, remove } from "../net/http";
import { forgetTable } from "../net/tokens";
import type { Table } from "../state/table";
import { save } from "../ui/clipboard";
import { Dialog } from "../ui/Dialog";
import { ConfirmButton } from "../ui/fields";
import { Icon, type IconName } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { showError } from "../ui/announcer";
import { t, type Key } from "../i18n";
import { EndSession } from "./EndSession";
import { People } from "./People";
import "../sheets/words";
import "../i18n/coming";

const Compared = lazy(async () => (await import("./FairnessDialog")).HeadComparison);

type Inside = ComponentType<{ table: Table; onClose: () => void }>;
interface Entry {
  key: Key;
  icon: IconName;
  open: Inside;
  referee?: boolean;
}

const ENTRIES: Entry[] = [
  {
    key: "ask.title",
    icon: "bell",
    open: lazy(async () => (await import("./RollRequestDialog")).RollRequestDialog),
    referee: true,
  },
  {
    key: "npc.title",
    icon: "skull",
    open: lazy(async () => (await import("./CharactersDialog")).CharactersDialog),
    referee: true,
  },
  {
    key: "links.title",
    icon: "link",
    open: lazy(async () => (await import("./LinksDialog")).LinksDialog),
    referee: true,
  },
  { key: "house.title", icon: "gear", open: lazy(async () => (await import("./TableSettings")).TableSettings) },
  { key: "recap.title", icon: "star", open: lazy(async () => (await import("../screens/RecapDialog")).RecapDialog) },
  {
    key: "statistics.title",
    icon: "chart",
    open: lazy(async () => (await import("../screens/StatisticsDialog")).StatisticsDialog),
  },
  { key: "export.title", icon: "download", open: ExportDialog },
];

export function More({ table }: { table: Table }): JSX.Element {
  const [Open, setOpen] = useState<Inside | null>(null);
  return (
    <div class="stack more">
      <People table={table} />
      <section class="panel menu-list" aria-label={t("more.label")}>
        {ENTRIES.filter((entry) => !entry.referee || table.isReferee.value).map((entry) => (
          <button key={entry.key} class="button" onClick={() => setOpen(() => entry.open)}>
            <Icon name={entry.icon} />
            {t(entry.key)}
          </button>
        ))}
        <a class="button" href={addressOf(`/verify#${table.id}`)} onClick={follow}>
          <Icon name="seal" />
          {t("nav.verify")}
        </a>
        <a class="button" href={addressOf("/explore")} onClick={follow}>
          <Icon name="compass" />
          {t("nav.explore")}
        </a>
        {table.isReferee.value && <EndSession table={table} />}
      </section>
      <Compared table={table} />
      {Open && <Open table={table} onClose={() => setOpen(null)} />}
    </div>
  );
}

interface Exported {
  path: string;
  name: string;
  key: Key;
}

/** Exports of what everybody may see, to be shared. */
const EVERYBODYS: Exported[] = [
  { path: "history.md", name: "history.md", key: "export.markdown" },
  { path: "history.csv", name: "history.csv", key: "export.csv" },
  { path: "log.json?for=everybody", name: "log.json", key: "export.public_log" },
];
/** All that we may see: its names say whose it is. */
const OWN: Exported[] = [
  { path: "log.json", name: "log.json", key: "export.log" },
  { path: "history.md?for=me", name: "history.md", key: "export.own_markdown" },
  { path: "history.csv?for=me", name: "history.csv", key: "export.own_csv" },
];

function ExportDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const seat = table.me.value?.seat;
  const fetchIt = (path: string, name: string): void =>
    void file(`/tables/${table.id}/${path}`, { token: table.token }).then(
      (blob) => save(blob, `rollwright-${table.id}-${name}`),
      showError,
    );
  const files = (all: Exported[], whose = ""): JSX.Element => (
    <div class="menu-list">
      {all.map(({ path, name, key }) => (
        <button key={path} class="button" onClick={() => fetchIt(path, whose + name)}>
          <Icon name="download" />
          {t(key)}
        </button>
      ))}
    </div>
  );
  const destroy = (): void =>
    void remove(`/tables/${table.id}`, { token: table.token }).then(() => (forgetTable(table.id), go("/")), showError);
  return (
    <Dialog title={t("export.title")} onClose={onClose}>
      <section class="stack close" aria-labelledby="export-everybody">
        <h3 id="export-everybody">{t("export.everybody")}</h3>
        <p class="small soft">{t("export.everybody.about")}</p>
        {files(EVERYBODYS)}
      </section>
      {seat && (
        <section class="stack close" aria-labelledby="export-own">
          <h3 id="export-own">{t("export.own")}</h3>
          <p class="small soft">{t("export.own.about")}</p>
          {files(OWN, `${seat}-`)}
        </section>
      )}
      {table.isReferee.value && (
        <section class="stack close">
          <h3>{t("delete.title")}</h3>
          <p class="small soft">{t("delete.about")}</p>
          <div>
            <ConfirmButton
              label={t("delete.title")}
              sure={t("delete.sure")}
              onSure={destroy}
              icon={<Icon name="bin" size={18} />}
            />
          </div>
        </section>
      )}
    </Dialog>
  );
}
