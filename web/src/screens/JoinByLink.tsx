// Coming to a table by a link that was sent as text: pasted here where it cannot be tapped.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../app/base";
import { looksLikeToken } from "../net/tokens";
import { Field } from "../ui/fields";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import "../i18n/coming";

/** The table and the secret of a link to this server; null for anything else. */
export function tableIn(text: string): string | null {
  const found = /\/t\/([a-z2-7]{12})#([\w-]+)\s*$/.exec(text.trim());
  return found && looksLikeToken(found[2]!) ? `${addressOf(`/t/${found[1]}`)}#${found[2]}` : null;
}

export function JoinByLink(): JSX.Element {
  const [link, setLink] = useState("");
  const [wrong, setWrong] = useState("");
  const join = (event: Event): void => {
    event.preventDefault();
    const address = tableIn(link);
    if (address) location.assign(address);
    else setWrong(t("start.join.wrong", { example: `${location.origin}${addressOf("/t/…#…")}` }));
  };
  return (
    <form class="panel stack close join-one" onSubmit={join} noValidate>
      <h2>{t("start.join")}</h2>
      <p class="soft">{t("start.join.about")}</p>
      <Field label={t("start.join.link")} wrong={wrong}>
        {(about) => (
          <input
            {...about}
            class="input"
            value={link}
            autocomplete="off"
            inputMode="url"
            onInput={(event) => (setLink(event.currentTarget.value), setWrong(""))}
          />
        )}
      </Field>
      <button class="button main wide">
        <Icon name="table" size={18} />
        {t("start.join.go")}
      </button>
    </form>
  );
}
