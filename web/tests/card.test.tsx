// What a game says of itself is shown as it comes: texts, marks, dice that lie, tokens, sheets.
import { signal } from "@preact/signals";
import { render } from "preact";
import { expect, test } from "vitest";
import { Dice } from "../src/dice";
import { kindOf } from "../src/dice/kinds";
import { markOf } from "../src/dice/reading";
import { fatesOf } from "../src/dice/fates";
import { controlsNamed, partsNamed, together } from "../src/form/RollRequestFields";
import { startedRoll } from "../src/sheets/open_sheet";
import { CardSheet } from "../src/sheets/CardSheet";
import type { Control, Lies, Marks, Text } from "../src/state/card";
import { Assign } from "../src/table/Assign";
import { verdictOf } from "../src/table/verdict";
import { front, say, worded } from "../src/i18n/text";
import { all, descriptionOf, nameOf, one, page, settled, user } from "./dom";

type Shown = Record<string, unknown>;
const button = (name: string): HTMLButtonElement => page().getByRole("button", { name });
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}

const WORDS = {
  hit: [["who"], " hits ", ["n", "cardinal", { one: "once", other: [["n"], " times"] }]],
  "word.Hard": "schwer",
} as const;

test("texts are said as they are or in the words of the game, and people have their names", () => {
  front.value = { name: "game", words: WORDS as never };
  const said = (text: Text): string => say(text, (ref) => ({ "@s3": "Ann" })[ref] ?? ref);
  expect(said("@s3 waits")).toBe("Ann waits");
  expect(said(["hit", { who: { who: "@s3" }, n: 3 }])).toBe("Ann hits 3 times");
  expect(said({ all: ["One.", ["hit", { who: "Bo", n: 1 }]] })).toBe("One. Bo hits once");
  expect(worded("word.Hard", "Hard")).toBe("schwer");
  expect(worded("word.Easy", "Easy")).toBe("Easy");
});

test.each([
  ["ammo d6", 6, "great"],
  ["ammo d8", 6, "good"],
  ["d10", 1, "bad"],
  ["d10", 8, "good"],
  ["d10", 3, undefined],
  ["coin", "won", "great"],
  ["d4", 4, "even"],
])("a mark is found by name with sides, name, shape and range: %s %s", (die, face, tone) => {
  const marks: Marks = {
    "ammo d6": { "6": { tone: "great" } },
    ammo: { "6": { tone: "good" } },
    d10: { "1": { tone: "bad" }, "7..10": { tone: "good" } },
    coin: { won: { tone: "great" } },
    "*": { "4": { tone: "even" } },
  };
  expect(markOf(marks, kindOf(die), face)?.tone).toBe(tone);
});

const draw = async (props: Shown): Promise<void> => {
  render(<Dice {...(props as unknown as Parameters<typeof Dice>[0])} />, document.body);
  await settled();
};

test("dice show and say their marks, but not where they do not count", async () => {
  const marks = { d10: { "10": { tone: "great", symbols: ["crosshair", "crosshair"], said: "two" } } };
  await draw({ dice: ["d10", "d10"], faces: [10, 10], marks, dropped: [1] });
  const [first, second] = page().getAllByRole("img");
  expect(nameOf(first!)).toBe("d10 shows 10, two");
  expect(nameOf(second!)).toBe("d10 shows 10, does not count");
  expect(all("g[transform] .die-stroke", first)).toHaveLength(2);
});

const EYE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>';

test("a die with words is the solid that its game says, with all its signs", async () => {
  front.value = {
    name: "game",
    words: {},
    card: { dice: { deed: { sides: 8, label: "Deed" } }, icons: { eye: EYE } } as never,
  };
  const faces: Record<string, string[]> = {
    "eye+won": ["eye", "won"],
    "won+won+won": ["won", "won", "won"],
    blank: [],
  };
  const deed = Object.fromEntries(
    Object.entries(faces).map(([face, symbols]) => [
      face,
      { tone: "good", symbols, alone: true, said: `${symbols.length} signs` },
    ]),
  );
  const die = { die: Object.keys(faces).map((face) => [face, 1]), name: "deed" };
  const dice = ["deed", "deed", "deed"];
  await draw({ dice, pool: { pool: [[die, 3]] }, faces: Object.keys(faces), marks: { deed } });
  expect(all(".die").map((one) => one.dataset.shape)).toEqual(["d8", "d8", "d8"]);
  const signs = all(".die").map((one) => [all("image", one).length, all(".die-stroke", one).length]);
  expect(signs).toEqual([
    [1, 1],
    [0, 3],
    [0, 0],
  ]);
  expect(all(".die text")).toEqual([]);
  expect(nameOf(page().getAllByRole("img")[1]!)).toBe("Deed shows 3 signs");
});

