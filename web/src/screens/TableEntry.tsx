// A table's address: find out who one is there, join if need be, then sit down.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { addressOf } from "../app/base";
import { follow, go } from "../app/routes";
import { OfflineError, get, type RequestError } from "../net/http";
import { parseHandover, isWatching, knownTable, looksLikeToken, rememberTable } from "../net/tokens";
import type { SnapshotAnswer } from "../net/shapes";
import type { Role } from "../state/types";
import { Icon, Mark } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";

const Loading = (): JSX.Element => (
  <main class="loading" id="main" aria-busy="true" aria-label={t("app.loading")}>
    <Mark size={56} />
  </main>
);
const JoinScreen = lazy(async () => (await import("./JoinScreen")).JoinScreen, Loading);
const TableScreen = lazy(async () => (await import("./TableScreen")).TableScreen, Loading);

type Found =
  | { at: "looking" }
  | { at: "seat"; token: string }
  | { at: "link"; token: string; role: Role; title: string; game: string; host: string }
  | { at: "shut"; why: string; away?: boolean };

export default function TableEntry({ table = "", token = "" }: { table?: string; token?: string }): JSX.Element {
  const [found, setFound] = useState<Found>({ at: "looking" });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    void whoAmI(table, token).then((next) => {
      setFound(next);
      // The browser keeps the secret now, so the address need not have it.
      if (token && next.at === "seat") go(`/t/${table}`, { replace: true });
    });
  }, [table, token, tries]);
  const sit = (mine: string): void => {
    // A player has a seat of their own; the link in the address is for others. A watcher has only the link.
    if (mine !== parseHandover(token).token) go(`/t/${table}`, { replace: true });
    setFound({ at: "seat", token: mine });
  };
  if (found.at === "looking") return <Loading />;
  if (found.at === "seat") return <TableScreen key={found.token} id={table} token={found.token} />;
  if (found.at === "link") {
    return <JoinScreen table={table} link={found} onJoined={(mine) => sit(mine)} />;
  }
  return (
    <main id="main" class="plain-page empty" tabIndex={-1}>
      <Icon name={found.away ? "offline" : "knock"} size={48} />
      <h1>{t("join.shut")}</h1>
      <p>{found.why}</p>
      <div class="row">
        <button class="button" onClick={() => setTries(tries + 1)}>
          {t("do.again")}
        </button>
        <a class="button" href={addressOf("/")} onClick={follow}>
          {t("nav.home")}
        </a>
      </div>
    </main>
  );
}

async function whoAmI(table: string, fragment: string): Promise<Found> {
  const known = knownTable(table);
  const handed = parseHandover(fragment);
  const both = [known?.token ?? "", handed.token];
  // A browser that lost its key takes the seat again by the link that hands one over.
  const tokens = [...new Set(handed.seed && !known?.seed ? both.reverse() : both)].filter(looksLikeToken);
  let why = t("join.nolink");
  let link: Found | null = null;
  for (const token of tokens) {
    try {
      const seen = await get<SnapshotAnswer>(`/tables/${table}`, { token });
      if (seen.you) {
        rememberTable(table, { token, seat: seen.you.seat, ...(token === handed.token ? { seed: handed.seed } : {}) });
        return { at: "seat", token };
      }
      if (!seen.door && isWatching(table, token)) return { at: "seat", token };
      // A link for players or referees shows the door only; a spectator's shows the table already.
      const { title, game } = seen.door ?? seen.table ?? {};
      const host = seen.door
        ? seen.door.host
        : seen.seats?.find((seat) => seat.role === "referee" && seat.status === "here")?.name;
      link ??= {
        at: "link",
        token,
        role: seen.door?.role ?? "spectator",
        title: title ?? "",
        game: game ?? "",
        host: host ?? "",
      };
    } catch (problem) {
      if (problem instanceof OfflineError) {
        // Somebody who has sat here before sees the table come back by itself.
        if (known?.token) return { at: "seat", token: known.token };
        return { at: "shut", why: t("problem.away"), away: true };
      }
      if ((problem as RequestError).code !== "unauthorized") why = (problem as RequestError).message || why;
    }
  }
  return link ?? { at: "shut", why };
}
