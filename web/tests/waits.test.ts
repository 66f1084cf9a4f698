// What of a roll waits for whoever looks: a choice, a throw of one's own, or a word about one's sheet.
import { beforeEach, expect, test } from "vitest";
import type { Table } from "../src/state/table";
import type { Roll } from "../src/state/types";
import { asksMe, changesOf, throwsNow, waitsForMe } from "../src/table/waits";
import { language } from "../src/i18n";
import { say } from "../src/i18n/text";

/** A table as it looks from one seat. */
const seenBy = (seat: string): Table =>
  ({
    me: { value: { seat } },
    isFor: (seats: string[]) => seats.includes(seat),
    waitsForWord: (roll: Roll) => roll.waits.includes(seat),
    isForeign: () => true,
    mayLet: () => true,
    said: (text: string) => say(text),
    characterOf: (sheet: string) => sheet,
    name: (id: string) => id.toUpperCase(),
  }) as unknown as Table;

const roll = (after: object, more: object = {}): Roll =>
  ({ id: "r1", by: "s2", title: "Attack", visibility: "open", waits: [], after, ...more }) as unknown as Roll;

beforeEach(() => {
  language.value = "en";
});

test("a choice waits for whoever it is put to, and for nobody else", () => {
  const choice = roll({ step: "choice", by: ["s3"] });
  expect(waitsForMe(choice, seenBy("s3"))).toBe(true);
  expect(waitsForMe(choice, seenBy("s2"))).toBe(false);
});

test("dice of the roller wait for the roller", () => {
  const own = roll({ step: "throw", by: "s2" });
  expect(waitsForMe(own, seenBy("s2"))).toBe(true);
  expect(waitsForMe(own, seenBy("s3"))).toBe(false);
  expect(throwsNow(own, "s2", seenBy("s2"))).toBeUndefined();
});

test("dice that an opponent throws wait for the opponent alone", () => {
  const opposed = roll({ step: "throw", by: "s3" });
  expect(waitsForMe(opposed, seenBy("s3"))).toBe(true);
  expect(waitsForMe(opposed, seenBy("s2"))).toBe(false);
});

test("in a blind roll nobody but the roller is known to throw", () => {
  const blind = roll({ step: "throw", by: "s3" }, { visibility: "blind" });
  expect(throwsNow(blind, "s3", seenBy("s3"))).toBeUndefined();
});

test("a roll that is over waits for a word where it would change somebody's sheet", () => {
  const over = roll({ step: "done", effects: [] }, { waits: ["s3"] });
  expect(waitsForMe(over, seenBy("s3"))).toBe(true);
  expect(waitsForMe(over, seenBy("s2"))).toBe(false);
});

test("only changes that wait, of that sheet, and that are not quiet are described", () => {
  const effects = [
    { sheet: "s3", waits: true, quiet: false, said: "loses_2 hits" },
    { sheet: "s3", waits: true, quiet: true, said: "is moved" },
    { sheet: "s3", waits: false, quiet: false, said: "is done" },
    { sheet: "s4", waits: true, quiet: false, said: "is elsewhere" },
  ];
  expect(changesOf(roll({ step: "done", effects }), "s3", seenBy("s3")).what).toBe("loses 2 hits");
});

test("of a roll that is still open nothing is changed yet", () => {
  expect(changesOf(roll({ step: "choice", by: ["s3"] }), "s3", seenBy("s3")).what).toBe("");
  expect(asksMe(roll({ step: "choice", by: ["s3"] }), seenBy("s3"))).toBe("");
});