test("kept dice stay, dropped and taken up ones do not count, by entry and place", () => {
  const lies: Lies = { "0.0": "kept", "0.1": "dropped", "2.0": "again", "2.1": "counts" };
  expect(fatesOf(lies, 0)).toEqual({ locked: [0], dropped: [1] });
  expect(fatesOf(lies, 2)).toEqual({ locked: [], dropped: [0] });
});

const ended = (after: Shown) =>
  verdictOf(
    { after: { step: "done", fields: {}, good: null, ...after } } as never,
    { said: (text: Text) => say(text) } as never,
  );

test("a verdict is the game's; an old roll says whether it went well, and dice alone their number", () => {
  const verdict = { word: "hit", tone: "great", detail: ["4 damage", "a kill"], paid: ["5 rounds"] };
  expect(ended({ verdict })).toEqual({ text: "Hit", more: "4 damage · a kill", paid: "5 rounds", tone: "great" });
  expect(ended({ good: false })).toEqual({ text: "Failure", more: "", paid: "", tone: "bad" });
  expect(ended({ fields: { value: -3 } })?.text).toBe("−3");
  expect(ended({})).toBeNull();
});

test("tokens are dealt out whole; what stacks is one larger thing or several", async () => {
  const done: unknown[] = [];
  const assign = {
    tokens: 3,
    places: [
      { at: "", label: "Damage" },
      { at: "Guard", label: "Guard", stacks: true },
    ],
  };
  const deal = (puts: unknown) => void done.push(puts);
  render(<Assign assign={assign as never} said={say} disabled={false} onDone={deal} />, document.body);
  await settled();
  expect(page().getByRole("status").textContent).toBe("3 left to give");
  await tap(button("Damage: one more"));
  expect(page().getByRole("status").textContent).toBe("2 left to give");
  await tap(button("Done"));
  await tap(button("Guard: one more"));
  await tap(button("Another: Guard"));
  await tap(button("Done"));
  expect(done).toEqual([{ "": [1], Guard: [1, 1] }]);
});

test("the best way lies there as it would be put there", async () => {
  const done: unknown[] = [];
  const places = [
    { at: "", label: "Damage" },
    { at: "Guard", label: "Guard", stacks: true },
  ];
  const worths = [
    { puts: { "": [1, 1], Guard: [1] }, number: 9, said: "9" },
    { puts: { "": [1, 1, 1] }, number: 7, said: "7" },
  ];
  const more = { said: say, disabled: false, onDone: (puts: unknown) => void done.push(puts) };
  render(<Assign assign={{ tokens: 3, places } as never} worths={worths as never} {...more} />, document.body);
  await settled();
  await tap(button("The best way"));
  expect([...document.querySelectorAll(".place-held b")].map((one) => one.textContent)).toEqual(["2", "1"]);
  await tap(button("Done"));
  expect(done).toEqual([{ "": [1, 1], Guard: [1] }]);
});

const FIELDS = [
  { name: "damage", title: "damage", kind: "int", default: 0 },
  {
    name: "weapons",
    title: "weapons",
    kind: "list",
    items: {
      name: "",
      title: "weapon",
      kind: "value",
      fields: [{ name: "name", title: "name", kind: "text", required: true }],
    },
  },
];

/** A sheet of somebody who may change it, or only read it; what is sent is kept. */
async function sheet(values: Shown, fields: unknown[], widgets: Shown[], mayChange = true): Promise<Shown[]> {
  const commands: Shown[] = [];
  const table = {
    standing: signal("open"),
    isPlaying: signal(true),
    arrived: new Map(),
    said: (text: Text) => say(text),
    send: (command: Shown) => (commands.push(command), Promise.resolve()),
    get: () => Promise.resolve({ hash: "h", widgets }),
    roll: () => undefined,
  };
  const sheet = { id: "s1", owner: "s1", values, shown: true, changes: {} };
  render(<CardSheet paper={{ table, sheet, fields, mayChange } as never} />, document.body);
  await settled();
  return commands;
}

