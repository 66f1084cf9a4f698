// The referee's roll requests: answered by those they concern, watched by everybody else.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { percent } from "../charts/scales";
import { formatPolicy } from "../panel/names";
import type { PreviewAnswer as Preview } from "../net/shapes";
import type { RollRequest } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { nameSaid, worded } from "../i18n/text";
import { panelInSight, show } from "../screens/views";
import { startedRoll } from "../sheets/open_sheet";
import type { FormAnswer, Start } from "../state/card";
import { requestTitle } from "./EventLine";

export function RollRequests({ table }: { table: Table }): JSX.Element | null {
  const mine = table.myAsks.value;
  // A request that all have answered is over; the next one closes it.
  const open = table.world.value.asks.filter(
    (ask) => !ask.closed && !mine.includes(ask) && (leftOf(ask, table).length || !Object.keys(ask.answered).length),
  );
  const others = table.isReferee.value ? [] : open.filter((ask) => leftOf(ask, table).length);
  if (!open.length) return null;
  return (
    <div class="asks">
      {table.isReferee.value && open.map((ask) => <OpenAsk key={ask.id} ask={ask} table={table} />)}
      {others.map((ask) => (
        <SeenAsk key={ask.id} ask={ask} table={table} />
      ))}
    </div>
  );
}

/** The requests for us, in sight everywhere; the one being answered in the roll panel is shown there. */
export function RollRequestBar({ table }: { table: Table }): JSX.Element | null {
  const mine = table.myAsks.value.filter((ask) => !(ask.id === table.answering.value && panelInSight()));
  if (!mine.length) return null;
  return (
    <section class="ask-bar" aria-label={t("ask.bar")}>
      {mine.map((ask) => (
        <MyAsk key={ask.id} ask={ask} table={table} />
      ))}
    </section>
  );
}

function MyAsk({ ask, table }: { ask: RollRequest; table: Table }): JSX.Element {
  const [refused, setWrong] = useState("");
  const fit = useFit(ask, table);
  const wrong = refused || (fit?.fits === null ? whyNot(fit, table) : "");
  // Fields that the ask leaves open, or this sheet does not have, are picked by hand.
  const byHand = (): void => {
    table.answering.value = ask.id;
    if (ask.roll.draft) startedRoll.value = { sheet: table.me.value!.seat, start: ask.roll.draft as unknown as Start };
    show("roll");
  };
  const roll = (physical: boolean): void => {
    const own = ask.roll.expression === undefined ? { policy: "ask" } : {};
    void table.send({ do: "roll.start", ...own, ...ask.roll, ask: ask.id, visibility: ask.visibility, physical }).then(
      () => show("stage"),
      (problem: Error) => setWrong(problem.message),
    );
  };
  const what = table.said(requestTitle(ask.roll, table));
  // A single addressee may decline: it is over, and the author sees that.
  const decline = (): void =>
    void table
      .send({ do: "roll_request.close", ask: ask.id })
      .then(() => table.send({ do: "chat.send", text: t("ask.declined", { what }), to: [ask.by] }))
      .catch(showError);
  return (
    <div class="ask notice">
      <Icon name="bell" />
      <div class="grow">
        <p>
          <strong>{t("ask.asks", { name: table.nameOf(ask.by) })}</strong> {what}
        </p>
        {ask.note && <p class="small ask-note">“{ask.note}”</p>}
        {!wrong && !!fit?.lacks?.length && (
          <p class="small">{t("ask.lacks.you", { what: fit.lacks.map(nameSaid).join(", ") })}</p>
        )}
        {!wrong && <AskOdds ask={ask} table={table} fits={fit?.fits ?? undefined} />}
        {wrong && (
          <p class="wrong" role="alert">
            {wrong}
          </p>
        )}
      </div>
      {wrong ? (
        <button class="button main" onClick={byHand}>
          <Icon name="die" size={18} />
          {t("ask.pick")}
        </button>
      ) : (
        <button class="button main" onClick={() => roll(false)}>
          <Icon name="die" size={18} />
          {t("ask.roll")}
        </button>
      )}
      {!wrong && (
        <button class="button quiet" onClick={() => roll(true)}>
          <Icon name="hand" size={18} />
          <span class="ask-word">{t("ask.physical")}</span>
        </button>
      )}
      {ask.who.length === 1 && (
        <button class="button quiet" onClick={decline}>
          <Icon name="cross" size={18} />
          <span class="ask-word">{t("ask.not_now")}</span>
        </button>
      )}
    </div>
  );
}

