// The server's questions, asked of Python in this browser: refused and out of reach as by a server.
import { Away, Refused } from "../net/rest";
import { t } from "../words";
import { askPython, Stopped } from "./index";

/** Questions asked ahead or beside; those that somebody waits for go first. */
const BESIDE = new Set(["preview", "compare"]);

/** A count that takes too long fails as too much, as it does on a server. */
const asServed = (why: Stopped): Error =>
  why.why === "unreachable" ? new Away(why.details) : new Refused("too_much_work", t("panel.too_much_here"));

export function asked<A>(kind: string, question: object, signal?: AbortSignal): Promise<A> {
  return askPython<A>(kind, question, { ...(signal ? { signal } : {}), first: !BESIDE.has(kind) }).catch(
    (why: unknown) => Promise.reject(why instanceof Stopped ? asServed(why) : why),
  );
}
