// The path of the server on its host: "/", or "/dice/" if a proxy gives it only a part of one. One build serves
// everywhere: every script is in assets/, one below it.
export const BASE = new URL("..", import.meta.url).pathname;

/** The address of a screen, by its path within the page. */
export const addressOf = (path: string): string => BASE + path.slice(1);

/** Prefix of what this browser remembers, so that two servers of one host keep apart. */
export const MINE = `rollwright${BASE.slice(0, -1)}.`;
