// For streaming software: the roll that everybody watches, on nothing at all, as a spectator sees it.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { route } from "../app/routes";
import { movesHere } from "../dice/motion";
import type { SnapshotAnswer } from "../net/shapes";
import { get, RequestError } from "../net/http";
import { looksLikeToken } from "../net/tokens";
import { Table } from "../state/table";
import { t } from "../i18n";
import "../i18n/overlay";
import { OverlayRoll } from "./OverlayRoll";
import { doneLast, overlayRoll, stays } from "./overlay_roll";

type Found = { at: "looking" } | { at: "table"; table: string; token: string } | { at: "shut"; why: string };

/** Milliseconds until a server that does not answer is asked again: nobody sits there to press a button. */
const AGAIN = 5000;
/** Errors that no later try will change. */
const FOR_GOOD = /^(unauthorized|forbidden|not_found|gone|bad_\w+)$/;

export default function Overlay(): JSX.Element {
  const [found, setFound] = useState<Found>({ at: "looking" });
  const [tries, setTries] = useState(0);
  const fragment = route.value.token;
  useEffect(() => {
    let timer = 0;
    const again = (): void => void (timer = window.setTimeout(() => setTries(tries + 1), AGAIN));
    void admitted(fragment).then(setFound, (problem: unknown) => {
      if (problem instanceof RequestError && FOR_GOOD.test(problem.code))
        setFound({ at: "shut", why: t("overlay.shut") });
      else again();
    });
    return () => clearTimeout(timer);
  }, [fragment, tries]);
  return (
    <main class="overlay" id="main" tabIndex={-1}>
      {found.at === "shut" && (
        <p class="overlay-card felt" role="alert">
          {found.why}
        </p>
      )}
      {found.at === "table" && <Watched key={found.token} id={found.table} token={found.token} />}
    </main>
  );
}

/** Whom a fragment lets in: the link for spectators alone, never one that may do or see more. */
async function admitted(fragment: string): Promise<Found> {
  const [table = "", token = ""] = fragment.split(".");
  if (!looksLikeToken(token)) return { at: "shut", why: t("overlay.shut") };
  const seen = await get<SnapshotAnswer>(`/tables/${table}`, { token });
  return seen.you || seen.door ? { at: "shut", why: t("overlay.spectators") } : { at: "table", table, token };
}

function Watched({ id, token }: { id: string; token: string }): JSX.Element | null {
  const table = useMemo(() => new Table(id, token), [id, token]);
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    table.watched = () => (movesHere() ? (doneLast(table)[0]?.id ?? "") : "");
    return () => table.leave();
  }, [table]);
  const shown = table.ready.value ? overlayRoll(table, now) : undefined;
  // Ended rolls disappear by themselves.
  const until = shown ? stays(shown, table) : Infinity;
  useEffect(() => {
    if (until === Infinity) return undefined;
    const timer = setTimeout(() => setNow(performance.now()), until - performance.now() + 1);
    return () => clearTimeout(timer);
  }, [until]);
  if (table.over.value)
    return (
      <p class="overlay-card felt" role="alert">
        {t("overlay.shut")}
      </p>
    );
  return shown ? (
    <div class="overlay-card felt">
      <OverlayRoll key={shown.id} roll={shown} table={table} />
    </div>
  ) : null;
}
