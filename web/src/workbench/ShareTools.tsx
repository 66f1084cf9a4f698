/** The work for others: a link that holds all of it, and a frame for a page of one's own. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { addressOf } from "../app/base";
import { copy } from "../ui/clipboard";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { copyPng, saveText } from "./saving";
import { packed } from "./share";
import type { Work } from "./work";

const embedding = (address: string): string =>
  `<iframe src="${address}" width="100%" height="420" style="border:0" ` +
  `title="${t("app.name")}" loading="lazy"></iframe>`;

export function ShareTools({ work, onClose }: { work: Work; onClose: () => void }): JSX.Element {
  const fragment = useSignal("");
  useEffect(() => void packed(work.shared.value).then((made) => (fragment.value = made)), [work.shared.value]);
  const place = location.origin + addressOf("/workbench");
  const link = `${place}#${fragment.value}`;
  const svg = work.answer.value?.outputs
    .map((output) =>
      "svg" in output ? output.svg : output.kind === "odds" || output.kind === "compare" ? output.fields?.[0]?.svg : "",
    )
    .find(Boolean);
  return (
    <Dialog title={t("bench.share")} onClose={onClose}>
      <div class="stack">
        <p>{t("bench.share_about")}</p>
        <Given label={t("bench.link")} text={link} />
        <Given label={t("bench.frame")} text={embedding(`${place}?embed#${fragment.value}`)} />
        <div class="row">
          {svg && (
            <button type="button" class="button" onClick={() => void copyPng(svg, "rollwright")}>
              <Icon name="copy" size={18} />
              {t("bench.copy_image")}
            </button>
          )}
          <button type="button" class="button" onClick={() => saveText(work.text.value, "workbench", "py")}>
            <Icon name="download" size={18} />
            {t("bench.save_program")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Given({ label, text }: { label: string; text: string }): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row given-row">
        <input id={id} class="input grow" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
        <button
          type="button"
          class="button"
          aria-label={t("bench.copy", { what: label })}
          onClick={() => void copy(text)}
        >
          <Icon name="copy" size={18} />
        </button>
      </div>
    </div>
  );
}
