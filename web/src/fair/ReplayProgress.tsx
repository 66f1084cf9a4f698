// While Python comes and replays: how far it is, and a way to do without.
import type { JSX } from "preact";
import { pythonState } from "../python";
import { Icon } from "../ui/icons";
import { bring, number, t } from "../i18n";
import { en_checking } from "../i18n/en_checking";
import type { ReplayRun } from "./replay";

bring(en_checking);

export function Going({ replay }: { replay: ReplayRun }): JSX.Element {
  const { step, done, total } = pythonState.value;
  const part = step === "fetching" && total ? done / total : null;
  const words = t(step === "fetching" ? "replay.fetching" : step === "starting" ? "replay.starting" : "replay.going");
  return (
    <div class="row tight replaying">
      <label class="grow">
        {words} <progress max={1} value={part ?? undefined} />
        {part !== null && ` ${number(Math.round(part * 100))} %`}
      </label>
      <button type="button" class="button quiet" onClick={replay.decline}>
        <Icon name="cross" size={18} />
        {t("replay.decline")}
      </button>
    </div>
  );
}

/** What was not replayed, and a button to replay it after all. */
export function Ask({ onAsk }: { onAsk: () => void }): JSX.Element {
  return (
    <button type="button" class="button" onClick={onAsk}>
      <Icon name="seal" size={18} />
      {t("replay.do")}
    </button>
  );
}