/** Why one's own sheet does not roll what is asked for: it lacks it, the rules say no, or the ask leaves it open. */
function whyNot({ lacks, why }: FormAnswer, table: Table): string {
  if (lacks?.length) return t("ask.cannot.you");
  return why ? t("ask.refused.you", { why: table.said(why) }) : t("ask.open.you");
}

/** The request as one's own sheet can roll it; null until that is known, or if there is no sheet. */
function useFit(ask: RollRequest, table: Table): FormAnswer | null {
  const [fit, setFit] = useState<FormAnswer | null>(null);
  const sheet = JSON.stringify(table.mySheet.value?.values ?? null);
  useEffect(() => {
    if (!ask.roll.draft || !table.mySheet.value) return setFit(null);
    const stop = new AbortController();
    table
      .post<FormAnswer>("/form", { n: 0, purpose: "ask", draft: ask.roll.draft }, stop.signal)
      .then(setFit, () => setFit(null));
    return () => stop.abort();
  }, [ask.id, sheet]);
  return fit;
}

/** The chance of what is asked for, with one's own sheet, before it is rolled. */
function AskOdds({ ask, table, fits }: { ask: RollRequest; table: Table; fits?: Start }): JSX.Element | null {
  const [odds, setOdds] = useState<Preview | null>(null);
  const sheet = JSON.stringify(table.mySheet.value?.values ?? null);
  useEffect(() => {
    const stop = new AbortController();
    const { expression, request, goal, policy } = ask.roll,
      draft = fits ?? ask.roll.draft;
    const what =
      expression !== undefined
        ? { expression }
        : { ...(request ? { request } : { draft }), ...(goal ? { goal } : {}), ...(policy ? { policy } : {}) };
    table.post<Preview>("/preview", { ...what, parts: ["odds"] }, stop.signal).then(setOdds, () => setOdds(null));
    return () => stop.abort();
  }, [ask.id, sheet, JSON.stringify(fits)]);
  if (!odds?.chance?.chance) return null;
  const { goal } = odds.chance;
  return (
    <p class="small ask-odds">
      {percent(odds.chance.number)}
      {goal && ` ${worded(`goal.${goal.name}`, goal.title)}`}
      {odds.play && ` ${formatPolicy(String(odds.request?.roll ?? ""), odds.play)}`}
    </p>
  );
}

/** Who has not rolled yet of those that are asked. */
function leftOf(ask: RollRequest, table: Table): string[] {
  const who =
    ask.who === "all"
      ? table.here.value.filter((seat) => seat.role === "player").map((seat) => seat.id)
      : (ask.who as string[]);
  return who.filter((seat) => !(seat in ask.answered));
}

/** A request for somebody else, for all who watch. */
function SeenAsk({ ask, table }: { ask: RollRequest; table: Table }): JSX.Element {
  const who = leftOf(ask, table)
    .map((seat) => table.characterOf(seat))
    .join(", ");
  return (
    <div class="ask line">
      <Icon name="bell" size={18} />
      <p class="grow">
        {t("line.roll_request.created", {
          by: table.nameOf(ask.by),
          who,
          what: table.said(requestTitle(ask.roll, table)),
        })}
      </p>
    </div>
  );
}

function OpenAsk({ ask, table }: { ask: RollRequest; table: Table }): JSX.Element {
  const left = leftOf(ask, table);
  return (
    <div class="ask line">
      <Icon name="hourglass" size={18} />
      <p class="grow small">
        {requestTitle(ask.roll, table)} ·{" "}
        {t("ask.waits", { who: left.map((seat) => table.characterOf(seat)).join(", ") || "…" })}
      </p>
      <button
        class="button quiet"
        onClick={() => void table.send({ do: "roll_request.close", ask: ask.id }).catch(showError)}
      >
        {t("roll_request.close")}
      </button>
    </div>
  );
}

/** First in the roll panel: which ask the next roll answers. */
export function RollRequestAnswer({ table }: { table: Table }): JSX.Element | null {
  const ask = table.myAsks.value.find((one) => one.id === table.answering.value);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.scrollIntoView({ block: "nearest" }), [ask?.id]);
  if (!ask) return null;
  return (
    <div class="notice answering" ref={note}>
      <Icon name="bell" />
      <p class="grow">
        {t("ask.answering", { name: table.nameOf(ask.by), what: table.said(requestTitle(ask.roll, table)) })}
      </p>
      <button class="button quiet round" aria-label={t("do.cancel")} onClick={() => (table.answering.value = "")}>
        <Icon name="cross" size={18} />
      </button>
    </div>
  );
}
