/** Below an example: its text while it is changed, and what it shows. */
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { PythonEnded } from "../python/PythonProgress";
import { Live } from "../ui/announcer";
import { Problem, PrintedText, OutputView } from "../workbench/outputs";
import { bring, t } from "../i18n";
import { en_panel } from "../i18n/en_panel";
import { en_workbench } from "../i18n/en_workbench";
import type { Example } from "./example";

bring(en_panel);
bring(en_workbench);

export function Text({ example }: { example: Example }): JSX.Element | null {
  return example.editing.value ? (
    <div class="example">
      <Editor example={example} />
    </div>
  ) : null;
}

export const Results = ({ example }: { example: Example }): JSX.Element => (
  <div class="example">
    <Found example={example} />
    <Live />
  </div>
);

function Editor({ example }: { example: Example }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop = (): void => {};
    void import("../workbench/codemirror").then(({ mount }) => {
      if (!host.current) return;
      const made = mount(host.current, {
        text: example.text.peek(),
        label: t("docs.example"),
        help: t("docs.leave"),
        onChange: (text) => (example.text.value = text),
        onRun: () => void example.run(),
      });
      const mark = effect(() => made.mark(example.answer.value?.problems ?? []));
      example.goTo = made.goTo;
      made.focus();
      stop = () => (mark(), made.end());
    });
    return () => stop();
  }, []);
  return <div class="editor" ref={host} />;
}

function Found({ example }: { example: Example }): JSX.Element | null {
  const { answer, runs, stopped, refused } = example;
  const again = (): void => void example.run();
  if (stopped.value) return <PythonEnded why={stopped.value} onAgain={again} />;
  if (refused.value)
    return (
      <p class="notice bad" role="alert">
        {refused.value}
      </p>
    );
  const found = answer.value;
  if (!found) return null;
  const nothing = !found.outputs.length && !found.problems.length && !found.printed.text;
  return (
    <section
      class="example-shows outputs"
      aria-label={t("docs.shows")}
      aria-live="polite"
      data-old={runs.value || undefined}
    >
      <PrintedText printed={found.printed} />
      {found.outputs.map((output, n) => (
        <OutputView key={`${n} ${output.kind}`} output={output} view="each" />
      ))}
      {found.problems.map((problem) => (
        <Problem
          problem={problem}
          onGo={example.editing.value ? (line, column) => example.goTo(line, column) : undefined}
        />
      ))}
      {nothing && <p class="soft">{t("docs.nothing")}</p>}
    </section>
  );
}
