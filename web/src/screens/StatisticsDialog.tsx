// Are my dice bad? Observed against expected, and honest about small numbers.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatDie } from "../dice/looks";
import type { DieCountData, StatisticsAnswer, ThrowerData } from "../net/shapes";
import type { Table } from "../state/table";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { bring, language, number, t } from "../i18n";
import { en_checking } from "../i18n/en_checking";

bring(en_checking);

export function StatisticsDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const [found, setFound] = useState<StatisticsAnswer | null>(null);
  const [wrong, setWrong] = useState("");
  const [who, setWho] = useState(table.me.value?.seat ?? "");
  useEffect(
    () =>
      void table
        .get<StatisticsAnswer>("/statistics?for=me")
        .then(setFound, (problem: Error) => setWrong(problem.message)),
    [language.value],
  );
  const seen = found && (found.seats.find((one) => one.seat === who) ?? (who ? null : found.table));
  return (
    <Dialog title={t("statistics.title")} onClose={onClose} broad>
      {wrong && (
        <p class="notice bad" role="alert">
          <Icon name="warn" />
          {wrong}
        </p>
      )}
      {!found && !wrong && <div class="skeleton" style={{ height: "8rem" }} />}
      {found && (
        <>
          <select
            class="input"
            aria-label={t("statistics.who")}
            value={who}
            onChange={(event) => setWho(event.currentTarget.value)}
          >
            <option value="">{t("statistics.table")}</option>
            {table.here.value.map((seat) => (
              <option key={seat.id} value={seat.id}>
                {table.nameOf(seat.id)}
              </option>
            ))}
          </select>
          {seen ? (
            <Of seen={seen} />
          ) : (
            <p class="empty">
              <Icon name="die" size={40} />
              {t("statistics.none")}
            </p>
          )}
          <p class="small soft">
            {table.me.value && `${t("statistics.own")} `}
            {found.caution}
            {found.unseen > 0 && ` ${t("statistics.unseen", { n: found.unseen })}`}
          </p>
        </>
      )}
    </Dialog>
  );
}

function Of({ seen }: { seen: ThrowerData }): JSX.Element {
  return (
    <>
      {seen.luck.verdict && <p class="told">{seen.luck.verdict}</p>}
      {seen.luck.higher_than !== null && (
        <div class="luck" role="img" aria-label={seen.luck.verdict}>
          <span style={{ left: `${Math.round(100 * seen.luck.higher_than)}%` }} />
        </div>
      )}
      {seen.given_up.said && <p class="told">{seen.given_up.said}</p>}
      {seen.dice.map((die) => (
        <DieTable key={`${die.die} ${die.how}`} die={die} />
      ))}
    </>
  );
}

function DieTable({ die }: { die: DieCountData }): JSX.Element {
  const most = Math.max(1, ...die.faces.map((face) => Math.max(face.seen, face.expected)));
  return (
    <section class="stack close">
      <h3>
        {t(die.how === "typed" ? "statistics.die.typed" : "statistics.die", { die: formatDie(die.die), n: die.throws })}
      </h3>
      <table class="plain seen-table">
        <thead>
          <tr>
            <th>{t("statistics.face")}</th>
            <th class="n">{t("statistics.seen")}</th>
            <th class="n">{t("statistics.expected")}</th>
            <th class="wide-cell">
              <span class="unseen">{t("statistics.chart")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {die.faces.map((face) => (
            <tr key={face.face}>
              <td>{face.face}</td>
              <td class="n">{face.seen}</td>
              <td class="n">{number(face.expected, 1)}</td>
              <td aria-hidden="true">
                <span class="seen-bar">
                  <span style={{ width: `${(100 * face.seen) / most}%` }} />
                  <i style={{ left: `${(100 * face.expected) / most}%` }} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small">{die.verdict}</p>
    </section>
  );
}
