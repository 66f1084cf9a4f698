// The odds a roll had before it was thrown.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { percent } from "../charts/scales";
import { formatPolicy, formatWorth } from "../panel/names";
import type { PreviewAnswer as Preview } from "../net/shapes";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { worded } from "../i18n/text";

const known = new Map<string, Promise<Preview>>();

export function oddsOf(roll: Roll, table: Table): Promise<Preview> {
  const key = `${table.id} ${roll.id}`;
  let found = known.get(key);
  if (!found) {
    const goal = roll.goal ? { goal: roll.goal } : {};
    const policy = roll.policy && roll.policy !== "ask" ? { policy: roll.policy } : {};
    found = table.post<Preview>("/preview", { ...roll.what, ...goal, ...policy, parts: ["odds"] });
    known.set(key, found);
    found.catch(() => known.delete(key));
  }
  return found;
}

/** Cards that come into view ask by themselves: one after the other, after a glance, and not for ever. */
const GLANCE = 600;
const MOST_BY_THEMSELVES = 40;
/** A refusal counts as so many, so that a busy server is soon left in peace. */
const DEAR = 8;
let asked = 0;
let queue: Promise<unknown> = Promise.resolve();

export function RollOdds({ roll, table }: { roll: Roll; table: Table }): JSX.Element | null {
  const [odds, setOdds] = useState<Preview | "wanted" | "none" | null>(null);
  const place = useRef<HTMLButtonElement>(null);
  const live = table.arrived.has(roll.first);
  const load = (): void => {
    setOdds("wanted");
    oddsOf(roll, table).then(setOdds, () => setOdds("none"));
  };
  useEffect(() => {
    if (live && roll.status === "done" && !odds) load();
  }, [roll.status]);
  useEffect(() => {
    if (odds || live || roll.status !== "done" || !roll.what || !place.current) return;
    let timer = 0;
    const watch = new IntersectionObserver(([seen]) => {
      clearTimeout(timer);
      if (!seen?.isIntersecting || asked >= MOST_BY_THEMSELVES) return;
      timer = window.setTimeout(() => {
        asked += 1;
        queue = queue.then(() => oddsOf(roll, table).then(setOdds, () => (asked += DEAR)));
      }, GLANCE);
    });
    watch.observe(place.current);
    return () => (clearTimeout(timer), watch.disconnect());
  }, [odds, roll.status]);
  if (!roll.what || odds === "none") return null;
  if (odds === "wanted") return <span class="odds-line skeleton" />;
  if (!odds)
    return (
      <button ref={place} class="button quiet small-button" onClick={load} aria-label={t("roll.odds")}>
        <Icon name="chart" size={18} />
        {t("roll.odds.short")}
      </button>
    );
  return <OddsLine roll={roll} odds={odds} />;
}

/** The chance in a line, or what to expect; nothing where there is neither. */
export function OddsLine({ roll, odds }: { roll: Roll; odds: Preview }): JSX.Element | null {
  if (!odds.chance || !roll.what) return null;
  const { chance } = odds;
  const when = odds.play ? formatPolicy(String(roll.what.request?.roll ?? ""), odds.play) : "";
  return (
    <span class="odds-line" title={[when, ...(odds.costs ?? []).map((cost) => cost.words)].filter(Boolean).join(", ")}>
      <Icon name="chart" size={16} />
      {chance.chance ? (
        <span class="odds-said">
          {percent(chance.number)}
          <span class="odds-goal">
            {" "}
            {t("roll.odds.chance", { goal: chance.goal ? worded(`goal.${chance.goal.name}`, chance.goal.title) : "" })}
            {when && ` ${when}`}
          </span>
        </span>
      ) : (
        t("roll.odds.mean", { mean: formatWorth(chance) })
      )}
    </span>
  );
}
