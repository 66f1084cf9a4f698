// The stage: who sits here, what waits, and the current roll in the middle of the felt.
import type { JSX } from "preact";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import { currentRoll, lastEnding } from "./current_roll";
import { RollCard } from "./RollCard";
import { Seats } from "./Seats";
import { waitsForMe } from "./waits";

const Asks = lazy(async () => (await import("./RollRequests")).RollRequests);
const Crowd = lazy(async () => (await import("./JoinFlood")).JoinFlood);
const EveningOver = lazy(async () => (await import("./EndSession")).SessionEnded);
const Invite = lazy(async () => (await import("./Invite")).Invite);
const WaitingStrip = lazy(async () => (await import("./WaitingStrip")).WaitingStrip);

export function CurrentRoll({ table }: { table: Table }): JSX.Element {
  const roll = currentRoll(table);
  const ended = lastEnding(table);
  const first = !table.isReferee.value && !(roll && isMoment(roll, table));
  return (
    <>
      <Seats table={table} roll={roll} />
      {table.isReferee.value && <Crowd table={table} />}
      <Asks table={table} />
      <WaitingStrip table={table} besides={roll?.id ?? ""} />
      {/* The next step of a newcomer comes first; nothing pushes away what all are watching, or the referee's dice. */}
      {ended > 0 && <EveningOver table={table} session={ended} />}
      {!ended && first && <Invite table={table} />}
      {roll && <RollCard key={roll.id} roll={roll} table={table} staged />}
      {!ended && !first && <Invite table={table} />}
      {!roll && (
        <div class="empty stage-empty">
          <Icon name="die" size={56} />
          <p>{t(table.isPlaying.value ? "feed.empty" : "feed.quiet")}</p>
        </div>
      )}
    </>
  );
}

/** Whether a roll is what the table looks at now: it is open, waits for us, or ended before our eyes. */
const isMoment = (roll: Roll, table: Table): boolean =>
  roll.status === "open" || waitsForMe(roll, table) || table.arrived.has(roll.last);
