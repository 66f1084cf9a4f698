/** Worked mechanics to begin with: there before Python is, so that nobody waits to look around. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { addressOf } from "../app/base";
import type { GalleryAnswer } from "../net/shapes";
import { Dialog } from "../ui/Dialog";
import { language, t } from "../i18n";

/** How many are shown to begin with. */
const MOST = 4;

const Item = ({
  item,
  onTake,
}: {
  item: GalleryAnswer["items"][number];
  onTake: (text: string) => void;
}): JSX.Element => (
  <li>
    <button type="button" class="button gallery-item" onClick={() => onTake(item.text)}>
      <b>{item.title}</b>
      <span>{item.question}</span>
    </button>
  </li>
);

export function Gallery({ onTake, onClose }: { onTake: (text: string) => void; onClose: () => void }): JSX.Element {
  const found = useSignal<GalleryAnswer | null>(null);
  const failed = useSignal(false);
  const sought = useSignal("");
  useEffect(
    () =>
      void galleryIn(language.value).then(
        (answer) => (found.value = answer),
        () => (failed.value = true),
      ),
    [language.value],
  );
  const isSought = (...texts: string[]): boolean =>
    texts.join(" ").toLowerCase().includes(sought.value.trim().toLowerCase());
  return (
    <Dialog title={t("bench.gallery")} onClose={onClose} broad>
      {failed.value && <p class="notice bad">{t("python.stopped.unreachable")}</p>}
      <input
        class="input"
        type="search"
        aria-label={t("bench.search")}
        placeholder={t("bench.search")}
        value={sought.value}
        onInput={(event) => (sought.value = event.currentTarget.value)}
      />
      {found.value?.groups.map((group) => {
        const items = found.value!.items.filter(
          (item) => item.group === group.name && isSought(item.title, item.question, item.told),
        );
        return (
          items.length > 0 && (
            <section key={group.name} class="gallery-group">
              <h3>{group.title}</h3>
              <ul class="gallery">
                {items.map((item) => (
                  <Item key={item.name} item={item} onTake={onTake} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </Dialog>
  );
}

/** A few of them for somebody who has written nothing yet: the first of each group. */
export function Beginnings({ onTake }: { onTake: (text: string) => void }): JSX.Element | null {
  const found = useSignal<GalleryAnswer | null>(null);
  useEffect(
    () =>
      void galleryIn(language.value).then(
        (answer) => (found.value = answer),
        () => undefined,
      ),
    [language.value],
  );
  const firsts = found.value?.groups
    .flatMap((group) => found.value!.items.filter((item) => item.group === group.name).slice(0, 1))
    .slice(0, MOST);
  if (!firsts?.length) return null;
  return (
    <section class="output beginnings">
      <h2 class="output-name">{t("bench.begin")}</h2>
      <ul class="gallery">
        {firsts.map((item) => (
          <Item key={item.name} item={item} onTake={onTake} />
        ))}
      </ul>
    </section>
  );
}

const known = new Map<string, Promise<GalleryAnswer>>();

function galleryIn(code: string): Promise<GalleryAnswer> {
  let found = known.get(code);
  if (!found) {
    found = fetch(addressOf(`/python/gallery-${code}.json`), { credentials: "omit" }).then((got) =>
      got.ok ? (got.json() as Promise<GalleryAnswer>) : Promise.reject(new Error(got.statusText)),
    );
    known.set(code, found);
    found.catch(() => known.delete(code));
  }
  return found;
}
