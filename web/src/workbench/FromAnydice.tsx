/** A program of AnyDice, pasted: its answer, and the same as a program of ours beside it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { RequestError } from "../net/http";
import type { AnyDiceDrawn } from "../net/shapes";
import { askPython, pythonState, PythonStopped } from "../python";
import { PythonProgress } from "../python/PythonProgress";
import { Dialog } from "../ui/Dialog";
import { t } from "../i18n";
import { OutputView } from "./outputs";

const FIRST = `output [highest 3 of 4d6] named "best three"
output 3d6 named "three"
`;
/** Milliseconds that somebody rests before it is worked out. */
const REST = 250;

export function FromAnydice({
  given,
  onTake,
  onClose,
}: {
  /** One that was written elsewhere. */ given: string;
  onTake: (text: string) => void;
  onClose: () => void;
}): JSX.Element {
  const text = useSignal(given || FIRST);
  const found = useSignal<AnyDiceDrawn | null>(null);
  const problem = useSignal("");
  const [theirs, ours] = [useId(), useId()];
  useEffect(() => {
    const asked = new AbortController();
    const timer = setTimeout(() => {
      askPython<AnyDiceDrawn>("from_anydice", { text: text.value }, { signal: asked.signal }).then(
        (answer) => ((found.value = answer), (problem.value = "")),
        (why: unknown) =>
          void (
            asked.signal.aborted ||
            (problem.value =
              why instanceof RequestError
                ? why.message
                : t(`python.stopped.${why instanceof PythonStopped ? why.why : "crash"}`))
          ),
      );
    }, REST);
    return () => (clearTimeout(timer), asked.abort());
  }, [text.value]);
  return (
    <Dialog title={t("bench.anydice")} onClose={onClose} broad>
      <div class="stack">
        <div class="anydice-two">
          <div class="field theirs">
            <label for={theirs}>{t("bench.anydice_paste")}</label>
            <textarea
              id={theirs}
              class="input"
              spellcheck={false}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          </div>
          <div class="answer stack close">
            {!found.value &&
              !problem.value &&
              (pythonState.value.step === "ready" ? (
                <p class="soft small">{t("bench.counting")}</p>
              ) : (
                <PythonProgress />
              ))}
            {problem.value && (
              <p class="notice bad" role="alert">
                {problem.value}
              </p>
            )}
            {found.value && !problem.value && <Answer answer={found.value} />}
          </div>
          <div class="field ours">
            <label for={ours}>{t("bench.anydice_ours")}</label>
            <textarea id={ours} class="input" readOnly value={found.value?.python ?? ""} />
          </div>
        </div>
        <div class="row">
          <button
            type="button"
            class="button main"
            disabled={!found.value?.python || !!problem.value}
            onClick={() => onTake(found.value!.python)}
          >
            {t("bench.as_program")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

const Answer = ({ answer }: { answer: AnyDiceDrawn }): JSX.Element => (
  <>
    {answer.warnings.map((one) => (
      <p class="notice small">{one}</p>
    ))}
    {answer.refused.map((one) => (
      <p class="notice small">
        {t("bench.line", { n: one.line })} {one.said}
      </p>
    ))}
    {answer.drawn.map((output) => (
      <OutputView key={output.name} output={output} view="each" />
    ))}
  </>
);
