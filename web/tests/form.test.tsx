// Forms that are drawn from data: drafts, the lane that asks for forms, and every control.
import { fireEvent } from "@testing-library/dom";
import { signal } from "@preact/signals";
import { render } from "preact";
import { expect, test, vi } from "vitest";
import * as draft from "../src/form/draft";
import { FormView, type FormContext } from "../src/form/FormView";
import { FormQuery, listsOf, withoutPart } from "../src/form/form_query";
import type { Control, FormAnswer } from "../src/state/card";
import type { Body } from "../src/state/types";
import { Live } from "../src/ui/announcer";
import { all, descriptionOf, one, page, settled, user } from "./dom";

const EMPTY = { pick: {}, set: {}, roles: {} };
const HELD = {
  set: [{ dl: "Easy" }, { dl: "Moderate" }],
  pick: [{ skill: "Hack" }, { skill: "Drive" }],
  length: 2,
};

test("paths are rooted in the draft, and taking one out leaves nothing behind", () => {
  const held = draft.withChanges(EMPTY, { "set.rolls.1.dl": "Hard", "pick.weapon": "M16", "roles.passive": "s3" });
  expect(held).toEqual({
    pick: { weapon: "M16" },
    set: { rolls: [{}, { dl: "Hard" }] },
    roles: { passive: "s3" },
  });
  expect(draft.withChanges(held, { "pick.weapon": undefined, "roles.passive": undefined })).toEqual({
    ...EMPTY,
    set: { rolls: [{}, { dl: "Hard" }] },
  });
});

test("a key that goes takes empty places with it", () => {
  const held = { ...EMPTY, set: { passive: { modifier: 1 }, gear: [2] } };
  expect(draft.withChanges(held, { "set.passive.modifier": undefined, "set.gear.0": undefined })).toEqual(EMPTY);
});

test("a draft is a value: writing gives another one", () => {
  const before = { pick: {}, set: { rolls: [{ dl: "Easy" }] }, roles: {} };
  const after = draft.withChanges(before, { "set.rolls.0.dl": "Hard" });
  expect([before.set.rolls[0]!.dl, (after.set as typeof before.set).rolls[0]!.dl]).toEqual(["Easy", "Hard"]);
});

test("a part is added as a copy of the last or fresh, on both sides of the draft", () => {
  const copied = draft.addPart(EMPTY, "set.rolls", HELD);
  expect(copied.set.rolls).toEqual([...HELD.set, { dl: "Moderate" }]);
  expect(copied.pick.rolls).toEqual([...HELD.pick, { skill: "Drive" }]);
  const fresh = draft.addPart(EMPTY, "set.rolls", HELD, { set: { dl: "Severe" } });
  expect((fresh.set.rolls as unknown[])[2]).toEqual({ dl: "Severe" });
  expect((fresh.pick.rolls as unknown[])[2]).toEqual({});
});

test("a part that goes renumbers those behind it; a side that names nothing is left out", () => {
  expect(draft.removePart(EMPTY, "set.rolls", HELD, 0)).toEqual({
    pick: { rolls: [{ skill: "Drive" }] },
    set: { rolls: [{ dl: "Moderate" }] },
    roles: {},
  });
  expect(draft.removePart(EMPTY, "set.rolls", { ...HELD, pick: [] }, 1).pick).toEqual({});
});

test("fields of an old link are fields that were set", () => {
  expect(draft.partsOf({ dl: "Hard" })).toEqual({ ...EMPTY, set: { dl: "Hard" } });
  expect(draft.partsOf({ pick: { skill: "Hack" } })).toEqual({ ...EMPTY, pick: { skill: "Hack" } });
});

/** A lane whose questions are answered when a test says so. */
function heldLane(form: (body: Body) => unknown[]) {
  const asked: unknown[] = [];
  const open: (() => Promise<void>)[] = [];
  const lane = new FormQuery(
    (body) =>
      new Promise((done) => {
        asked.push(body.n);
        open.push(() => {
          done({ n: body.n, hash: `h${JSON.stringify(body)}`, form: form(body), can: true } as unknown as FormAnswer);
          return settled();
        });
      }),
  );
  const want = (n: number, body: Body): void => lane.want({ n, body, kind: "attack", salt: "" });
  return { asked, open, lane, want };
}

test("the newest draft wins, those between are not asked, and what was known comes at once", async () => {
  const { asked, open, lane, want } = heldLane(({ x }) => [{ control: "note", text: String(x) }]);
  want(1, { x: 1 });
  want(2, { x: 2 });
  want(3, { x: 3 });
  await open[0]!();
  await open[1]!();
  expect(asked).toEqual([1, 3]);
  expect(lane.answer.value).toMatchObject({ n: 3, form: [{ text: "3" }] });
  want(4, { x: 1 });
  expect(lane.answer.value).toMatchObject({ n: 4, form: [{ text: "1" }] });
  expect(asked).toEqual([1, 3]);
});

