/**
 * Docs that run: every Python example of a page can be run and changed in its place. Python comes with the first one.
 */
import { effect, useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { addressOf } from "../app/base";
import { pythonState } from "../python";
import { PythonProgress } from "../python/PythonProgress";
import { bring, preferred, speak, t } from "../i18n";
import { en_docs } from "../i18n/en_docs";
import { Example } from "./example";

declare const DOCS_STYLE: string;

bring(en_docs);

/**
 * The shadow roots for an example's editor and for its output: each has styles of its own, and is filled when it is
 * first wanted.
 */
interface Places {
  readonly text: HTMLElement;
  readonly shows: HTMLElement;
}

async function opened(example: Example, { text, shows }: Places): Promise<void> {
  const [{ Text, Results }, ...roots] = await Promise.all([import("./Inside"), styled(text), styled(shows)]);
  render(<Text example={example} />, roots[0]);
  render(<Results example={example} />, roots[1]);
}

function styled(place: HTMLElement): Promise<ShadowRoot> {
  const root = place.attachShadow({ mode: "open" });
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = addressOf(DOCS_STYLE);
  root.append(style);
  return new Promise((done) => (style.onload = style.onerror = () => done(root)));
}

function Bar({ example, places }: { example: Example; places: Places }): JSX.Element {
  const begun = useSignal<Promise<void> | null>(null);
  const open = (): Promise<void> => (begun.value ??= opened(example, places));
  const edit = async (): Promise<void> => {
    await open();
    example.editing.value = true;
  };
  const runs = example.runs.value;
  const changed = example.editing.value || example.answer.value || example.stopped.value;
  return (
    <>
      {runs ? (
        <button type="button" class="example-button" data-stop onClick={() => example.stop()}>
          {t("docs.stop")}
        </button>
      ) : (
        <button type="button" class="example-button" data-run onClick={() => (void open(), void example.run())}>
          {t("docs.run")}
        </button>
      )}
      {!example.editing.value && (
        <button type="button" class="example-button" onClick={() => void edit()}>
          {t("docs.edit")}
        </button>
      )}
      {runs &&
        (pythonState.value.step === "ready" ? <span role="status">{t("docs.running")}</span> : <PythonProgress />)}
      {changed && !runs && (
        <button type="button" class="example-button" onClick={() => example.restore()}>
          {t("docs.restore")}
        </button>
      )}
    </>
  );
}

/** The page's own theme, where it is known: an example follows it. */
function follow(place: HTMLElement): void {
  const take = (): void =>
    void (place.dataset.theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light");
  take();
  new MutationObserver(take).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
}

function added(after: HTMLElement, name: string): HTMLElement {
  const made = document.createElement("div");
  made.className = name;
  after.after(made);
  return made;
}

function begin(example: Example): void {
  const bar = added(example.block, "example-bar");
  if (example.needs) {
    bar.textContent = t("docs.elsewhere", { module: example.needs });
    return;
  }
  const places = { text: added(example.block, "example-place"), shows: added(bar, "example-place") };
  Object.values(places).forEach(follow);
  effect(() => void (example.block.hidden = example.editing.value));
  render(<Bar example={example} places={places} />, bar);
}

await speak(preferred("", [document.documentElement.lang]));
const all: Example[] = [];
for (const block of document.querySelectorAll<HTMLElement>("[data-example]")) {
  all.push(new Example(block, block.dataset.example!, block.dataset.needs ?? "", [...all]));
}
all.forEach(begin);
