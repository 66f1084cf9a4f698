// Where the server lies below its host: "/", or "/dice/" where a proxy gives it only a part of one.
// One build serves everywhere: every script lies in assets/, one below it.
export const BASE = new URL("..", import.meta.url).pathname;

/** The address of a screen, by its path within the page. */
export const addressOf = (path: string): string => BASE + path.slice(1);

/** What this browser remembers has this before its name, so that two servers of one host keep apart. */
export const MINE = `rollwright${BASE.slice(0, -1)}.`;
