// Whose dice a throw is, or which turn's, where a roll has several sides or turns.
import type { Chosen, Plain, Roll, Thrown } from "../state/types";
import type { Table } from "../state/table";
import { t, type Key } from "../words";
import { sheetName } from "./who";

type Fields = Record<string, Plain>;
type Counting = (roll: Roll, throws: Thrown[], table: Table) => string[];

const asked = (roll: Roll): Fields => (roll.what?.request ?? {}) as Fields;
const first = (entry: Thrown): string => String(entry.dice[0] ?? "").split(" ")[0];
/** Coins and dice rolled again belong to the throw before them. */
const follows = (entry: Thrown): boolean => first(entry) === "coin" || first(entry) === "again";

/** The names of the two sides of a roll. */
export function sideNames(roll: Roll, table: Table): string[] {
  const { first: one, second: other, actor, defender } = asked(roll) as Record<string, Fields | undefined>;
  const mine = sheetName(table, roll.sheet || roll.by);
  const passive = roll.roles.passive ?? roll.roles.defender;
  const named = (side: Fields | undefined, otherwise: string): string => String(side?.name || otherwise);
  const theirs = passive ? table.nameOf(passive) : t("side.other");
  return [named(one ?? actor, mine), named(other ?? defender, theirs)];
}

const numbered = (key: Key): Counting => (_, throws) => throws.map((__, n) => t(key, { n: n + 1 }));
const inTurn: Counting = (roll, throws, table) => {
  const names = sideNames(roll, table);
  return throws.map((_, n) => names[n % 2]);
};
/** The active side throws, then the other; what comes after a push is the active side's again. */
const opposed: Counting = (roll, throws, table) => {
  const order = roll.entries.filter((entry) => entry.kind !== "chosen" && !entry.taken);
  return throws.map((entry) => sideNames(roll, table)[order.indexOf(entry) === 1 ? 1 : 0]);
};

const contest: Counting = (roll, throws, table) => {
  const names = sideNames(roll, table);
  let side = -1;
  return throws.map((entry) => (first(entry) === "toss" ? t("side.toss") : follows(entry) ? "" : (names[++side] ?? "")));
};

/** First everybody's own Test, later the dice of whoever is helped. */
const group: Counting = (roll, throws, table) => {
  const members = (asked(roll).members ?? []) as Fields[];
  // Whoever has Disadvantages throws one die after the other, and nobody says how many.
  if (members.some((one) => Number(one.disadvantages ?? 0) > Number(one.advantages ?? 0))) return [];
  const names = members.map((one, n) => String(one.name || t("side.player", { n: n + 1 })));
  let next = 0;
  return throws.map((entry) => {
    const given = roll.entries.findLast((one): one is Chosen => one.kind === "chosen" && !one.taken && one.seq < entry.seq);
    return follows(entry) ? "" : given ? table.said(given.said) : (names[next++] ?? "");
  });
};

/** Checks of a turn are told apart by what was chosen between them: a die rolled again is the same check. */
const checks: Counting = (roll, throws) => {
  let check = 1;
  return throws.map((entry, n) => {
    const chosen = roll.entries.findLast((one): one is Chosen => one.kind === "chosen" && !one.taken && one.seq < entry.seq);
    const again = first(entry) !== "d20" || (n > 0 && !!chosen && chosen.seq > throws[n - 1].seq && /^re-?roll/i.test(chosen.said));
    if (n > 0 && !again) check += 1;
    return n > 0 && again ? "" : t("side.check", { n: check });
  });
};

const WORDS: Record<string, Counting> = {
  "dust.opposing": inTurn, "dust.extended": numbered("side.turn"), "dust.plan": numbered("side.roll"),
  "kleptonomicon.contest": contest, "kleptonomicon.group": group, "twilight2000.opposed": opposed,
  "twilight2000.magazine": numbered("side.attack"), "edge20.turn": checks, "edge20.repair": checks, "ghostburn.session": numbered("side.roll"),
};

/** A label for each throw by its place in the log; of a roll with one side and one turn none. */
export function throwLabels(roll: Roll, table: Table): Map<number, string> {
  const request = asked(roll);
  const throws = roll.entries.filter((entry): entry is Thrown => entry.kind === "thrown" && !entry.taken);
  const said = WORDS[`${String(request.game ?? "")}.${String(request.roll ?? "")}`]?.(roll, throws, table) ?? [];
  return new Map(throws.map((entry, n) => [entry.seq, table.said(entry.whose) || (said[n] ?? "")]));
}
