// Choices that have a shape of their own: a number on a ladder, and people who give one another something.
import type { ComponentChildren, JSX } from "preact";
import type { Ladder as Rungs, Member, Text } from "../state/card";
import type { Option } from "../state/types";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import "../i18n/choosing";
import { SIGNS } from "./verdict";

type Say = (text: Text | undefined) => string;

/** How far beyond its ends a ladder is drawn, of its length. */
const ROOM = 0.06;

/** A number among the named rungs, and the target of each option. */
export function Ladder({ ladder, options, say }: { ladder: Rungs; options: readonly Option[]; say: Say }): JSX.Element {
  const led = [...new Set(options.flatMap(({ at }) => (at === undefined || at === ladder.at ? [] : [at])))];
  const all = [...ladder.rungs.map(({ at }) => at), ladder.at, ...led];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const place = (at: number): { insetInlineStart: string } => ({
    insetInlineStart: `${(100 * (ROOM + ((1 - 2 * ROOM) * (at - low)) / (high - low || 1))).toFixed(2)}%`,
  });
  const said = (at: number): string => say(ladder.rungs.findLast((rung) => rung.at <= at)?.label) || "–";
  const rungs = ladder.rungs.map(({ at, label }) => `${say(label)} ${at}`).join(", ");
  return (
    <div class="ladder" role="img" aria-label={t("ladder.said", { at: ladder.at, level: said(ladder.at), rungs })}>
      {ladder.rungs.map(({ at, label }) => (
        <span key={at} class="rung" data-goal={at === ladder.goal || undefined} style={place(at)}>
          <span>{say(label)}</span>
          <b>{at}</b>
        </span>
      ))}
      <b class="ladder-at" style={place(ladder.at)}>
        {ladder.at}
      </b>
      {led.map((at) => (
        <b
          key={at}
          class="ladder-at"
          data-led
          data-reached={(ladder.goal !== undefined && at >= ladder.goal) || undefined}
          style={place(at)}
        >
          {at}
        </b>
      ))}
    </div>
  );
}

interface PartyProps {
  party: readonly Member[];
  options: readonly Option[];
  say: Say;
  /** The button of an option. */
  draw: (number: number) => ComponentChildren;
}

/** Who can give on the one side, who may be given something on the other, with the button that does it. */
export function Party({ party, options, say, draw }: PartyProps): JSX.Element {
  const optionOf = (n: number): number => options.findIndex(({ member }) => member === n);
  const all = party.map((member, n) => ({ member, option: optionOf(n) }));
  const givers = all.filter(({ member }) => member.gives);
  const takers = all.filter(({ member, option }) => !member.gives && option >= 0);
  const others = all.filter((one) => !givers.includes(one) && !takers.includes(one));
  return (
    <div class="party">
      <section aria-label={t("party.gives")}>
        <h3>{t("party.gives")}</h3>
        {givers.map(({ member }, n) => (
          <Stands key={n} member={member} say={say}>
            <p class="party-left">{t("party.left", { n: member.gives! })}</p>
          </Stands>
        ))}
        {others.map(({ member }, n) => (
          <Stands key={n} member={member} say={say} />
        ))}
      </section>
      <section aria-label={t("party.takes")}>
        <h3>{t("party.takes")}</h3>
        {takers.map(({ member, option }) => (
          <Stands key={option} member={member} say={say} needs>
            {draw(option)}
          </Stands>
        ))}
      </section>
    </div>
  );
}

function Stands({
  member,
  say,
  needs,
  children,
}: {
  member: Member;
  say: Say;
  needs?: boolean;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="member" data-needs={needs || undefined} data-gives={member.gives ? true : undefined}>
      <p class="row apart">
        <strong>{say(member.label)}</strong>
        {member.said !== "" && (
          <span class="member-score outcome" data-tone={member.tone}>
            {SIGNS[member.tone] && <Icon name={SIGNS[member.tone]!} size={18} />}
            <b>{say(member.said)}</b>
          </span>
        )}
      </p>
      {children}
    </div>
  );
}
