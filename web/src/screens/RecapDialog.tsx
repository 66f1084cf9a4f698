// An evening looked back on: its moments, its luck, its numbers, what waits; to be read and to be shared.
// All of it is what everybody may see, and is made of the recap alone: nothing that only we know gets into it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SeatUnfinishedData, SeatLuckData, MomentData, PriceData, RecapAnswer, ReminderData } from "../net/shapes";
import type { Marks, Text } from "../state/card";
import type { Table } from "../state/table";
import { percent } from "../charts/scales";
import { Dice, type Face } from "../dice";
import { Avatar } from "../table/Avatar";
import { copy } from "../ui/clipboard";
import { Dialog } from "../ui/Dialog";
import { capital } from "../ui/forms";
import { Icon, type IconName } from "../ui/icons";
import { locale, number, t } from "../i18n";
import { priced, say } from "../i18n/text";
import "../i18n/coming";

const SIGNS: Record<MomentData["kind"], IconName> = {
  great: "star",
  awful: "warn",
  mixed: "half",
  odds: "check",
  failed: "cross",
};
/** From one evening in so many on, it is worth a word. */
const RARE = 4;
const MINUTE = 60_000;
/** Smallest expected price worth a number, if nobody paid. */
const HARDLY = 0.05;

/** A fraction as written in full, as near as a number can be. */
export function near(exact: string): number {
  const [above, below = "1"] = exact.split("/");
  const scale = 10n ** 12n;
  return Number((BigInt(above!) * scale) / BigInt(below)) / Number(scale);
}

const oneIn = (share: number): number => Math.round(1 / Math.max(share, 1e-12));

/** Everybody's name for somebody: the character's, else the person's. */
const named = (found: RecapAnswer, id: string): string =>
  found.names[id] || t(id.startsWith("n") ? "people.npc" : "people.someone");

/** A roller by the character that rolls, as far as everybody may know it. */
const called = (found: RecapAnswer, seat: string, sheet = ""): string => found.names[sheet] || named(found, seat);

/** A text in words, with the names that everybody knows. */
const saidOf = (found: RecapAnswer, text: unknown): string =>
  say(text as Text, (ref) => named(found, ref.replace("@", "")));

function lasted({ began, ended }: RecapAnswer): string {
  const all = Math.max(1, Math.round((ended - began) / MINUTE));
  return all < 60 ? t("recap.minutes", { m: all }) : t("recap.hours", { h: Math.floor(all / 60), m: all % 60 });
}

/** The day and how long it lasted. */
const whenOf = (found: RecapAnswer): string =>
  [
    new Date(found.began).toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long" }),
    lasted(found),
  ].join(" · ");

function sumOf({ rolls, dice, given_up }: RecapAnswer): string {
  const gone = given_up.reduce((all, one) => all + one.rolls, 0);
  const open = given_up.reduce((all, one) => all + one.open, 0);
  const parts = [
    t("recap.rolls", { n: rolls }),
    t("recap.dice", { n: dice }),
    gone && t("recap.given_up", { n: gone }),
    open && t("recap.left_open", { n: open }),
  ];
  return parts.filter(Boolean).join(", ");
}

/** Rolls and calls of somebody that came to nothing, or were chosen from. */
function givenUpSaid(one: SeatUnfinishedData): string {
  const seen = (key: "recap.given_up" | "recap.left_open", n: number, after: number): string =>
    after ? t(`${key}.seen`, { n, seen: after }) : t(key, { n });
  const parts = [
    one.rolls && seen("recap.given_up", one.rolls, one.after_dice),
    one.open && seen("recap.left_open", one.open, one.open_after_dice),
    one.again && t("recap.again", { n: one.again }),
    one.undone && t("recap.undone", { n: one.undone }),
    one.secret && t("recap.secret", { n: one.secret }),
    one.refused && t("recap.refused", { n: one.refused }),
    one.unanswered && t("recap.unanswered", { n: one.unanswered }),
  ];
  return parts.filter(Boolean).join(" · ");
}

function rarity({ chance, kind }: MomentData): string {
  if (chance === null) return "";
  const p = near(chance);
  return kind === "odds" || kind === "failed" || p > 1 / 4
    ? t("recap.chance", { p: percent(p) })
    : t("recap.one_in", { n: oneIn(p) });
}

function cameTo(found: RecapAnswer, { verdict }: MomentData): string {
  const parts = [verdict?.word, ...(verdict?.detail ?? []), ...(verdict?.paid ?? [])].filter(Boolean);
  return parts.map((one) => saidOf(found, one)).join(" · ");
}

