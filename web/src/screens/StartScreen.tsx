// The first screen: start a table in two taps, or go back to one.
import type { JSX } from "preact";
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { readStored, writeStored } from "../app/storage";
import { addressOf } from "../app/base";
import { follow, go, route } from "../app/routes";
import { faceOf, myName } from "../app/settings";
import { OfflineError, get, post, RequestError } from "../net/http";
import {
  hasMakerKey,
  looksLikeToken,
  makerKey,
  newId,
  newSeed,
  newToken,
  publicKey,
  rememberMakerKey,
  rememberTable,
  tokenHashes,
  countSeats,
  typePassphrase,
} from "../net/tokens";
import type { TableAnswer } from "../net/shapes";
import { gameFacts, games, loadGames } from "../state/games";
import type { Body, GameFacts } from "../state/types";
import { Field, Switch } from "../ui/fields";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { announce } from "../ui/announcer";
import { language, t } from "../i18n";

const HouseRules = lazy(async () => (await import("../ui/HouseRules")).HouseRules);
const JoinOne = lazy(async () => (await import("./JoinByLink")).JoinByLink);
const Yours = lazy(
  async () => (await import("./RecentTables")).RecentTables,
  () => {
    const n = Math.min(8, countSeats());
    return n ? <section class="panel yours-place" style={{ "--n": n }} aria-busy="true" /> : null;
  },
);
const Trial = lazy(async () => (await import("./Trial")).Trial);
const Bring = lazy(async () => (await import("./ImportTable")).ImportTable);

/** Who may open tables on this server; "" until it has said so. */
type Makers = "" | "anybody" | "passphrase" | "host";
const makers = signal<Makers>("");
/** A key or a passphrase that turned out not to be good. */
const refused = signal(false);

/** A link of the host brings a key, which this browser keeps; nobody looks over its shoulder in the address. */
function takeKey(): void {
  const { path, token } = route.value;
  if (path !== "/" || !looksLikeToken(token)) return;
  rememberMakerKey(token);
  go("/", { replace: true });
}

export function StartScreen({ lost }: { lost: boolean }): JSX.Element {
  useEffect(takeKey, [route.value.token]);
  useEffect(
    () =>
      void get<{ tables: Makers }>("/").then(
        (found) => (makers.value = found.tables),
        () => {},
      ),
    [],
  );
  const mayNot = makers.value === "host" && !hasMakerKey();
  return (
    <div class="start">
      <section class="hero">
        <div class="hero-words">
          <h1>{t("start.title")}</h1>
          <p>{t("start.lead")}</p>
        </div>
        <div class="trial-place">
          <Trial />
        </div>
      </section>
      <div class="start-side">
        {lost && (
          <p class="notice">
            <Icon name="compass" />
            {t("start.lost")}
          </p>
        )}
        <Yours />
        {mayNot ? <OnlyTheHost /> : <NewTable />}
        <div class="start-more">
          <JoinOne />
          {!mayNot && <Bring onRefused={keyRefused} />}
        </div>
      </div>
      <section class="hero-rest" aria-label={t("start.why")}>
        <ul class="promises">
          <li>
            <Icon name="bolt" />
            {t("start.promise.odds")}
          </li>
          <li>
            <Icon name="seal" />
            {t("start.promise.fair")}
          </li>
          <li>
            <Icon name="star" />
            {t("start.promise.call")}
          </li>
        </ul>
        <div class="row hero-links">
          <a class="button" href={addressOf("/roll")} onClick={follow}>
            <Icon name="die" />
            {t("nav.roll")}
          </a>
          <a class="button" href={addressOf("/explore")} onClick={follow}>
            <Icon name="chart" />
            {t("nav.explore")}
          </a>
        </div>
      </section>
    </div>
  );
}

/** Forgets a wrong key, and returns what to do. */
function keyRefused(): string {
  const had = hasMakerKey();
  rememberMakerKey("");
  refused.value = had;
  if (makers.value !== "passphrase") return had ? t("start.host.over") : t("start.host");
  return had ? t("start.phrase.wrong") : t("start.phrase.needed");
}

function OnlyTheHost(): JSX.Element {
  return (
    <section class="panel stack close">
      <h2>{t("start.host")}</h2>
      {refused.value && (
        <p class="notice bad" role="alert">
          <Icon name="warn" />
          {t("start.host.over")}
        </p>
      )}
      <p>{t("start.host.about")}</p>
    </section>
  );
}

