// Questions about games and dice: to the server that this page came from, or to this browser's own Python where there
// is none.
import { language } from "../i18n";
import { get, post } from "./http";

/** Whether a host of files has this page: then nobody answers but the browser itself. */
export const ALONE = "static" in document.documentElement.dataset;

const here = async <A>(kind: string, question: object, signal?: AbortSignal): Promise<A> =>
  (await import("../python/offline_queries")).askOffline<A>(kind, question, signal);

/** The answer to a question of this kind. */
export const ask = <A>(kind: string, question: object, signal?: AbortSignal): Promise<A> =>
  ALONE ? here(kind, question, signal) : post<A>(`/${kind}`, question, signal ? { signal } : {});

/** A game's description, in the reader's language; without a name the list of games. */
export const describeGames = <A>(game = ""): Promise<A> =>
  ALONE
    ? here("describe", { language: language.value, ...(game && { game }) })
    : get<A>(`/games${game && `/${game}`}?language=${language.value}`);
