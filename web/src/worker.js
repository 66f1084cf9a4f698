// Keeps the shell of the page at hand, and only that: nothing of any table is ever stored here.
// SHELL names its files as they lie beside this one; "" is the page itself.
const HOME = new URL("./", location).pathname;
const MINE = `rollwright ${HOME} `;
const CACHE = MINE + VERSION;
const FILES = new Set(SHELL.map((name) => HOME + name));
const SCREEN = /^(|roll|explore|verify|t\/[a-z2-7]{12})\/?$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...FILES])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  // Only one's own: another server may lie below the same host.
  const old = caches.keys().then((names) =>
    Promise.all(names.filter((name) => name.startsWith(MINE) && name !== CACHE).map((name) => caches.delete(name))),
  );
  event.waitUntil(old.then(() => self.clients.claim()));
});

const stored = (path) => caches.open(CACHE).then((cache) => cache.match(path));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(HOME)) return;
  if (request.mode === "navigate") {
    if (!SCREEN.test(url.pathname.slice(HOME.length))) return;
    // A newer page is taken when there is one; without a network the shell still opens.
    event.respondWith(fetch(request).then((answer) => (answer.ok ? answer : stored(HOME).then((kept) => kept ?? answer))).catch(() => stored(HOME)));
  } else if (FILES.has(url.pathname)) {
    event.respondWith(stored(url.pathname).then((kept) => kept ?? fetch(request)));
  }
});