function luckSaid(one: SeatLuckData): string {
  const all = t("recap.luck.of", { good: one.good, n: one.rolls });
  if (!one.counted) return `${all}; ${t("recap.luck.uncounted")}`;
  const well = near(one.at_least),
    badly = near(one.at_most);
  const rare = Math.min(well, badly);
  const how =
    rare > 1 / RARE ? t("recap.ordinary") : t(well < badly ? "recap.luckier" : "recap.worse", { n: oneIn(rare) });
  return one.counted === one.rolls
    ? `${all}; ${how}`
    : `${all}; ${t("recap.luck.counted", { good: one.counted_good, n: one.counted, how })}`;
}

/** By how much it went better than expected, of the rolls of which that is known. */
const beyond = (one: SeatLuckData): number => one.counted_good - near(one.expected);

/** With its sign; what is written as zero has none. */
export function formatChange(amount: number): string {
  const size = number(Math.abs(amount), 1);
  return size === number(0, 1) ? size : `${amount < 0 ? "−" : "+"}${size}`;
}
const sumOfLuck = (one: SeatLuckData): string => (one.counted ? formatChange(beyond(one)) : "");

/** The price; a number above it is not repeated. */
function paidSaid(found: RecapAnswer, one: PriceData): string {
  const { said } = one;
  const much = one.unit === "amount" && Array.isArray(said) ? [said[0], { ...(said[1] as object), n: one.n }] : said;
  const what = saidOf(found, much) || priced({ name: one.name, title: one.name }, one.n);
  const bare = what.startsWith(`${one.n} `) ? what.slice(`${one.n} `.length) : what;
  // A price paid only by choice was not to be expected of anybody: a zero beside it would be no comparison.
  const expected = near(one.expected);
  if (!expected) return bare;
  const values = { what: bare, expected: number(expected, 1) };
  return one.counted === one.rolls
    ? t("recap.expected", { ...values, n: values.expected })
    : t("recap.expected.counted", { ...values, paid: number(one.counted_n), n: one.counted });
}

/** The number of each choice: choices that read the same are one. */
function chosen(found: RecapAnswer): [string, number][] {
  const counted = new Map<string, number>();
  for (const { said, n } of found.choices) {
    const what = capital(saidOf(found, said));
    counted.set(what, (counted.get(what) ?? 0) + n);
  }
  return [...counted].sort(([, one], [, other]) => other - one);
}

function reminded(found: RecapAnswer, one: ReminderData): string {
  const text = saidOf(found, one.text),
    of = saidOf(found, one.of);
  const what = of ? t("recap.value", { what: of, n: text }) : text;
  return typeof one.value !== "number"
    ? what
    : one.most
      ? t("recap.of", { what, n: one.value, most: one.most })
      : t("recap.value", { what, n: one.value });
}

/** The evening as a text, for the group's chat. */
export function asText(found: RecapAnswer, title: string): string {
  const lines = [title, `${t("table.session", { n: found.session })}, ${whenOf(found)}`, sumOf(found), ""];
  for (const one of found.moments) {
    const whose = `${called(found, one.by, one.sheet)}, ${saidOf(found, one.title)}`;
    const how = one.chance ? ` (${rarity(one)})` : "";
    lines.push(`${t(`recap.${one.kind}`)}: ${whose}. ${cameTo(found, one)}${how}`);
  }
  if (found.luck.length)
    lines.push(
      "",
      t("recap.luck"),
      ...found.luck.map((one) => `${sumOfLuck(one)} ${called(found, one.seat)}: ${luckSaid(one)}`.trim()),
    );
  if (found.given_up.length)
    lines.push(
      "",
      t("recap.given_up.title"),
      ...found.given_up.map((one) => `${called(found, one.seat)}: ${givenUpSaid(one)}`),
    );
  if (found.waits.length)
    lines.push(
      "",
      t("recap.waits"),
      ...found.waits.map((one) => `${called(found, one.sheet)}: ${reminded(found, one)}`),
    );
  return lines.join("\n");
}

const titleOf = (table: Table): string => table.world.value.table.title || table.game.value?.title || t("table.free");

export function RecapDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const now = table.world.value.session;
  const [session, setSession] = useState(Math.max(1, now - 1));
  return (
    <Dialog title={titleOf(table)} onClose={onClose} broad>
      {now > 1 && (
        <select
          class="input"
          aria-label={t("recap.which")}
          value={String(session)}
          onChange={(event) => setSession(Number(event.currentTarget.value))}
        >
          {Array.from({ length: now }, (_, n) => (
            <option key={n} value={String(n + 1)}>
              {t("table.session", { n: n + 1 })}
            </option>
          ))}
        </select>
      )}
      <LookBack table={table} session={session} />
    </Dialog>
  );
}