test("a form that is the same is not sent again, and stays when nobody answers", async () => {
  const hashes: unknown[] = [];
  let away = false;
  const lane = new FormQuery(async (body) => {
    hashes.push(body.hash ?? null);
    if (away) throw new Error("away");
    const form = body.hash === "h" ? null : [{ control: "switch" }];
    return { n: body.n, hash: "h", form, can: Number(body.x) < 2 } as unknown as FormAnswer;
  });
  const ask = (n: number): Promise<void> => {
    lane.want({ n, body: { x: n }, kind: "attack", salt: "" });
    return settled();
  };
  await ask(1);
  await ask(2);
  expect(lane.answer.value).toMatchObject({ n: 2, form: [{ control: "switch" }], can: false });
  away = true;
  await ask(3);
  expect(lane.answer.value).toMatchObject({ n: 2, form: [{ control: "switch" }] });
  expect(lane.problem.value?.message).toBe("away");
  away = false;
  lane.again();
  await settled();
  expect(lane.answer.value?.n).toBe(3);
  expect(lane.problem.value).toBeNull();
  expect(hashes).toEqual([null, "h", "h", "h"]);
});

test("an answer to an older draft does not bring back a part", async () => {
  const { open, lane, want } = heldLane(({ parts }) => [
    { control: "parts", at: "set.rolls", parts: (parts as string[]).map((title) => ({ title, form: [] })) },
  ]);
  const titles = (): string =>
    (lane.answer.value!.form[0] as unknown as { parts: { title: string }[] }).parts.map((part) => part.title).join("");
  const without = (n: number, place: number): void => lane.reshape(n, (form) => withoutPart(form, "set.rolls", place));
  want(1, { parts: ["a", "b", "c"] });
  await open[0]!();
  expect(titles()).toBe("abc");
  without(2, 1);
  want(2, { parts: ["a", "c"] });
  expect(titles()).toBe("ac");
  without(3, 0);
  want(3, { parts: ["c"] });
  expect(titles()).toBe("c");
  await open[1]!();
  expect(titles()).toBe("c");
  await open[2]!();
  expect(titles()).toBe("c");
  expect(lane.answer.value!.n).toBe(3);
});

const GAME = { name: "game", rolls: { attack: {}, clear_jam: {} }, card: {} };
type Shown = Record<string, unknown>;

/** Shows a form for a draft of its own; `acts` are the effects asked for, `warmed` what was asked ahead. */
async function shown(form: Shown[], { sheet = true } = {}) {
  const made = new draft.Draft(GAME as never, signal(sheet ? { id: "s1", values: {} } : undefined) as never);
  const current = signal(form as unknown as readonly Control[]);
  const answered = signal(made.n.value);
  const acts: unknown[][] = [];
  const warmed: unknown[][] = [];
  const View = () => {
    made.lists = listsOf(current.value);
    const desk: FormContext = {
      draft: made,
      current: answered.value === made.n.value,
      sheet,
      say: (text) => (text as string) ?? "",
      act: (...how) => acts.push(how),
      warm: (...what) => warmed.push(what),
      reshape: (change) => (current.value = change(current.value)),
    };
    return (
      <>
        <FormView desk={desk} form={current.value} />
        <Live />
      </>
    );
  };
  render(<View />, document.body);
  await settled();
  const answer = (next: Shown[]): Promise<void> => {
    current.value = next as unknown as readonly Control[];
    answered.value = made.n.value;
    return settled();
  };
  return { draft: made, answer, acts, warmed, said: () => made.parts.value };
}

async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
async function press(keys: string): Promise<void> {
  await user.keyboard(keys);
  await settled();
}
const button = (name: string): HTMLElement => page().getByRole("button", { name });
const label = (name: string): HTMLElement => page().getByLabelText(new RegExp(`^${name}`));

const pick = (how: Shown = {}): Shown => ({
  control: "pick",
  style: "chips",
  at: "pick.weapon",
  label: "Weapon",
  value: "M16",
  options: [
    { value: "M16", label: "M16", note: "12 rounds" },
    { value: "AK", label: "AK", off: "jammed: clear it first" },
    { value: "PM", label: "PM", set: { "set.ammo_dice": null, "roles.passive": "s2" } },
  ],
  ...how,
});

test("an option that is off can be reached but not picked, and its reason describes it", async () => {
  const { said } = await shown([pick()]);
  label("M16").focus();
  await press("{ArrowRight}");
  expect(document.activeElement).toBe(label("AK"));
  expect(descriptionOf(label("AK"))).toBe("jammed: clear it first");
  expect(said()).toEqual(EMPTY);
  await press("{ArrowRight}");
  expect(document.activeElement).toBe(label("PM"));
  expect(said().pick).toEqual({ weapon: "PM" });
});

