// A table that this browser knows, in the words of its people: name, game, as whom, and the last evening.
import type { KnownTable } from "../net/tokens";
import { games, type GameName } from "../state/games";
import { locale, t } from "../i18n";
import "../i18n/coming";

const DAY = 86_400_000;

/** The game of a table, where it is one of this server's. */
export const gameOf = (about: KnownTable): GameName | undefined =>
  games.value?.find((game) => game.name === about.game);

const gameSaid = (about: KnownTable): string => gameOf(about)?.title ?? (about.game || t("table.free"));

export const titleOf = (about: KnownTable): string => about.title || gameSaid(about);

/** The day as people say it: today, yesterday, a weekday, then a date. */
export function dayOf(at: number, now = Date.now()): string {
  const days = Math.round((new Date(now).setHours(12, 0, 0, 0) - new Date(at).setHours(12, 0, 0, 0)) / DAY);
  if (days < 2) return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(-days, "day");
  return new Date(at).toLocaleDateString(
    locale(),
    days < 7 ? { weekday: "long" } : { day: "numeric", month: "long", year: "numeric" },
  );
}

/** The text below the name of a table. */
export function aboutTable(about: KnownTable): string {
  const parts = [
    about.title ? gameSaid(about) : "",
    about.as ? t("start.as", { name: about.as }) : "",
    about.over ? t("recap.over", { n: about.over }) : about.session ? t("table.session", { n: about.session }) : "",
    dayOf(about.at),
  ];
  return parts.filter(Boolean).join(" · ");
}
