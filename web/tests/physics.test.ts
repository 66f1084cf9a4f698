/// <reference types="vite/client" />
// Dice in three dimensions: the server decides what they show, and the throw ends on it.
import { expect, test } from "vitest";
import { survey, type Asked } from "./survey";

const SIDES = { d4: 4, d6: 6, d8: 8, d10: 10, d12: 12, d20: 20, d100: 100 };
/** Seconds after which dice that roll lie still. */
const ROLLED = 1.6;

/** Numbers by chance that are the same in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often each face is asked for: of dice in hundreds, and of all others besides. */
const [TIMES, MORE] = import.meta.env.VITE_ALL ? [8, 4] : [1, 1];

/** Dice of every kind in handfuls of 1 to 8, each face of each kind asked for in turn: 1,604 with `--all`. */
function handfuls(): Asked[][] {
  const next = chance(7);
  const faces: Asked[] = Object.entries(SIDES).flatMap(([die, sides]) =>
    Array.from({ length: sides }, (_, n) => ({ die, face: n + 1 })),
  );
  for (const face of ["won", "lost"]) faces.push({ die: "coin", face });
  for (const face of [1, 2]) faces.push({ die: "d2", face });
  for (const face of [-1, 0, 1]) faces.push({ die: "dF", face });
  const fewer = faces.filter(({ die }) => die !== "d100");
  const all = [...Array<Asked[]>(TIMES).fill(faces).flat(), ...Array<Asked[]>(MORE).fill(fewer).flat()];
  const mixed = all
    .map((one) => ({ one, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
  const found: Asked[][] = [];
  while (mixed.length) found.push(mixed.splice(0, 1 + Math.floor(next() * 8)));
  return found;
}

/** What must be read off the bodies of a die: tens and ones of a hundred, else the face. */
const wanted = ({ die, face }: Asked): string[] =>
  die === "d100" ? [`${Math.floor((Number(face) % 100) / 10)}0`, String(Number(face) % 10)] : [String(face)];

test("of simulated dice of all kinds and faces none shows another face, leans, or takes too long", () => {
  const thrown = handfuls();
  const asked = thrown.flat();
  const lying = thrown.flatMap((dice, n) => survey(dice, n));
  expect(asked.length).toBeGreaterThanOrEqual(TIMES * 150);
  expect(lying.map(({ read }) => read)).toEqual(asked.map(wanted));
  expect(Math.max(...lying.map(({ seconds }) => seconds))).toBeLessThan(ROLLED - 0.4);
  expect(lying.filter(({ askew }) => askew > 0.05).length).toBeLessThan(lying.length * 0.05);
});

test("the same seed gives the same throw: nothing in the physics depends on the clock or on chance", () => {
  const dice = ["d4", "d6", "d20", "d100"].map((die) => ({ die, face: 2 }));
  expect(survey(dice, 3)).toEqual(survey(dice, 3));
});
