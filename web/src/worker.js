// Keeps the shell of the page at hand, and only that: nothing of any table is ever stored here.
const CACHE = `rollwright-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) =>
    Promise.all(names.filter((name) => name.startsWith("rollwright-") && name !== CACHE).map((name) => caches.delete(name))),
  );
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") {
    // A newer page is taken when there is one; without a network the shell still opens.
    event.respondWith(fetch(request).then((answer) => (answer.ok ? answer : caches.match("/").then((kept) => kept ?? answer))).catch(() => caches.match("/")));
  } else if (SHELL.includes(url.pathname)) {
    event.respondWith(caches.match(url.pathname).then((kept) => kept ?? fetch(request)));
  }
});
