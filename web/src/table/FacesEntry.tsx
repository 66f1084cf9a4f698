// Dice that somebody throws themselves: real ones, whose faces are typed, or their own part of a roll.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { percent } from "../charts/scales";
import { Faces } from "../dice/Faces";
import { formatDie } from "../dice/looks";
import type { Roll, RollState } from "../state/types";
import type { Text } from "../state/card";
import { marksOf } from "../state/marks";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { language, t } from "../i18n";
import "../i18n/choosing";
import { worded } from "../i18n/text";
import type { Advice } from "./advice";
import { goOn } from "./roll_commands";
import { whoActs, whoRolls } from "./roll_owners";

type Throw = Extract<RollState, { step: "throw" }>;

export function FacesEntry({
  roll,
  after,
  table,
  may,
}: {
  roll: Roll;
  after: Throw;
  table: Table;
  may: boolean;
}): JSX.Element {
  const [real, setReal] = useState(false);
  if (after.witness)
    return (
      <div class="waiting" role="status">
        <Icon name="hourglass" size={20} />
        <p>{t("faces.witness", { name: table.nameOf(after.witness) })}</p>
      </div>
    );
  if (!roll.physical && !real && after.by !== roll.by && table.seat(after.by))
    return <OwnThrow roll={roll} after={after} table={table} onReal={() => setReal(true)} />;
  if (!may) {
    return (
      <div class="waiting">
        <Icon name="hourglass" size={20} />
        <p>{t("faces.waits", { name: table.nameOf(after.by || roll.by) })}</p>
      </div>
    );
  }
  const thrower = after.by || roll.by;
  return (
    <Faces
      dice={after.dice}
      called={after.named as Record<string, Text> | undefined}
      who={(ref) => table.characterOf(ref.slice(1))}
      pool={after.pool}
      round={roll.last}
      marks={marksOf(roll)}
      whose={thrower === table.me.value?.seat ? undefined : whoActs(thrower, roll, table)}
      onEnter={(faces) => void goOn(table, roll, "roll.enter", { faces })}
      onVirtual={() => void goOn(table, roll, "roll.throw", {})}
    />
  );
}

/** Dice in words, those alike counted: 7 × d10. */
function poolSaid(dice: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const die of dice.map(formatDie)) counts.set(die, (counts.get(die) ?? 0) + 1);
  return [...counts].map(([die, count]) => (count > 1 ? `${count} × ${die}` : die)).join(" + ");
}

/** The chance of a roll with its present dice; before any are thrown, as it began. */
function useStanding(roll: Roll, table: Table): { number: number; goal: string } | null {
  const [found, setFound] = useState<{ number: number; goal: string } | null>(null);
  useEffect(() => {
    if (!roll.what?.request) return undefined;
    const stop = new AbortController();
    const goal = roll.goal ? { goal: roll.goal } : {};
    table.post<Advice>(`/rolls/${roll.id}/advice`, goal, stop.signal).then(
      (advice) =>
        setFound(
          advice.value.chance
            ? { number: advice.value.number, goal: worded(`goal.${advice.goal.name}`, advice.goal.title) }
            : null,
        ),
      () => setFound(null),
    );
    return () => stop.abort();
  }, [roll.id, roll.last, language.value]);
  return found;
}

/** The thrower's part: their skill, the dice, and the chance of the roll. */
function WhatIThrow({ roll, after, table }: { roll: Roll; after: Throw; table: Table }): JSX.Element {
  const stands = useStanding(roll, table);
  const lie = roll.entries.some((entry) => entry.kind === "thrown" && !entry.taken);
  return (
    <div class="own-throw-what">
      <p>
        {table.said(after.said as Text | undefined)} <strong>{poolSaid(after.dice)}</strong>
      </p>
      <p class="small soft">
        {stands
          ? t(lie ? "throw.odds" : "throw.odds.first", {
              name: whoRolls(roll, table),
              chance: percent(stands.number),
              goal: stands.goal,
            })
          : "\u00a0"}
      </p>
    </div>
  );
}

/** A part of a roll that its player throws: one button for them, and a text for all who wait. */
function OwnThrow({
  roll,
  after,
  table,
  onReal,
}: {
  roll: Roll;
  after: Throw;
  table: Table;
  onReal: () => void;
}): JSX.Element {
  const me = table.me.value?.seat;
  const go = (): void => void goOn(table, roll, "roll.throw", {});
  if (after.by === me)
    return (
      <div class="own-throw" role="group" aria-label={t("throw.label")}>
        <WhatIThrow roll={roll} after={after} table={table} />
        <button type="button" class="button main big" onClick={go}>
          <Icon name="die" size={26} />
          {t("throw.own")}
        </button>
        <button type="button" class="button quiet" onClick={onReal}>
          <Icon name="hand" size={18} />
          {t("throw.real")}
        </button>
      </div>
    );
  return (
    <div class="waiting" role="group" aria-label={t("throw.waiting")}>
      <Icon name="hourglass" size={20} />
      <p class="grow">{t("throw.waits", { name: table.nameOf(after.by) })}</p>
      {(roll.by === me || table.isReferee.value) && (
        <button type="button" class="button quiet" onClick={go}>
          {t("throw.for_them", { name: table.nameOf(after.by) })}
        </button>
      )}
    </div>
  );
}
