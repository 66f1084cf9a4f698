// What a roll came to in a word or two, to be read across the table; the sentence says the rest.
import type { Plain, Roll } from "../state/types";
import type { Table } from "../state/table";
import { maybe, t, type Values } from "../words";
import { sideNames } from "./throw_words";

export interface Verdict { text: string; more: string; tone: "good" | "bad" | "even" }
type Fields = Record<string, Plain>;
type Said = [word: string, more?: string];
type Reader = (fields: Fields, asked: Fields, names: string[]) => Said;

const word = (key: string, values: Values = {}): string => maybe(`verdict.${key}`, values);
const count = (value: Plain | undefined): number => Number(value ?? 0);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const successes = (n: number): Said => (n > 0 ? [word("success"), n > 1 ? word("successes", { n }) : ""] : [word("failure")]);
const joined = (...parts: (string | false | 0 | null | undefined)[]): string => parts.filter(Boolean).join(" · ");
/** A Score as the Kleptonomicon writes it: 10! and 0! lie beyond all numbers. */
const score = (value: Plain, critical: Plain | undefined): string => String(critical || value);

const READERS: Record<string, Reader> = {
  "twilight2000.skill": (its) => successes(count(its.successes)),
  "twilight2000.group": (its) => successes(count(its.successes)),
  "twilight2000.attack": (its) => [
    word(its.hit ? "hit" : "miss"),
    joined(count(its.damage_dealt) > 0 && word("damage", { n: count(its.damage_dealt) }), its.broken ? word("broken") : its.jammed && word("jammed"), its.emptied && word("empty")),
  ],
  "twilight2000.opposed": (its) => [word(its.winner === "active" ? "won" : "lost"), `${count(its.successes)} : ${count(its.opposing)}`],
  "twilight2000.clear_jam": (its) => [word(its.cleared ? "cleared" : "jammed"), its.broken ? word("broken") : ""],
  "twilight2000.magazine": (its) => [word("attacks", { n: count(its.attacks) }), joined(its.emptied && word("empty"), its.jammed && word("jammed"))],
  "dust.roll": (its) => [word(`dust.${String(its.grade)}`), word("net", { n: count(its.net) })],
  "dust.opposing": (its, _, [actor, defender]) => [its.winner === "nobody" ? word("nobody") : word("wins", { name: its.winner === "actor" ? actor : defender }), `${count(its.actor_net)} : ${count(its.defender_net)}`.replaceAll("-", "−")],
  "dust.extended": (its, asked) => [word(its.done ? "done" : "undone"), word("of", { n: count(its.total), all: count(asked.target) })],
  "dust.plan": (its) => [word("met", { n: count(its.met) })],
  "kleptonomicon.test": (its) => [joined(score(its.score, its.critical), word(`klep.${String(its.band)}`))],
  "kleptonomicon.contest": (its, _, [first, second]) => [word("wins", { name: its.winner === "first" ? first : second }), `${score(its.first_score, its.first_critical)} : ${score(its.second_score, its.second_critical)}`],
  "kleptonomicon.group": (its) => [joined(its.score !== null && score(its.score, its.critical), word(`klep.${String(its.band)}`) || word(its.reached ? "success" : "failure"))],
  "edge20.check": (its, asked) => [word(`edge.${String(its.tier)}`), joined(word("against", { n: count(its.total), dc: count(asked.dc) }), count(its.effect) > 0 && word("effect", { n: count(its.effect) }))],
  "edge20.turn": (its) => [word("of", { n: count(its.successes), all: count(its.checks) }), joined(word("checks"), its.cut_short && word("cut"))],
  "edge20.repair": (its) => [word(its.fixed ? "fixed" : "unfixed"), word("attempts", { n: count(its.attempts) })],
  "ghostburn.roll": (its) => [String(its.outcome), joined(String(its.result), String(its.level))],
  "ghostburn.session": (its) => [word("successes", { n: count(its.successes) })],
};

export function verdictOf(roll: Roll, table: Table): Verdict | null {
  if (roll.after?.step !== "done") return null;
  const { fields, good } = roll.after;
  const tone = good === null ? "even" : good ? "good" : "bad";
  const asked = (roll.what?.request ?? {}) as Fields;
  const read = READERS[`${String(asked.game ?? "")}.${String(asked.roll ?? "")}`];
  const [text, more = ""] = read ? read(fields, asked, sideNames(roll, table)) : plain(fields, good);
  return text ? { text: capital(text), more, tone } : null;
}

/** An expression says its number; a game that the page does not know, whether it went well. */
function plain(fields: Fields, good: boolean | null): Said {
  const { value } = fields;
  if (typeof value === "number" || typeof value === "string") return [String(value).replace("-", "−")];
  if (typeof value === "boolean") return [t(value ? "verdict.yes" : "verdict.no")];
  return good === null ? [""] : [t(good ? "verdict.success" : "verdict.failure")];
}
