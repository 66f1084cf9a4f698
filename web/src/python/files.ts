// The files that Python comes in, listed with their sizes when the page was built; fetched when Python is first wanted.
import { addressOf, BASE } from "../app/base";

interface File {
  readonly path: string;
  readonly bytes: number;
}
type Name = "script" | "wasm" | "stdlib" | "library";

export type Files = Record<Name, ArrayBuffer>;

// Kept from the first time on, so that Python starts offline; in a place of its own, which outlives a new page.
const KEPT = `rollwright-python ${BASE}`;
const LIST = "/python/files.json";

const isThere = (got: Response): Response => {
  if (!got.ok) throw new Error(`${got.url}: ${got.status}`);
  return got;
};
const fetchedNow = async (path: string): Promise<Response> =>
  isThere(await fetch(addressOf(path), { credentials: "omit" }));
const kept = async (): Promise<Cache | null> => ("caches" in globalThis ? caches.open(KEPT).catch(() => null) : null);

/** The list as it is now, else as it was; what it no longer names is given up. */
async function listed(store: Cache | null): Promise<Record<Name, File>> {
  try {
    const got = await fetchedNow(LIST);
    await store?.put(addressOf(LIST), got.clone());
    const list = (await got.json()) as Record<Name, File>;
    await tidy(store, list);
    return list;
  } catch (why) {
    const old = await store?.match(addressOf(LIST));
    if (!old) throw why;
    return (await old.json()) as Record<Name, File>;
  }
}

async function tidy(store: Cache | null, list: Record<Name, File>): Promise<void> {
  const named = new Set([LIST, ...Object.values(list).map(({ path }) => `/${path}`)].map(addressOf));
  for (const one of (await store?.keys()) ?? []) if (!named.has(new URL(one.url).pathname)) await store!.delete(one);
}

async function file(store: Cache | null, path: string): Promise<Response> {
  const old = await store?.match(addressOf(path));
  if (old) return old;
  const got = await fetchedNow(path);
  // A store that is full costs the next start, never this one.
  void store?.put(addressOf(path), got.clone()).catch(() => undefined);
  return got;
}

/** All of them, unpacked; `come` gets how many bytes there are so far, and how many there will be. */
export async function fetchFiles(come: (bytes: number, total: number) => void): Promise<Files> {
  const store = await kept();
  const list = await listed(store);
  const total = Object.values(list).reduce((sum, { bytes }) => sum + bytes, 0);
  let sofar = 0;
  const counted = (): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> =>
    new TransformStream({ transform: (chunk, out) => (come((sofar += chunk.byteLength), total), out.enqueue(chunk)) });
  const one = async ([name, { path }]: [string, File]): Promise<[string, ArrayBuffer]> => {
    const packed = (await file(store, `/${path}`)).body!.pipeThrough(counted());
    return [name, await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()];
  };
  return Object.fromEntries(await Promise.all(Object.entries(list).map(one))) as Files;
}
