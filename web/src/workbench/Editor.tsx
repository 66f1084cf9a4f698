/** The editor of a program: a plain field at once, and the full editor in its place when it has loaded. */
import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { addressOf } from "../app/base";
import { t } from "../i18n";
import type { Editor as Made } from "./codemirror";
import type { Work } from "./work";

/** Keeps what was fetched for this screen alone available without a network. */
function keepFetched(): void {
  const keep = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ keep }));
}

/** How much of the page the results lie over, where they stay in sight above the editor. */
function covered(): number {
  const results = document.querySelector(".workbench-results");
  return results && getComputedStyle(results).position === "sticky" ? results.clientHeight : 0;
}

export function Editor({ work, onMade }: { work: Work; onMade: (editor: Made) => void }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const made = useSignal<Made | null>(null);
  useEffect(() => {
    let stop = (): void => {};
    import("./codemirror").then(
      ({ mount }) => {
        if (!host.current) return;
        const editor = mount(host.current, {
          text: work.text.peek(),
          label: t("bench.program"),
          help: t("bench.leave"),
          onChange: (text) => (work.text.value = text),
          onRun: () => work.again(),
          covered,
        });
        const begun = document.activeElement === field.current;
        made.value = editor;
        if (begun) editor.focus();
        onMade(editor);
        keepFetched();
        void fetch(addressOf("/python/words.json"), { credentials: "omit" })
          .then(async (got) => got.ok && editor.complete(await got.json()))
          .catch(() => undefined);
        const take = effect(() => void (work.given.value, editor.set(work.text.peek())));
        const mark = effect(() =>
          editor.mark(
            work.answered.value === work.text.value
              ? (work.answer.value?.problems ?? []).filter(({ code }) => code !== "anydice")
              : [],
          ),
        );
        stop = () => (take(), mark(), editor.end());
      },
      () => undefined,
    ); // the plain field stays
    return () => stop();
  }, []);
  return (
    <>
      <div class="editor" ref={host} hidden={!made.value} />
      {!made.value && (
        <textarea
          class="editor input"
          ref={field}
          aria-label={t("bench.program")}
          spellcheck={false}
          autocapitalize="off"
          value={work.text.value}
          onInput={(event) => (work.text.value = event.currentTarget.value)}
        />
      )}
    </>
  );
}
