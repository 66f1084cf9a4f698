// Everything beside rolling: people, the referee's side, export, statistics.
import type { ComponentType, JSX } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../app/base";
import { follow, go } from "../app/routes";
import { file, remove } from "../net/rest";
import { forgetTable } from "../net/tokens";
import type { Table } from "../state/table";
import { save } from "../ui/copying";
import { Dialog } from "../ui/dialog";
import { Sure } from "../ui/fields";
import { Icon, type IconName } from "../ui/icons";
import { later } from "../ui/later";
import { tellProblem } from "../ui/live";
import { t, type Key } from "../words";
import { EndSession } from "./end_session";
import { People } from "./people";
import "../sheets/words";
import "../words/coming";

type Inside = ComponentType<{ table: Table; onClose: () => void }>;
interface Entry { key: Key; icon: IconName; open: Inside; referee?: boolean }

const ENTRIES: Entry[] = [
  { key: "ask.title", icon: "bell", open: later(async () => (await import("./ask_dialog")).AskDialog), referee: true },
  { key: "npc.title", icon: "skull", open: later(async () => (await import("./characters")).CharactersDialog), referee: true },
  { key: "links.title", icon: "link", open: later(async () => (await import("./links")).LinksDialog), referee: true },
  { key: "house.title", icon: "gear", open: later(async () => (await import("./house")).HouseDialog) },
  { key: "recap.title", icon: "star", open: later(async () => (await import("../screens/recap")).RecapDialog) },
  { key: "statistics.title", icon: "chart", open: later(async () => (await import("../screens/statistics")).StatisticsDialog) },
  { key: "export.title", icon: "download", open: ExportDialog },
];

export function More({ table }: { table: Table }): JSX.Element {
  const [Open, setOpen] = useState<Inside | null>(null);
  return (
    <div class="stack more">
      <People table={table} />
      <section class="panel menu-list" aria-label={t("more.label")}>
        {ENTRIES.filter((entry) => !entry.referee || table.isReferee.value).map((entry) => (
          <button key={entry.key} class="button" onClick={() => setOpen(() => entry.open)}><Icon name={entry.icon} />{t(entry.key)}</button>
        ))}
        <a class="button" href={addressOf(`/verify#${table.id}`)} onClick={follow}><Icon name="seal" />{t("nav.verify")}</a>
        <a class="button" href={addressOf("/explore")} onClick={follow}><Icon name="compass" />{t("nav.explore")}</a>
        {table.isReferee.value && <EndSession table={table} />}
      </section>
      {Open && <Open table={table} onClose={() => setOpen(null)} />}
    </div>
  );
}

const FILES: { path: string; name: string; key: Key }[] = [
  { path: "log.json", name: "log.json", key: "export.log" },
  { path: "history.md", name: "history.md", key: "export.markdown" },
  { path: "history.csv", name: "history.csv", key: "export.csv" },
];

function ExportDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const fetchIt = (path: string, name: string): void => void file(`/tables/${table.id}/${path}`, { token: table.token }).then((blob) => save(blob, `rollwright-${table.id}-${name}`), tellProblem);
  const destroy = (): void => void remove(`/tables/${table.id}`, { token: table.token }).then(() => (forgetTable(table.id), go("/")), tellProblem);
  return (
    <Dialog title={t("export.title")} onClose={onClose}>
      <p>{t("export.about")}</p>
      <div class="menu-list">
        {FILES.map(({ path, name, key }) => <button key={path} class="button" onClick={() => fetchIt(path, name)}><Icon name="download" />{t(key)}</button>)}
      </div>
      {table.isReferee.value && (
        <section class="stack close">
          <h3>{t("delete.title")}</h3>
          <p class="small soft">{t("delete.about")}</p>
          <div><Sure label={t("delete.title")} sure={t("delete.sure")} onSure={destroy} icon={<Icon name="bin" size={18} />} /></div>
        </section>
      )}
    </Dialog>
  );
}
