// Keeps the shell of the page at hand, and only that: nothing of any table is ever stored here.
// SHELL names its files as they lie beside this one; "" is the page itself.
const HOME = new URL("./", location).pathname;
const MINE = `rollwright ${HOME} `;
const CACHE = MINE + VERSION;
const FILES = new Set(SHELL.map((name) => HOME + name));
// What is stored once a screen that has fetched it says so: LATER.
const HEAVY = new Set(LATER.map((name) => HOME + name));
const SCREEN = /^(|roll|explore|verify|workbench|t\/[a-z2-7]{12})\/?$/;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([...FILES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  // Only one's own: another server may lie below the same host.
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(names.filter((name) => name.startsWith(MINE) && name !== CACHE).map((name) => caches.delete(name))),
    );
  event.waitUntil(old.then(() => self.clients.claim()));
});

const stored = (path) => caches.open(CACHE).then((cache) => cache.match(path));
// A screen may have a page of its own, which on a host of files names all others from where it lies: in its folder.
const screen = async (url) => {
  const folder = url.pathname.replace(/\/?$/, "/");
  const kept = await stored(folder);
  if (kept && folder !== url.pathname) return Response.redirect(folder + url.search);
  return kept ?? stored(HOME);
};
const isThere = (answer) => answer.ok || answer.type === "opaqueredirect";

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(HOME)) return;
  if (request.mode === "navigate") {
    if (!SCREEN.test(url.pathname.slice(HOME.length))) return;
    // A newer page is taken when there is one; without a network the shell still opens.
    event.respondWith(
      fetch(request)
        .then((answer) => (isThere(answer) ? answer : screen(url).then((kept) => kept ?? answer)))
        .catch(() => screen(url)),
    );
  } else if (FILES.has(url.pathname) || HEAVY.has(url.pathname)) {
    event.respondWith(stored(url.pathname).then((kept) => kept ?? fetch(request)));
  }
});

self.addEventListener("message", (event) => {
  const wanted = (Array.isArray(event.data?.keep) ? event.data.keep : []).filter((path) => HEAVY.has(path));
  event.waitUntil?.(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(wanted))
      .catch(() => undefined),
  );
});
