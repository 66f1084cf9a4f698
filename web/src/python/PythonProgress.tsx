/** How far Python is, where this browser asks nobody else; nothing once it is there. */
import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../ui/icons";
import { bring, number, t } from "../i18n";
import { en_python } from "../i18n/en_python";
import { pythonState, wakePython, type Why } from "./index";

bring(en_python);

/** The part of its files that has come; null while nobody can say. */
const part = computed(() => {
  const { step, done, total } = pythonState.value;
  return step === "fetching" && total ? done / total : null;
});

export function PythonProgress({ onAgain }: { onAgain?: () => void }): JSX.Element | null {
  const { step } = pythonState.value;
  if (step === "failed") return <PythonEnded why="unreachable" onAgain={onAgain ?? (() => void wakePython())} />;
  if (step === "starting")
    return (
      <label class="python-comes">
        {t("python.starting")} <progress />
      </label>
    );
  if (step !== "fetching") return null;
  return (
    <label class="python-comes">
      {t("python.fetching")} <progress max={1} value={part.value ?? undefined} />
      {part.value !== null && <span>{number(Math.round(part.value * 100))} %</span>}
    </label>
  );
}

/** Why a program was ended, or Python did not come, and a way to try again. */
export function PythonEnded({ why, onAgain }: { why: Why; onAgain: () => void }): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <Icon name="warn" size={20} />
      <div class="stack close">
        <p>{t(`python.stopped.${why}`)}</p>
        <div class="row">
          <button type="button" class="button" onClick={onAgain}>
            {t("do.again")}
          </button>
        </div>
      </div>
    </div>
  );
}