test("an option writes all that it brings; null takes a key out", async () => {
  const { draft: made, said } = await shown([pick()]);
  made.write({ "set.ammo_dice": 3 });
  await tap(label("PM"));
  expect(said()).toEqual({ pick: { weapon: "PM" }, set: {}, roles: { passive: "s2" } });
});

const SKILLS = [
  ["STR", "Brawl"],
  ["STR", "Lift"],
  ["INT", "Recon"],
  ["INT", "Tech"],
].map(([group, name]) => ({ value: name, label: name, group }));

test("a board goes in two directions: columns under their headings", async () => {
  const { said } = await shown([pick({ at: "pick.skill", style: "board", value: "Lift", options: SKILLS })]);
  label("Lift").focus();
  await press("{ArrowRight}");
  expect(said().pick).toEqual({ skill: "Tech" });
  await press("{ArrowUp}");
  expect(said().pick).toEqual({ skill: "Recon" });
  await press("{ArrowLeft}");
  expect(document.activeElement).toBe(label("Brawl"));
});

const number = (how: Shown): Shown => ({
  control: "number",
  at: "set.ammo_dice",
  label: "Ammo dice",
  value: 2,
  low: 0,
  high: 5,
  ...how,
});

test("what the sheet filled in is marked", async () => {
  await shown([number({ style: "stepper", from: "sheet" })]);
  expect(page().getByText("from the sheet")).toBeTruthy();
});

test("what one said oneself can be taken back to the sheet, or to the book", async () => {
  const { draft: made, said } = await shown([number({ style: "stepper", from: "you" })]);
  made.write({ "set.ammo_dice": 2 });
  await tap(button("Ammo dice: as on the sheet"));
  expect(said()).toEqual(EMPTY);
  render(null, document.body);
  await shown([number({ style: "stepper", from: "you" })], { sheet: false });
  expect(button("Ammo dice: as in the book")).toBeTruthy();
});

test("a slider is described by its limit, asks ahead, and rests where it was left", async () => {
  const why = "at most 5: one fewer than the rounds";
  const { draft: made, warmed, said } = await shown([number({ style: "slider", why, ahead: true })]);
  const slider = page().getByRole("slider", { name: "Ammo dice" }) as HTMLInputElement;
  expect(descriptionOf(slider)).toBe("At most 5: one fewer than the rounds");
  slider.focus();
  expect(warmed.at(-1)).toEqual(["set.ammo_dice", [0, 1, 2, 3, 4, 5]]);
  fireEvent.input(slider, { target: { value: "3" } });
  fireEvent.change(slider, { target: { value: "3" } });
  await settled();
  expect(said().set).toEqual({ ammo_dice: 3 });
  expect(slider.value).toBe("3");
  expect(made.moves.value).toBe(false);
});

test("a wish that was refused stays with its refusal, which is read when the control is left", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const aimed = { control: "switch", at: "set.aimed", label: "Aimed", value: false };
  const form = [number({ style: "stepper", value: 2, wrong: "4 is too high" }), aimed];
  const { draft: made, answer } = await shown(form);
  made.write({ "set.ammo_dice": 4 });
  await answer(form);
  const box = page().getByRole("textbox", { name: "Ammo dice" }) as HTMLInputElement;
  expect(box.value).toBe("4");
  expect(box.getAttribute("aria-invalid")).toBe("true");
  expect(one(".control .wrong").textContent).toBe("4 is too high");
  expect(all("[role=alert]")).toEqual([]);
  box.focus();
  label("Aimed").focus();
  vi.runAllTimers();
  vi.useRealTimers();
  await settled();
  expect(one("#announcements").textContent).toBe("4 is too high");
});

test("taps may be left out: a row of numbers with words below, and what counts without one", async () => {
  const { said } = await shown([number({ style: "taps", row: [0, 1, 2, 3], words: { "2": "usual" }, none: "none" })]);
  expect(page().getByText("usual")).toBeTruthy();
  await tap(label("none"));
  expect(said().set).toEqual({ ammo_dice: null });
});

test("several are picked up to the most, with one of one's own", async () => {
  const options = ["Guard", "Dog", "Officer"].map((name) => ({ value: name, label: name }));
  const targets = { control: "picks", at: "set.targets", label: "Targets", value: ["Guard"] };
  const { said } = await shown([{ ...targets, options, most: 3, add: "Somebody else" }]);
  await tap(label("Dog"));
  expect(said().set).toEqual({ targets: ["Guard", "Dog"] });
  await user.type(page().getByRole("textbox", { name: "Somebody else" }), "Ivan{Enter}");
  await settled();
  expect(said().set).toEqual({ targets: ["Guard", "Dog", "Ivan"] });
  expect(page().queryByRole("textbox")).toBeNull();
  await tap(label("Officer"));
  expect(said().set).toEqual({ targets: ["Guard", "Dog", "Ivan"] });
});

