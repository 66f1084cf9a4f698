// The current place in the page; secrets stay in the fragment, which no server sees.
import { signal } from "@preact/signals";
import { addressOf, BASE } from "./base";

export interface Route {
  path: string;
  token: string;
}

// The path is relative to the page's root.
const here = (): Route => ({
  path: `/${location.pathname.slice(BASE.length)}`.replace(/\/+(index\.html)?$/, "") || "/",
  token: location.hash.slice(1),
});

export const route = signal<Route>(here());

addEventListener("popstate", () => (route.value = here()));
addEventListener("hashchange", () => (route.value = here()));

export function go(path: string, how: { replace?: boolean } = {}): void {
  show(addressOf(path), how);
}

function show(address: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  route.value = here();
  scrollTo(0, 0);
}

/** For a link that stays a link: opened elsewhere on a modified click, followed here on a plain one. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as Element).closest("a");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  show(link.getAttribute("href")!);
}