/** One session, fetched. */
export function LookBack({ table, session }: { table: Table; session: number }): JSX.Element {
  const [found, setFound] = useState<RecapAnswer | null>(null);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    table
      .get<RecapAnswer>(`/recap?session=${session}`, stop.signal)
      .then(setFound, (problem: Error) => problem.name !== "AbortError" && setWrong(problem.message));
    return () => stop.abort();
  }, [session]);
  return (
    <>
      {wrong && (
        <p class="notice bad" role="alert">
          <Icon name="warn" />
          {wrong}
        </p>
      )}
      {!found && !wrong && <div class="skeleton" style={{ height: "12rem" }} />}
      {found && <Evening table={table} found={found} title={titleOf(table)} />}
    </>
  );
}

function Evening({ table, found, title }: { table: Table; found: RecapAnswer; title: string }): JSX.Element {
  const share = (): void => void copy(asText(found, title), t("recap.copied"));
  const any = found.rolls > 0 || found.given_up.length > 0;
  const prices = found.prices.filter(({ n, expected }) => n > 0 || near(expected) >= HARDLY);
  return (
    <div class="recap">
      <header class="recap-head">
        <p class="label">
          {whenOf(found)} · {t("recap.people", { n: found.people.length })}
        </p>
        <p class="recap-sum">{any ? sumOf(found) : t("recap.none")}</p>
        {any && (
          <button class="button main" onClick={share}>
            <Icon name="share" size={18} />
            {t("recap.share")}
          </button>
        )}
      </header>
      {found.moments.length > 0 && (
        <ul class="moments">
          {found.moments.map((one) => (
            <li key={one.kind} class="moment" data-kind={one.kind}>
              <header class="row apart">
                <h3>
                  <Icon name={SIGNS[one.kind]} size={20} />
                  {t(`recap.${one.kind}`)}
                </h3>
                <time class="small soft">
                  {new Date(one.at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })}
                </time>
              </header>
              <strong>
                {called(found, one.by, one.sheet)}, {saidOf(found, one.title)}
              </strong>
              {one.dice.length > 0 && (
                <Dice dice={one.dice} faces={one.faces as Face[]} marks={one.marks as Marks} small />
              )}
              <p>{cameTo(found, one)}</p>
              <p class="small soft">{rarity(one)}</p>
            </li>
          ))}
        </ul>
      )}
      {found.luck.length > 0 && <LuckList table={table} found={found} />}
      {found.given_up.length > 0 && (
        <section class="recap-part" aria-label={t("recap.given_up.title")}>
          <h3>{t("recap.given_up.title")}</h3>
          <ul class="recap-waits">
            {found.given_up.map((one) => (
              <li key={one.seat}>
                <strong>{called(found, one.seat)}</strong> {givenUpSaid(one)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(prices.length > 0 || found.choices.length > 0) && (
        <section class="recap-part" aria-label={t("recap.numbers")}>
          <h3>{t("recap.numbers")}</h3>
          {prices.length > 0 && (
            <dl class="facts">
              {prices.map((one) => (
                <div key={one.name}>
                  <dt>{paidSaid(found, one)}</dt>
                  <dd>{number(one.n)}</dd>
                </div>
              ))}
            </dl>
          )}
          {found.choices.length > 0 && (
            <p class="recap-chosen">
              {t("recap.chosen", {
                list: new Intl.ListFormat(locale(), { type: "unit" }).format(
                  chosen(found).map(([what, n]) => t("recap.times", { what, n })),
                ),
              })}
            </p>
          )}
        </section>
      )}
      {found.waits.length > 0 && (
        <section class="recap-part">
          <h3>{t("recap.waits")}</h3>
          <ul class="recap-waits">
            {found.waits.map((one, n) => (
              <li key={n}>
                <strong>{called(found, one.sheet)}</strong> {reminded(found, one)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Everybody's luck as a bar from the middle: to the right what went better than expected. */
function LuckList({ table, found }: { table: Table; found: RecapAnswer }): JSX.Element {
  const all = found.luck;
  const most = Math.max(1, ...all.map((one) => Math.abs(beyond(one))));
  return (
    <section class="recap-part">
      <h3>{t("recap.luck")}</h3>
      <p class="small soft">{t("recap.luck.about")}</p>
      <ul class="lucks">
        {all.map((one) => {
          const share = (50 * Math.abs(beyond(one))) / most;
          return (
            <li key={one.seat}>
              <Avatar table={table} id={one.seat} />
              <span class="grow">
                <strong>{called(found, one.seat)}</strong>
                <span class="small soft">{luckSaid(one)}</span>
              </span>
              <span class="luck-bar" aria-hidden="true">
                <i style={{ width: `${share}%`, [beyond(one) < 0 ? "right" : "left"]: "50%" }} />
              </span>
              <b class="luck-sum">{sumOfLuck(one)}</b>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
