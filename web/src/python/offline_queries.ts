// The server's questions, asked of Python in this browser: refused and out of reach as by a server.
import { OfflineError, RequestError } from "../net/http";
import { t } from "../i18n";
import { askPython, PythonStopped } from "./index";

/** Questions asked ahead or beside; those that somebody waits for go first. */
const BESIDE = new Set(["preview", "compare"]);

/** A count that takes too long fails as too much, as it does on a server. */
const asServed = (why: PythonStopped): Error =>
  why.why === "unreachable"
    ? new OfflineError(why.details)
    : new RequestError("too_much_work", t("panel.too_much_here"));

export function askOffline<A>(kind: string, question: object, signal?: AbortSignal): Promise<A> {
  return askPython<A>(kind, question, { ...(signal ? { signal } : {}), first: !BESIDE.has(kind) }).catch(
    (why: unknown) => Promise.reject(why instanceof PythonStopped ? asServed(why) : why),
  );
}