test("a sheet is drawn from widgets and changed where it stands", async () => {
  const rifle = { name: "M16", rounds: 12 };
  const gun = {
    key: "M16",
    title: "M16",
    chips: ["jammed"],
    begins: { roll: "attack", pick: { weapon: "M16" } },
    show: [
      { widget: "track", style: "bar", at: "rounds", label: "Rounds", value: 12, most: 30 },
      { widget: "act", text: "Reload", effect: "reload", target: "M16", off: "no spares" },
    ],
  };
  const options = [null, "A", "B"].map((value) => ({ value, label: value ?? "" }));
  const damage = { widget: "track", at: "damage", label: "Damage", value: 2, most: 5 };
  const commands = await sheet({ damage: 2, STR: "B", weapons: [rifle], edges: ["quick"] }, FIELDS, [
    { widget: "group", title: "Wounds", show: [damage] },
    { widget: "level", at: "STR", label: "Strength", value: "B", options },
    { widget: "flag", at: "out", label: "Out", value: false },
    { widget: "things", at: "weapons", key: "name", label: "Weapons", rows: [gun] },
    { widget: "words", at: "edges", label: "Edges", value: ["quick"] },
    { widget: "act", text: "New round", effect: "new round" },
    { widget: "note", text: "Falls when resolved", tone: "bad" },
  ]);
  await tap(all("button", page().getByRole("group", { name: "Damage: 2 of 5" }))[3]!);
  await user.selectOptions(page().getByLabelText("Strength"), "A");
  await settled();
  for (const name of ["Out", "Rounds: one less", "Remove quick", "New round"]) await tap(button(name));
  expect(descriptionOf(button("Reload"))).toBe("no spares");
  await tap(button("Reload"));
  const sent = (kind: string) => commands.filter((one) => one.do === kind);
  expect(sent("sheet.change").map(({ values }) => values)).toEqual([
    { damage: 4 },
    { STR: "A" },
    { out: true },
    { edges: [] },
  ]);
  expect(sent("sheet.change_item")).toMatchObject([
    { list: "weapons", before: rifle, after: { ...rifle, rounds: 11 } },
  ]);
  expect(sent("sheet.apply_effect").map(({ kind }) => kind)).toEqual(["new round"]);
  await tap(button("Roll with M16"));
  expect(startedRoll.value?.start?.roll).toBe("attack");
});

test("who may not change a sheet reads it: nothing can be pressed, nothing that is not so is shown", async () => {
  await sheet(
    {},
    [],
    [
      { widget: "track", at: "damage", label: "Damage", value: 2, most: 5 },
      { widget: "flag", at: "out", label: "Out", value: false },
      { widget: "act", text: "New round", effect: "new round" },
    ],
    false,
  );
  expect(page().getByRole("group", { name: "Damage: 2 of 5" })).toBeTruthy();
  expect(all("button")).toHaveLength(5);
  expect(all("button:disabled")).toHaveLength(5);
});

test("a referee asks by the names on all sheets, without what one sheet has filled in", () => {
  const form = (...names: string[]) => {
    const options = names.map((name) => ({ value: name, label: name, note: "+5" }));
    return [
      { control: "group", form: [{ control: "pick", at: "pick.skill", value: names[0], options }] },
      { control: "number", at: "set.modifier", value: 2, from: "sheet" },
      { control: "switch", at: "set.aimed", value: false },
    ] as unknown as Control[];
  };
  const forms = [form("Hack"), form("Hack", "Drive")].map((held) => controlsNamed(held, ["skill", "modifier"]));
  expect(together(forms)).toMatchObject([
    { at: "pick.skill", value: null, options: [{ value: "Hack" }, { value: "Drive" }] },
    { at: "set.modifier", value: null },
  ]);
  expect(JSON.stringify(together(forms))).not.toContain("note");
});

test("what stands there unsaid is asked too; what is said stays", () => {
  const form = [
    { control: "pick", at: "set.dl", value: "Moderate", options: [] },
    { control: "number", at: "set.modifier", value: 2 },
    { control: "pick", at: "pick.skill", value: null, options: [] },
  ] as unknown as Control[];
  const parts = { pick: { skill: "Hack" }, set: { modifier: -1 }, roles: {} };
  expect(partsNamed(form, parts)).toEqual({ ...parts, set: { modifier: -1, dl: "Moderate" } });
});

test("nothing of a page is left for the next", () => {
  expect(document.body.children).toHaveLength(0);
  expect(() => one(".die")).toThrow("0 of .die");
});
