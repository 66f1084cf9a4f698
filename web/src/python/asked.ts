// What a server would be asked, asked of Python in this browser: refused and out of reach as a server is.
import { Away, Refused } from "../net/rest";
import { t } from "../words";
import { askPython, Stopped } from "./index";

/** What is counted ahead or beside; whatever somebody waits for goes before it. */
const BESIDE = new Set(["preview", "compare"]);

/** What takes too long is too much to count, as it is for a server. */
const asServed = (why: Stopped): Error =>
  why.why === "unreachable" ? new Away(why.details) : new Refused("too_much_work", t("panel.too_much_here"));

export function asked<A>(kind: string, question: object, signal?: AbortSignal): Promise<A> {
  return askPython<A>(kind, question, { ...(signal ? { signal } : {}), first: !BESIDE.has(kind) }).catch(
    (why: unknown) => Promise.reject(why instanceof Stopped ? asServed(why) : why),
  );
}