test("lists of numbers and of words, texts and switches write their whole value", async () => {
  const { said } = await shown([
    { control: "numbers", at: "set.gear", label: "Gear", value: [1], offers: [2, 3] },
    { control: "text", at: "set.edges", label: "Edges", value: ["high ground"], words: true },
    { control: "text", at: "set.name", label: "Name", value: "", suggest: ["Ann"] },
    { control: "switch", at: "set.aimed", label: "Aimed", value: false },
  ]);
  await tap(button("Add 3"));
  await user.type(page().getByRole("textbox", { name: "Add: Edges" }), "cover{Enter}");
  await user.type(page().getByRole("combobox", { name: "Name" }), "Bob");
  await tap(label("Aimed"));
  expect(said().set).toEqual({ gear: [1, 3], edges: ["high ground", "cover"], name: "Bob", aimed: true });
});

test("words of a list are shown as the game calls them, and sent by the option's own name", async () => {
  const options = [
    { value: "legs", label: "Beine" },
    { value: "head", label: "Kopf" },
  ];
  const places = { control: "text", at: "set.places", label: "Zonen", words: true, most: 3 };
  const { said } = await shown([{ ...places, value: ["legs"], options }]);
  expect(one(".number-chips button").textContent).toContain("Beine");
  await user.type(one(".add-word input"), "Kopf{Enter}");
  await settled();
  expect(said().set).toEqual({ places: ["legs", "head"] });
});

/** A list of rolls, each with its level. */
function rolls(count: number): Shown {
  const options = ["Easy", "Hard"].map((name) => ({ value: name, label: name }));
  const parts = Array.from({ length: count }, (_, n) => ({
    title: `Roll ${n + 1}`,
    form: [pick({ at: `set.rolls.${n}.dl`, label: "Level", value: "Easy", options })],
  }));
  const held = { set: parts.map(() => ({ dl: "Easy" })), pick: [] };
  return { control: "parts", at: "set.rolls", label: "Rolls", parts, add: "One more", most: 4, held };
}
const hardest = (): HTMLElement => page().getAllByLabelText("Hard").at(-1)!;

test("focus goes to the part that was added, and from one taken away to the one before it", async () => {
  const { answer, said } = await shown([rolls(2)]);
  await tap(button("One more"));
  expect(said().set.rolls).toEqual([{ dl: "Easy" }, { dl: "Easy" }, { dl: "Easy" }]);
  await answer([rolls(3)]);
  expect(document.activeElement?.textContent).toBe("Roll 3");
  await tap(button("Take away Roll 3"));
  await answer([rolls(2)]);
  expect(document.activeElement?.textContent).toBe("Roll 2");
});

test("parts can be taken away and changed faster than the server answers", async () => {
  const { said } = await shown([rolls(3)]);
  await tap(button("Take away Roll 1"));
  await tap(hardest());
  expect(said().set).toEqual({ rolls: [{ dl: "Easy" }, { dl: "Hard" }] });
  await tap(button("Take away Roll 2"));
  expect(said().set).toEqual({ rolls: [{ dl: "Hard" }] });
  await tap(button("One more"));
  await tap(button("One more"));
  expect(said().set).toEqual({ rolls: [{ dl: "Hard" }, { dl: "Hard" }, { dl: "Hard" }] });
});

test("a change in one part says the others as they are, since a list that is said stands alone", async () => {
  const { said } = await shown([rolls(2)]);
  await tap(hardest());
  expect(said().set).toEqual({ rolls: [{ dl: "Easy" }, { dl: "Hard" }] });
});

test("notes, groups, jumps to another roll, and effects that say why they cannot be now", async () => {
  const start = { roll: "clear_jam", pick: { weapon: "AK" }, set: {} };
  const note = { control: "note", text: "3 dice", tone: "good" };
  const {
    draft: made,
    acts,
    said,
  } = await shown([
    { control: "group", title: "More settings", fold: true, form: [note] },
    { control: "jump", text: "Clear the jam", draft: start },
    { control: "act", text: "Reload", effect: "reload", target: "M16" },
    { control: "act", text: "Rest", effect: "rest", off: "not in a fight" },
  ]);
  await tap(page().getByText("More settings"));
  expect(page().getByText("3 dice")).toBeTruthy();
  await tap(button("Reload"));
  expect(descriptionOf(button("Rest"))).toBe("not in a fight");
  await tap(button("Rest"));
  expect(acts.map(([effect, , target]) => [effect, target])).toEqual([["reload", "M16"]]);
  await tap(button("Clear the jam"));
  expect(made.roll.value).toBe("clear_jam");
  expect(said().pick).toEqual({ weapon: "AK" });
});
