// Messages of games and of the page: placeholders, plurals, names, and words that a game knows.
import { beforeEach, expect, test } from "vitest";
import { language, languages } from "../src/i18n";
import { foreign, front, nameKept, nameSaid, ofField, priced, riskOf, say, worded } from "../src/i18n/text";

const WORDS = {
  "name.rifle": "Assault rifle",
  "label.rounds": "Rounds",
  "label.weapons.rounds": "Rounds in the magazine",
  "outcome.jammed": "a jam",
  hits: [["n", "cardinal", { one: [["n"], " hit"], other: [["n"], " hits"] }]],
} as unknown as NonNullable<NonNullable<typeof front.value>["words"]>;

beforeEach(() => {
  language.value = "en";
  front.value = { name: "guns", words: WORDS };
});

test("a number chooses its form of a message", () => {
  expect([0, 1, 2].map((n) => say(["hits", { n }]))).toEqual(["0 hits", "1 hit", "2 hits"]);
});

test("nothing is said of nothing, and parts without words leave no gap", () => {
  expect([say(null), say(undefined), say("")]).toEqual(["", "", ""]);
  expect(say({ all: ["One.", "", "Two."] })).toBe("One. Two.");
});

test("people have their names wherever a text refers to them", () => {
  const names: Record<string, string> = { "@s2": "Ann", "@n1": "the guard" };
  expect(say("@s2 hits @n1.", (ref) => names[ref] ?? ref)).toBe("Ann hits the guard.");
});

test("a name is read in the game's words and kept by its own, whoever typed it and however", () => {
  expect(nameSaid("rifle")).toBe("Assault rifle");
  expect(nameKept("  assault RIFLE ")).toBe("rifle");
  expect([nameSaid("Old Betsy"), nameKept("Old Betsy")]).toEqual(["Old Betsy", "Old Betsy"]);
});

test("a field of one list may be called otherwise than the same field elsewhere", () => {
  expect(ofField("label", "rounds")).toBe("Rounds");
  expect(ofField("label", "rounds", undefined, "weapons")).toBe("Rounds in the magazine");
  expect(ofField("label", "rate_of_fire")).toBe("rate of fire");
});

test("a message that the game in front does not have has what is there anyway", () => {
  expect(worded("verdict.hit", "Hit")).toBe("Hit");
});

test("a risk is called by the game's word for it, or else by its title", () => {
  expect(riskOf({ name: "jammed", title: "Jammed" })).toBe("a jam");
  expect(riskOf({ name: "broken", title: "Broken" })).toBe("Broken");
  expect(priced({ name: "jammed", title: "Jammed" }, 0.1, "1 in 10")).toBe("a jam 1 in 10");
});

test("a game without the reader's language names the one it speaks", () => {
  expect(foreign({ languages: ["en", "de"] })).toBe("");
  language.value = "fr";
  expect(foreign({ languages: ["en", "de"] })).toBe("anglais");
  expect(foreign({ languages: ["de"] })).toBe("allemand");
  expect([foreign(null), foreign({})]).toEqual(["", ""]);
});

test.each(Object.keys(languages))("every language has words of its own: %s", async (code) => {
  expect(Object.keys(await languages[code]!.load()).length).toBeGreaterThan(100);
});
