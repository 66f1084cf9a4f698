// A work of the workbench in a link, and the links to a table.
import { expect, test } from "vitest";
import { parseHandover } from "../src/net/tokens";
import { isPacked, packed, unpacked, type Shared } from "../src/workbench/share";

const WORK: Shared = { text: "check: 2d6 # ≥ 7\n", arguments: { check: { dice: 4 } }, view: "at_least" };
const TOKEN = "t".repeat(43);
const SEED = "s".repeat(43);

test("a work comes out of its link as it was put in", async () => {
  const fragment = await packed(WORK);
  expect(fragment).toMatch(/^w=[\w-]+$/);
  expect(isPacked(fragment)).toBe(true);
  expect(await unpacked(fragment)).toEqual(WORK);
});

test("what is as everybody has it takes no room in a link", async () => {
  const plain = { text: WORK.text, arguments: {}, view: "each" as const };
  expect((await packed(plain)).length).toBeLessThan((await packed(WORK)).length);
  expect(await unpacked(await packed(plain))).toEqual(plain);
});

test.each(["", "w=", "w=?", "w=AAAA", "x=AAAA", `w=${"A".repeat(400_000)}`])(
  "a link that holds no work that can be read holds none: %.12s",
  async (fragment) => {
    expect(await unpacked(fragment)).toBeNull();
  },
);

test("a link that would fill the memory is not unpacked", async () => {
  const bomb = await packed({ ...WORK, text: " ".repeat(10_000_000) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(await unpacked(bomb)).toBeNull();
});

test("a link to a table hands over a token, and the seed of a key where it moves a seat", () => {
  expect(parseHandover(TOKEN)).toEqual({ token: TOKEN });
  expect(parseHandover(`${TOKEN}.${SEED}`)).toEqual({ token: TOKEN, seed: SEED });
  expect(parseHandover(`${TOKEN}.short`)).toEqual({ token: TOKEN });
});