/** The passphrase, typed or remembered. */
function Passphrase({ wrong }: { wrong: string }): JSX.Element {
  const [kept, setKept] = useState(hasMakerKey());
  useEffect(() => {
    if (wrong) setKept(false);
  }, [wrong]);
  if (kept && hasMakerKey()) {
    return (
      <p class="row small">
        <Icon name="lock" size={18} />
        <span class="grow">{t("start.phrase.kept")}</span>
        <button type="button" class="button quiet" onClick={() => (rememberMakerKey(""), setKept(false))}>
          {t("start.phrase.other")}
        </button>
      </p>
    );
  }
  return (
    <Field label={t("start.phrase")} help={t("start.phrase.about")} wrong={wrong}>
      {(about) => (
        <input
          {...about}
          class="input"
          type="password"
          name="passphrase"
          autocomplete="current-password"
          onInput={(event) => typePassphrase(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** A table that is being made keeps its tokens, so that a second try makes no second table. */
interface Making {
  id: string;
  seed: string;
  tokens: Record<"seat" | "referee" | "player" | "spectator", string>;
}

function NewTable(): JSX.Element {
  const [game, setGame] = useState<string>(readStored("game", ""));
  const [house, setHouse] = useState<Body>({});
  const [title, setTitle] = useState("");
  const [knock, setKnock] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<{ field: string; text: string } | null>(null);
  const [facts, setFacts] = useState<GameFacts | null>(null);
  const [making] = useState<Making>(() => ({
    id: newId(),
    seed: newSeed(),
    tokens: { seat: newToken(), referee: newToken(), player: newToken(), spectator: newToken() },
  }));
  const [away, setAway] = useState(false);

  const load = (): void =>
    void loadGames().then(
      () => setAway(false),
      () => setAway(true),
    );
  useEffect(load, [language.value]);
  const list = games.value;
  const chosen = game === "free" ? "" : list?.some((one) => one.name === game) ? game : (list?.[0]?.name ?? "");
  useEffect(() => {
    setHouse({});
    setFacts(null);
  }, [chosen]);
  useEffect(() => void (chosen && gameFacts(chosen).then(setFacts, () => {})), [chosen, language.value]);

  const needPassphrase = (text: string): void => {
    setWrong({ field: makers.value === "passphrase" ? "phrase" : "", text });
    announce(text);
    setTimeout(() => document.querySelector<HTMLInputElement>("input[name=passphrase]")?.focus());
  };
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    const name = myName.value.trim();
    if (!name) {
      setWrong({ field: "name", text: t("start.name.needed") });
      announce(t("start.name.needed"));
      document.querySelector<HTMLInputElement>("input[autocomplete=nickname]")?.focus();
      return;
    }
    if (makers.value === "passphrase" && !hasMakerKey()) return needPassphrase(t("start.phrase.needed"));
    setBusy(true);
    setWrong(null);
    const { id, seed, tokens } = making;
    try {
      const [hashes, key, maker] = await Promise.all([tokenHashes(tokens), publicKey(seed), makerKey()]);
      const made = await post<TableAnswer>(
        "/tables",
        { id, game: chosen, house, title: title.trim(), name, knock, lists: {}, tokens: hashes, key },
        { token: maker },
      );
      const { seat, ...links } = tokens;
      writeStored("game", game || chosen);
      rememberMakerKey(maker);
      rememberTable(made.table, { token: seat, seed, seat: made.seat, game: chosen, title: title.trim(), links });
      go(`/t/${made.table}`);
    } catch (problem) {
      setBusy(false);
      if (problem instanceof RequestError && problem.code === "unauthorized") return needPassphrase(keyRefused());
      setWrong({ field: "", text: problem instanceof OfflineError ? t("problem.away") : (problem as Error).message });
    }
  };

  return (
    <form class="panel stack new-table" onSubmit={create} noValidate>
      <h2>{t("start.new")}</h2>
      {away && (
        <p class="notice bad" role="alert">
          <Icon name="offline" />
          <span class="grow">{t("problem.away")}</span>
          <button type="button" class="button" onClick={load}>
            {t("do.again")}
          </button>
        </p>
      )}
      <fieldset class="field">
        <legend class="label">{t("start.game")}</legend>
        <div class="games">
          {(list ?? Array.from({ length: 5 }, () => null)).map((one, place) =>
            one ? (
              <label key={one.name} style={faceOf(one)?.style} class={`game-choice ${faceOf(one)?.class ?? ""}`}>
                <input type="radio" name="game" checked={chosen === one.name} onChange={() => setGame(one.name)} />
                <strong>{one.title}</strong>
                <span>{firstSentence(one.summary)}</span>
              </label>
            ) : (
              <div key={place} class="skeleton game-choice" data-first={place === 0 || undefined} />
            ),
          )}
          <label class="game-choice">
            <input type="radio" name="game" checked={game === "free"} onChange={() => setGame("free")} />
            <strong>{t("table.free")}</strong>
            <span>{t("table.free.about")}</span>
          </label>
        </div>
      </fieldset>
      <Field label={t("start.name")} wrong={wrong?.field === "name" ? wrong.text : ""}>
        {(about) => (
          <input
            {...about}
            class="input"
            value={myName.value}
            maxLength={40}
            autocomplete="nickname"
            placeholder={t("start.name.hint")}
            onInput={(event) => (myName.value = event.currentTarget.value)}
          />
        )}
      </Field>
      {makers.value === "passphrase" && <Passphrase wrong={wrong?.field === "phrase" ? wrong.text : ""} />}
      <details class="tucked">
        <summary>
          <Icon name="right" size={18} />
          {t("start.house")}
          {Object.keys(house).length ? (
            <span class="chip brass">{t("start.house.changed", { n: Object.keys(house).length })}</span>
          ) : null}
        </summary>
        <div class="stack">
          <Field label={t("start.table.title")}>
            {(about) => (
              <input
                {...about}
                class="input"
                value={title}
                maxLength={80}
                placeholder={t("start.table.title.hint")}
                onInput={(event) => setTitle(event.currentTarget.value)}
              />
            )}
          </Field>
          <Switch label={t("start.knock")} help={t("start.knock.help")} on={knock} onChange={setKnock} />
          {facts && (
            <HouseRules key={facts.name} fields={facts.house.fields} of={facts} values={house} onChange={setHouse} />
          )}
        </div>
      </details>
      {wrong && !wrong.field && (
        <p class="wrong" role="alert">
          {wrong.text}
        </p>
      )}
      <button class="button main big wide" disabled={busy || (!list && !away)}>
        <Icon name="table" />
        {busy ? t("start.creating") : t("start.create")}
      </button>
    </form>
  );
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
