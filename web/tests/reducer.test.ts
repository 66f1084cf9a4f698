// Events as a real server told them, folded into rolls, people and sheets.
import { expect, test } from "vitest";
import { emptySnapshot, reduceRoll, applyEvent, kindOf, rollOf } from "../src/state/reducer";
import { snapshotOf } from "../src/state/snapshots";
import type { SnapshotAnswer } from "../src/net/shapes";
import type { LogEvent, Sheet } from "../src/state/types";
import edits from "./recorded/edits.json";
import jam from "./recorded/jam.json";
import secret from "./recorded/secret.json";

type Told = { frames: Record<string, unknown>[] }[];
const lookedAt = (told: Told): SnapshotAnswer => (told[0]!.frames[0]!.welcome as { snapshot: SnapshotAnswer }).snapshot;
/** What was told by the end of a step of a story, with what was known at its beginning. */
const eventsOf = (told: Told, steps = told.length): LogEvent[] => {
  const { recent } = lookedAt(told) as unknown as { recent: LogEvent[] };
  const later = told
    .slice(1, steps)
    .flatMap(({ frames }) => frames.flatMap(({ events }) => (events as LogEvent[]) ?? []));
  return structuredClone([...recent, ...later]);
};
const ofRoll = (events: LogEvent[], id = "r1"): LogEvent[] => events.filter((event) => rollOf(event) === id);
const bo = jam.told.bo as unknown as Told;

test("a roll is open at its choice, and done with its dice, its push and what came of it", () => {
  const open = reduceRoll("r1", ofRoll(eventsOf(bo, 1)));
  expect([open.status, open.end, open.after?.step]).toEqual(["open", 0, "choice"]);
  const done = reduceRoll("r1", ofRoll(eventsOf(bo, 2)));
  expect([done.status, done.after?.step]).toEqual(["done", "done"]);
  expect(done.end).toBeGreaterThan(open.last);
  expect(done.entries.map(({ kind }) => kind)).toEqual(["thrown", "chosen", "thrown"]);
  expect(done.changes.map(({ sheet }) => sheet)).toContain("s2");
});

test("what is told twice over makes no other roll: folding changes no event", () => {
  const events = ofRoll(eventsOf(bo));
  const before = structuredClone(events);
  expect(reduceRoll("r1", events)).toEqual(reduceRoll("r1", events));
  expect(events).toEqual(before);
});

test("of a roll without an event there is nothing to fold", () => {
  expect(() => reduceRoll("r9", [])).toThrow(RangeError);
});

test("a roll that was taken back after its end is open again", () => {
  const events = ofRoll(eventsOf(bo));
  const last = events.at(-1)!;
  const back = { ...last, seq: last.seq + 1, kind: "roll.taken_back", body: { by: "s2", roll: "r1" } } as LogEvent;
  const roll = reduceRoll("r1", [...events, back]);
  expect([roll.status, roll.end]).toEqual(["open", 0]);
  expect(roll.entries.at(-1)!.taken).toBe(true);
});

test("of a secret roll whoever may not see it learns that there is one", () => {
  const veiled = eventsOf(secret.told.eve as unknown as Told).filter((event) => event.open.roll === "r1");
  const roll = reduceRoll("r1", veiled);
  expect([roll.veiled, roll.title, roll.sheet]).toEqual([true, "", ""]);
  expect(JSON.stringify(roll.entries)).not.toContain("faces");
  const own = reduceRoll("r1", ofRoll(eventsOf(secret.told.bo as unknown as Told)));
  expect([own.veiled, own.visibility]).toEqual([false, "private"]);
});

test("a table folded from its first event on is the table that the server shows whoever comes later", () => {
  const rosa = edits.told.rosa as unknown as Told;
  const known = lookedAt(rosa);
  const folded = eventsOf(rosa, 1).reduce(applyEvent, emptySnapshot("recordedtabl"));
  const shown = snapshotOf("recordedtabl", structuredClone(known));
  expect(folded.seats).toEqual(shown.seats);
  const told = ({ id, owner, values, shown: all }: Sheet): unknown[] => [id, owner, values, all];
  expect(folded.sheets.map(told)).toEqual(shown.sheets.map(told));
  expect(folded.sheets.length).toBeGreaterThan(0);
});

test("each change of a sheet is folded into it, the last one stays", () => {
  const rosa = edits.told.rosa as unknown as Told;
  const events = eventsOf(rosa);
  expect(events.filter((event) => kindOf(event) === "sheet.changed").length).toBeGreaterThanOrEqual(5);
  const world = events.reduce(applyEvent, emptySnapshot("recordedtabl"));
  expect(world.sheets.find(({ id }) => id === "s2")!.values.stress).toBe(0);
});
