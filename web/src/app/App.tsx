// The frame around every screen, and which screen is shown.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { Icon, Mark, type IconName } from "../ui/icons";
import { Live } from "../ui/announcer";
import { language, t } from "../i18n";
import { StartScreen } from "../screens/StartScreen";
import { addressOf, BASE } from "./base";
import { follow, route } from "./routes";
import { lazy } from "../ui/lazy";

type Screen = ComponentType<{ table?: string; token?: string }>;
type Loader = () => Promise<{ default: Screen }>;

const SCREENS: Record<string, Loader> = {
  "/roll": () => import("../justroll"),
  "/explore": () => import("../explore"),
  "/verify": () => import("../screens/VerifyScreen"),
  "/workbench": () => import("../workbench"),
};
const loadOverlay: Loader = () => import("../overlay");
const loadTable: Loader = () => import("../screens/TableEntry");

export const settingsOpen = signal(false);
const SettingsDialog = lazy(async () => (await import("./SettingsDialog")).SettingsDialog);

/** A screen that is fetched when it is first opened. */
function Later({ load, table, token }: { load: Loader; table?: string; token?: string }): JSX.Element {
  const [found, setFound] = useState<{ load: Loader; Screen: Screen | null; failed: boolean }>({
    load,
    Screen: null,
    failed: false,
  });
  const fetchIt = (): void => {
    load().then(
      (module) => setFound({ load, Screen: module.default, failed: false }),
      () => setFound({ load, Screen: null, failed: true }),
    );
  };
  useEffect(fetchIt, [load]);
  if (found.failed) {
    return (
      <div class="empty">
        <Icon name="offline" size={40} />
        <p>{t("problem.screen")}</p>
        <button class="button" onClick={() => location.reload()}>
          {t("do.again")}
        </button>
      </div>
    );
  }
  if (!found.Screen || found.load !== load)
    return (
      <div class="loading" aria-busy="true">
        <Mark size={56} />
      </div>
    );
  return <found.Screen table={table} token={token} />;
}

export function App(): JSX.Element {
  const { path, token } = route.value;
  const load = SCREENS[path];
  const at = /^\/t\/([a-z2-7]{12})$/.exec(path);
  void language.value;
  if (path === "/overlay") return <Later load={loadOverlay} />;
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to where it says, and only keeps the address as it is */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        {t("app.skip")}
      </a>
      {at ? (
        <Later key={at[1]} load={loadTable} table={at[1]} token={token} />
      ) : (
        <div class="plain-page felt">
          <Top />
          <main id="main" tabIndex={-1}>
            {load ? <Later load={load} /> : <StartScreen lost={path !== "/"} />}
          </main>
        </div>
      )}
      {settingsOpen.value && <SettingsDialog onClose={() => (settingsOpen.value = false)} />}
      <Live />
    </>
  );
}

const PLACES: { href: string; icon: IconName; key: "nav.roll" | "nav.explore" | "nav.workbench" | "nav.verify" }[] = [
  { href: "/roll", icon: "die", key: "nav.roll" },
  { href: "/explore", icon: "chart", key: "nav.explore" },
  { href: "/workbench", icon: "pen", key: "nav.workbench" },
  { href: "/verify", icon: "seal", key: "nav.verify" },
];

/** On a host of files the beginning is whatever lies around the page, if anything does. */
const HOME = document.documentElement.dataset.home;
const home = HOME ? new URL(HOME, location.origin + BASE).pathname : addressOf("/");

function Top(): JSX.Element {
  return (
    <header class="top">
      <a class="brand" href={home} onClick={HOME ? undefined : follow}>
        <Mark size={32} />
        <span>{t("app.name")}</span>
      </a>
      <nav aria-label={t("nav.label")}>
        {PLACES.map(({ href, icon, key }) => (
          <a
            key={href}
            class="top-link"
            href={addressOf(href)}
            onClick={follow}
            aria-current={route.value.path === href ? "page" : undefined}
          >
            <Icon name={icon} size={20} />
            <span>{t(key)}</span>
          </a>
        ))}
      </nav>
      <button class="button quiet round" aria-label={t("settings.title")} onClick={() => (settingsOpen.value = true)}>
        <Icon name="gear" />
      </button>
    </header>
  );
}
