// The dice of a pool as a log writes them down: never laid out one by one, since a stranger's log may claim any number.
import type { Plain } from "../net/shapes";
import { canonical } from "./bytes";

/** A plain die by its sides, or faces with their weights, and how many of it. */
export interface DiceGroup {
  die: number | [Plain, number][];
  count: number;
}

const isSome = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isFace = (one: unknown): boolean => Array.isArray(one) && one.length === 2 && isSome(one[1]);

const MOST_FACES = 100_000;

function isDie(die: unknown): boolean {
  if (!Array.isArray(die)) return isSome(die) && die <= MOST_FACES;
  return die.length > 0 && die.length <= MOST_FACES && die.every(isFace);
}

/** The dice of a pool in its order; null for what is no pool. */
export function groupsOf(pool: Plain | undefined): DiceGroup[] | null {
  const groups = (pool as { pool?: unknown } | null | undefined)?.pool;
  if (!Array.isArray(groups)) return null;
  const isGroup = (one: unknown): boolean =>
    Array.isArray(one) &&
    one.length === 2 &&
    isDie((one[0] as { die?: unknown } | null)?.die) &&
    isSome(one[1]) &&
    typeof (one[0] as { name?: unknown }).name === "string";
  if (!groups.every(isGroup)) return null;
  return (groups as [{ die: DiceGroup["die"] }, number][]).map(([{ die }, count]) => ({ die, count }));
}

export const sizeOf = (groups: DiceGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);

/** The ends of the numbers of each face: each has as many as its weight, in the order in which they are written. */
export function endsOf({ die }: DiceGroup): bigint[] {
  let sum = 0n;
  return typeof die === "number" ? [] : die.map(([, weight]) => (sum += BigInt(weight)));
}

/** The sum of a die's weights. */
export const totalOf = ({ die }: DiceGroup, ends: bigint[]): bigint =>
  typeof die === "number" ? BigInt(die) : ends.at(-1)!;

/** The face that has a number. */
export function faceAt({ die }: DiceGroup, ends: bigint[], drawn: bigint): Plain {
  if (typeof die === "number") return Number(drawn) + 1;
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > drawn) high = middle;
    else low = middle + 1;
  }
  return die[low]![0];
}

/** Tells whether a die has a face; its faces are gone through once, however many dice there are. */
export function isFaceOf({ die }: DiceGroup): (face: Plain) => boolean {
  if (typeof die === "number") return (face) => isSome(face) && face <= die;
  const known = new Set(die.map(([one]) => canonical(one)));
  return (face) => known.has(canonical(face));
}

/** How many faces a die has. */
export const facesOn = ({ die }: DiceGroup): number => (typeof die === "number" ? die : die.length);

/** The faces of a die with not too many of them. */
export const facesOf = ({ die }: DiceGroup): Plain[] =>
  typeof die === "number" ? Array.from({ length: die }, (_, n) => n + 1) : die.map(([face]) => face);
