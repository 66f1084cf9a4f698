// Joining from a link: say your name, and sit down or knock.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { myName } from "../app/settings";
import { OfflineError, post } from "../net/http";
import { newId, newSeed, newToken, publicKey, rememberTable, rememberWatching, tokenHash } from "../net/tokens";
import type { JoinAnswer } from "../net/shapes";
import { gameFacts, games, loadGames, setActiveGame } from "../state/games";
import type { Role } from "../state/types";
import { Field } from "../ui/fields";
import { Icon, Mark } from "../ui/icons";
import { t } from "../i18n";
import "../i18n/coming";

interface JoinProps {
  table: string;
  link: { token: string; role: Role; title: string; game: string; host: string };
  onJoined: (token: string) => void;
}

export function JoinScreen({ table, link, onJoined }: JoinProps): JSX.Element {
  const [mine] = useState({ id: newId(), token: newToken(), seed: newSeed() });
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  useEffect(() => void loadGames().catch(() => {}), []);
  // Who is invited sees the game's own felt before they sit down; the table needs all of it anyhow.
  useEffect(() => void (link.game && gameFacts(link.game).then(setActiveGame, () => {})), [link.game]);
  const game = link.game ? (games.value?.find((one) => one.name === link.game)?.title ?? "") : t("table.free");
  const join = async (event: Event): Promise<void> => {
    event.preventDefault();
    const name = myName.value.trim();
    if (!name) return setWrong(t("start.name.needed"));
    setBusy(true);
    try {
      const [hash, key] = await Promise.all([tokenHash(mine.token), publicKey(mine.seed)]);
      const made = await post<JoinAnswer>(
        `/tables/${table}/join`,
        { id: mine.id, name, token_hash: hash, key },
        { token: link.token },
      );
      rememberTable(table, { token: mine.token, seed: mine.seed, seat: made.seat });
      onJoined(mine.token);
    } catch (problem) {
      setBusy(false);
      setWrong(problem instanceof OfflineError ? t("problem.away") : (problem as Error).message);
    }
  };
  const watch = (): void => {
    rememberTable(table, { token: link.token, seed: undefined });
    rememberWatching(table, link.token);
    onJoined(link.token);
  };
  return (
    <main id="main" class="join felt" tabIndex={-1}>
      <form class="panel stack" onSubmit={join} noValidate>
        <Mark size={64} />
        {link.host && <p class="join-host">{t("join.invites", { name: link.host })}</p>}
        <h1>{link.title || game || t("join.title")}</h1>
        {link.title && game && <p class="join-game">{game}</p>}
        <p class="soft">{t(`join.as.${link.role}`)}</p>
        <Field label={t("start.name")} wrong={wrong}>
          {(about) => (
            <input
              {...about}
              class="input"
              value={myName.value}
              maxLength={40}
              autocomplete="nickname"
              placeholder={t("start.name.hint")}
              onInput={(event) => ((myName.value = event.currentTarget.value), setWrong(""))}
            />
          )}
        </Field>
        <button class="button main big wide" disabled={busy}>
          <Icon name="table" />
          {t("join.sit")}
        </button>
        {link.role === "spectator" && (
          <button type="button" class="button wide" onClick={watch}>
            <Icon name="eye" />
            {t("join.watch")}
          </button>
        )}
        <p class="small soft join-product">{t("join.product", { product: t("app.name") })}</p>
      </form>
    </main>
  );
}
