// A table from elsewhere, or from before: its log makes it again, and its referee goes on here.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { go } from "../app/routes";
import { OfflineError, post, RequestError } from "../net/http";
import {
  makerKey,
  newId,
  newSeed,
  newToken,
  publicKey,
  rememberMakerKey,
  rememberTable,
  tokenHashes,
} from "../net/tokens";
import type { TableAnswer } from "../net/shapes";
import type { LogEvent } from "../state/types";
import { Icon } from "../ui/icons";
import { announce } from "../ui/announcer";
import { bring, t } from "../i18n";
import { en_checking } from "../i18n/en_checking";

bring(en_checking);

const ROLES = ["seat", "referee", "player", "spectator"] as const;

async function brought(text: string): Promise<string> {
  const log = JSON.parse(text) as { events: LogEvent[] };
  const tokens = Object.fromEntries(ROLES.map((role) => [role, newToken()])) as Record<(typeof ROLES)[number], string>;
  const seed = newSeed();
  const [hashes, key, maker] = await Promise.all([tokenHashes(tokens), publicKey(seed), makerKey()]);
  const made = await post<TableAnswer>(
    "/tables/import",
    { ...log, id: newId(), tokens: hashes, key },
    { token: maker },
  );
  rememberMakerKey(maker);
  const { seat, ...links } = tokens;
  const game = String(log.events[0]?.body?.game ?? "");
  const title = Object.values(log.events[0]?.texts ?? {})[0]?.text ?? "";
  rememberTable(made.table, { token: seat, seed, seat: made.seat, game, title, links });
  return made.table;
}

export function ImportTable({ onRefused }: { onRefused: () => string }): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setBusy(true);
    setWrong("");
    try {
      go(`/t/${await brought(await file.text())}`);
    } catch (problem) {
      const said =
        problem instanceof SyntaxError
          ? t("bring.notlog")
          : problem instanceof OfflineError
            ? t("problem.away")
            : problem instanceof RequestError && problem.code === "unauthorized"
              ? onRefused()
              : (problem as Error).message;
      setBusy(false);
      setWrong(said);
      announce(said);
    }
  };
  return (
    <section class="panel stack close">
      <label class="drop small-drop" aria-busy={busy}>
        <Icon name={busy ? "hourglass" : "download"} />
        <span>
          <strong>{busy ? t("bring.busy") : t("bring.title")}</strong>
          <br />
          <span class="small soft">{t("bring.about")}</span>
        </span>
        <input
          type="file"
          accept=".json,application/json"
          disabled={busy}
          onChange={({ currentTarget: input }) => void take(input.files?.[0]).finally(() => (input.value = ""))}
        />
      </label>
      {wrong && (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
    </section>
  );
}
