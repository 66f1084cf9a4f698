// A roll as a card: who, what, why, the dice, the sentence, what it changed, and how one can trust it.
import type { JSX } from "preact";
import { Dice, standing } from "../dice";
import { beforeLanding } from "../dice/fates";
import type { ChoiceEntry, Entry, Roll, ThrowEntry, Visibility } from "../state/types";
import { marksOf } from "../state/marks";
import type { Table } from "../state/table";
import { Icon, type IconName } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { say, worded } from "../i18n/text";
import { Ago } from "./Ago";
import { Avatar, hueOf } from "./Avatar";
import { SumLine, Outcome, sumOf } from "./Outcome";
import { tagsOf } from "./die_tags";
import { goodOf, verdictOf } from "./verdict";
import { throwsNow } from "./waits";
import { ownerName, sheetName, whoActs, whoRolls } from "./roll_owners";

const EYES: Record<Visibility, IconName> = { private: "lock", blind: "hidden", hidden: "hidden", open: "eye" };
/** Pattern of dice that may need a remark: nobody asks about `2d6+3`. */
const MAY_DIFFER = /[#<>=&]|d(\d)\1|[kdp][hl]?\d*\s*[kdp][hl]|adv|dis|keep|drop/i;
const JUST_NOW = 2500;
const SETTLED = 1000;

const Decision = lazy(async () => (await import("./ChoiceView")).ChoiceView);
const FacesEntry = lazy(async () => (await import("./FacesEntry")).FacesEntry);
const Effects = lazy(async () => (await import("./RollEffects")).RollEffects);
const DiceRemarks = lazy(async () => (await import("./DiceHints")).DiceHints);
const RollFoot = lazy(
  async () => (await import("./RollFoot")).RollFoot,
  () => <footer class="roll-foot" />,
);
// Fetched before anybody waits for them, but after the table is in sight.
setTimeout(() => void Promise.all([import("./ChoiceView"), import("./FacesEntry")]).catch(() => {}), SETTLED);

/** A roll whole: on the stage, where it is played, or in the feed, where it was opened again. */
export function RollCard({ roll: shown, table, staged }: { roll: Roll; table: Table; staged?: boolean }): JSX.Element {
  // On the stage the results of dice in the air have their room already, unseen, so that nothing moves when they land.
  const roll = staged ? table.coming(shown) : shown;
  if (roll.veiled) return <Veil roll={roll} table={table} staged={staged} />;
  const done = roll.after?.step === "done" ? roll.after : null;
  const mine = roll.by === table.me.value?.seat;
  const may = mine || table.isReferee.value;
  const verdict = verdictOf(roll, table);
  const good = done ? goodOf(verdict?.tone ?? "even") : "open";
  const player = ownerName(roll, table);
  const asked = table.wordsOf(roll.ask);
  const fresh = !shown.air && performance.now() - (table.arrived.get(roll.last) ?? -Infinity) < JUST_NOW;
  const title = `t-${staged ? "stage-" : ""}${roll.id}`;
  return (
    <article
      class={`roll-card ${staged ? "staged" : "card"}`}
      data-roll={roll.id}
      data-good={roll.status === "done" ? good : roll.status}
      data-tone={roll.status === "done" ? verdict?.tone : undefined}
      data-fresh={fresh || undefined}
      data-air={shown.air || undefined}
      tabIndex={staged ? -1 : undefined}
      aria-labelledby={title}
    >
      <header class="roll-head">
        {!staged && <Avatar table={table} id={roll.sheet.startsWith("n") ? roll.sheet : roll.by} />}
        <div class="grow">
          <h2 id={title}>
            <span class="roll-who">{whoRolls(roll, table)}</span>{" "}
            <span class="roll-title">
              {table.said(roll.title)}
              {parts(roll, table)}
            </span>
          </h2>
          {player && <p class="small soft roll-player">{t("roll.played", { name: player })}</p>}
          {asked && (
            <p class="small soft">
              {table.nameOf(asked.by)}: “{asked.note}”
            </p>
          )}
          {roll.note && <p class="small soft">“{table.said(roll.note)}”</p>}
        </div>
        {roll.visibility !== "open" && (
          <span class="chip secret">
            <Icon name={EYES[roll.visibility]} size={15} />
            {roll.revealed ? t("visibility.revealed") : t(`visibility.${roll.visibility}`)}
          </span>
        )}
        {!staged && <Ago at={roll.at} />}
      </header>
      {roll.entries.length > 0 && <Tray roll={roll} table={table} staged={staged} />}
      <SumLine sum={sumOf(roll)} say={(text) => table.said(text)} />
      {verdict && <Outcome verdict={verdict} staged={staged} fresh={fresh} />}
      {roll.status === "cancelled" && (
        <p class="soft">{roll.after?.step === "stopped" ? table.said(roll.after.why) : t("roll.cancelled")}</p>
      )}
      {roll.status === "undone" && <p class="soft">{t("roll.undone")}</p>}
      {done && <Effects roll={roll} table={table} staged={staged} />}
      {done && <Told text={table.said(done.told)} folded={!!staged && !!done.verdict} />}
      {done && MAY_DIFFER.test(roll.what?.expression ?? "") && (
        <DiceRemarks roll={roll} dice={roll.what!.expression!} table={table} />
      )}
      {roll.status === "open" && roll.after?.step === "choice" && (
        <Decision roll={roll} after={roll.after} table={table} />
      )}
      {roll.status === "open" && roll.after?.step === "throw" && (
        <FacesEntry roll={roll} after={roll.after} table={table} may={throwsNow(roll, roll.after.by, table) ?? may} />
      )}
      <RollFoot roll={roll} table={table} may={may} />
    </article>
  );
}

/** The whole story. If verdict, dice and sheets show it on the stage, it is a tap away. */
function Told({ text, folded }: { text: string; folded: boolean }): JSX.Element {
  if (!folded) return <p class="told">{text}</p>;
  return (
    <details class="told tucked">
      <summary>
        <Icon name="right" size={16} />
        {t("roll.told")}
      </summary>
      <p>{text}</p>
    </details>
  );
}

/** Who plays which part of it, as the game says that. */
export const parts = (roll: Roll, table: Table): string =>
  Object.entries(roll.roles)
    .map(([role, id]) => {
      const who = table.characterOf(id);
      return ` ${worded(`role.${role}`, `· ${role.replaceAll("_", " ")}: ${who}`, { who })}`;
    })
    .join("");

function Veil({ roll, table, staged }: { roll: Roll; table: Table; staged: boolean | undefined }): JSX.Element {
  const reveal = (): void => void table.send({ do: "roll.reveal", roll: roll.id }).catch(showError);
  return (
    <article class={`roll-card veiled ${staged ? "staged" : "card"}`} data-roll={roll.id}>
      <header class="roll-head">
        <Avatar table={table} id={roll.by} />
        <p class="grow">{t("roll.veiled", { name: table.nameOf(roll.by) })}</p>
        <span class="chip secret">
          <Icon name={EYES[roll.visibility]} size={15} />
          {t(`visibility.${roll.visibility}`)}
        </span>
        {table.isReferee.value && !roll.revealed && (
          <button class="button" onClick={reveal}>
            {t("roll.reveal")}
          </button>
        )}
        <Ago at={roll.at} />
      </header>
    </article>
  );
}

/** A throw of so many dice is a row of its own; so many rows are turns of which only the last is large. */
const ROW = 3;
const MOST_ROWS = 2;
/** Dice up to this number are as large as their surroundings leave room for. */
const MOST_FITTED = 14;
/** Earlier turns that stay in sight; those before them are a tap away. */
const EARLIER = 4;

export function Tray({ roll, table, staged }: { roll: Roll; table: Table; staged: boolean | undefined }): JSX.Element {
  // Only rolls of the game are read as the game reads them; 2d6 is 2d6 at any table.
  const game = roll.what?.request ? table.world.value.table.game : "";
  const throws = roll.entries.filter((entry): entry is ThrowEntry => entry.kind === "thrown" && !entry.taken);
  const held = table.air.value;
  const air = staged && held?.roll === roll.id ? held : null;
  // The final state of dice is hidden before they land.
  const lain = air ? beforeLanding(roll, (seq) => seq >= air.from) : roll;
  // Whose dice they are is said by the character's name, as the roll is.
  const named = (ref: string): string => sheetName(table, ref.slice(1));
  const labelOf = (entry: Entry): string =>
    entry.kind === "thrown" ? sideOf(entry, roll, table) || say(entry.label, named) || say(entry.whose, named) : "";
  const turns = staged && throws.filter((entry) => entry.dice.length >= ROW && labelOf(entry)).length > MOST_ROWS;
  const last = throws.at(-1);
  const total = turns ? last!.dice.length : throws.reduce((sum, entry) => sum + entry.dice.length, 0);
  // A choice before a turn is in its line; else a repeated choice is shown once.
  const lines = roll.entries.filter(
    (entry, n) =>
      !isNote(entry) ||
      (turns ? roll.entries[n + 1]?.kind !== "thrown" : !alike(entry, roll.entries.slice(n + 1)).length),
  );
  const draw = (entry: Entry): JSX.Element => {
    const before = roll.entries[roll.entries.indexOf(entry) - 1];
    const label = [labelOf(entry), turns && isNote(before) && entry.kind === "thrown" && table.said(before.said)]
      .filter(Boolean)
      .join(" · ");
    return (
      <TrayEntry
        key={entry.seq}
        roll={lain}
        entry={entry}
        table={table}
        game={game}
        air={!!air && entry.seq >= air.from}
        flies={!!air?.throws.has(entry.seq)}
        first={entry === throws[0]}
        label={label}
        earlier={turns && entry.seq < last!.seq}
        times={isNote(entry) ? alike(entry, roll.entries).length : 1}
      />
    );
  };
  const size =
    staged && !turns && !roll.entries.some(labelOf) ? roomOf(roll, throws, lines.filter(isNote).length) : undefined;
  const again = throws.flatMap((entry) => tagsOf(lain, entry)).filter((tag) => tag === "again").length;
  const fits = !!size && total <= MOST_FITTED;
  const cut = turns ? lines.filter((entry) => entry.seq < last!.seq).length - EARLIER : 0;
  return (
    <div
      class="felt-tray"
      data-fits={fits || undefined}
      data-again={again > MANY_AGAIN ? "many" : undefined}
      style={size}
      data-turns={turns || undefined}
      data-total={total > 14 ? "many" : total > 6 ? "some" : total > 4 ? "several" : "few"}
    >
      {cut > 0 && (
        <details class="earlier tucked">
          <summary>
            <Icon name="right" size={16} />
            {t("roll.earlier", { n: cut })}
          </summary>
          {lines.slice(0, cut).map(draw)}
        </details>
      )}
      {/* Dice as large as there is room lie in rows of the same number; what was chosen stands below them. */}
      {fits ? (
        <>
          <div class="handful">{lines.filter((entry) => !isNote(entry)).map(draw)}</div>
          {lines.filter(isNote).map(draw)}
        </>
      ) : (
        lines.slice(Math.max(0, cut)).map(draw)
      )}
    </div>
  );
}

const SHORT = /^d\d+$/;
/** So many dice that were taken up lie close together, without a word below each. */
const MANY_AGAIN = 3;

/**
 * The inputs for the sizes of dice: how many are in a row if there are one, two or three rows, and what else needs
 * room.
 */
function roomOf(roll: Roll, throws: readonly ThrowEntry[], notes: number): Record<string, number | string> {
  const tags = throws.flatMap((entry) => entry.dice.map((_, n) => tagsOf(roll, entry)[n]));
  const again = tags.filter((tag) => tag === "again").length;
  // A word below a die needs room, a short name such as d10 hardly any.
  const worded =
    tags.some((tag) => tag && tag !== "again") || throws.some(({ dice }) => dice.some((die) => !SHORT.test(die)));
  return {
    ...inRows(Math.max(1, tags.length - again)),
    "--room": worded ? "5.2rem" : "3.6rem",
    "--notes": notes,
    "--again": again ? 1 : 0,
  };
}

/** How many dice lie in a row if there are one, two or three rows of them. */
const inRows = (dice: number): Record<string, number> => ({
  "--one": dice,
  "--two": Math.ceil(dice / 2),
  "--three": Math.ceil(dice / 3),
});

/** Whose dice they are, by name, where people of the table play the parts of a rule. */
function sideOf({ label, whose }: ThrowEntry, roll: Roll, table: Table): string {
  const seat = whose ? roll.roles[whose] : roll.by;
  return label && seat && Object.keys(roll.roles).length ? whoActs(seat, roll, table) : "";
}

const isNote = (entry: Entry | undefined): entry is ChoiceEntry => entry?.kind === "chosen" && !entry.taken;
/** The choices among entries that say the same as one. */
const alike = (one: ChoiceEntry, entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(
    (entry) => isNote(entry) && entry.by === one.by && JSON.stringify(entry.said) === JSON.stringify(one.said),
  );

interface TrayEntryProps {
  roll: Roll;
  entry: Entry;
  table: Table;
  game: string;
  /** Whether it belongs to what is in the air, and whether it is one of the throws that are. */
  air: boolean;
  flies: boolean;
  first: boolean;
  label: string;
  earlier: boolean | undefined;
  times: number;
}

function TrayEntry({
  roll,
  entry,
  table,
  game,
  air,
  flies,
  first,
  label,
  earlier,
  times,
}: TrayEntryProps): JSX.Element {
  if (entry.kind === "veiled")
    return (
      <p class="tray-note">
        <Icon name="hidden" size={16} />
        {t("roll.hidden_throw")}
      </p>
    );
  if (entry.kind === "chosen") {
    return (
      <p class="tray-note" data-taken={entry.taken || undefined} data-later={air || undefined}>
        <Icon name={entry.taken ? "undo" : "hand"} size={16} />
        {t(
          entry.taken
            ? "roll.taken"
            : !entry.agreed
              ? "roll.chose"
              : roll.policy === "ask"
                ? "roll.settled"
                : "roll.agreed",
          { name: whoActs(entry.by, roll, table), what: table.said(entry.said) },
        )}
        {times > 1 && ` ×${times}`}
      </p>
    );
  }
  return (
    <div
      class="tray-throw"
      data-taken={entry.taken || undefined}
      data-earlier={earlier || undefined}
      style={label ? inRows(entry.dice.length) : undefined}
    >
      {label && <span class="tray-whose">{label}</span>}
      <Dice
        dice={entry.dice}
        faces={entry.faces as never}
        {...standing(roll.entries, entry.index)}
        pool={entry.pool}
        fresh={flies}
        onLand={() => table.land(entry.seq)}
        game={game}
        marks={marksOf(roll)}
        tags={tagsOf(roll, entry)}
        called={entry.named}
        who={(ref) => table.characterOf(ref.slice(1))}
        small={!first && entry.dice.length > 8}
        worn={table.seat(entry.by)?.look?.dice}
        hue={hueOf(table, entry.by)}
      />
      {entry.how === "typed" && (
        <span class="tray-mark">
          <Icon name="hand" size={14} />
          {t("roll.typed")}
        </span>
      )}
      {entry.taken && (
        <span class="tray-mark">
          <Icon name="undo" size={14} />
          {t("roll.taken_faces")}
        </span>
      )}
    </div>
  );
}
