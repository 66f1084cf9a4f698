// What people do at a table: what each tap sends, and what everybody is told of it.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, PHONE, until } from "./table";

const staged = (): HTMLElement => one(".stage-pane .roll-card");
const text = (selector: string, place: ParentNode = staged()): string => one(selector, place).textContent ?? "";
const button = (name: string | RegExp, place: HTMLElement = document.body): HTMLElement =>
  within(place).getByRole("button", { name });
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
/** Types the faces of real dice in. */
async function enter(...faces: number[]): Promise<void> {
  const group = page().getByRole("group", { name: "Faces of real dice" });
  for (const face of faces) await tap(button(String(face), group));
  await tap(button(/Enter/, group));
}

test("faces of real dice are typed in, taken back in front of everybody, and pushed for a price", async () => {
  const bo = await look("own_die", "bo");
  await enter(3);
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.enter", roll: "r1", faces: [3] });
  await bo.next();
  await tap(button("Take back"));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.take_back", roll: "r1" });
  await bo.next();
  await enter(3);
  await bo.next();
  await until(() => button(/^Push/).textContent!.includes("38 %"));
  expect(button(/^Push/).textContent).toContain("best");
  await tap(button(/^Push/));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1" });
  await bo.next();
  await enter(1);
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.enter", faces: [1] });
  await bo.next();
  expect(text(".changes")).toBe("Stress 0 → 1");
  expect(page().getByRole("group", { name: "Stress: 1 of 5" })).toBeTruthy();
});

test("others see a face that was taken back crossed out, whom a choice waits for, and what it cost", async () => {
  const rosa = await look("own_die", "rosa");
  await rosa.next();
  expect(staged().textContent).toContain("Waiting for Bo: Keep or push?");
  await rosa.next();
  expect(all(".tray-throw[data-taken]", staged())).toHaveLength(1);
  for (let step = 0; step < 3; step += 1) await rosa.next();
  expect(text(".changes")).toBe("Stress 0 → 1");
});

test("a change by hand is sent as it is tapped, and a referee undoes it from its line", async () => {
  const bo = await look("own_die", "bo");
  await tap(button("Damage: set to 2"));
  expect(bo.sent.at(-1)).toMatchObject({ do: "sheet.change", sheet: "s2", values: { damage: 2 } });
  const rosa = await look("edits", "rosa");
  await rosa.next();
  const [line] = all(".feed-item").filter((item) => item.textContent!.includes("Rosa changed the sheet of Novak"));
  await tap(button("Undo this change", line));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "sheet.undo" });
});

test("of a secret roll others see that there is one; shown, they have its dice", async () => {
  const cy = await look("hidden", "cy");
  expect(staged().textContent).toContain("Bo rolls in secret");
  expect(page().queryByRole("list", { name: "3 dice" })).toBeNull();
  await cy.next();
  await until(() => page().queryByRole("list", { name: "3 dice" }) !== null);
});

test("whoever rolled in secret shows it from its menu", async () => {
  const bo = await look("hidden", "bo");
  await tap(button("More about this roll"));
  await tap(page().getByRole("menuitem", { name: "Reveal to all" }));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.reveal", roll: "r1" });
});

test("of several asks each is answered or put off by itself", async () => {
  const bo = await look("two_asks", "bo", { size: PHONE });
  const bar = (): HTMLElement => page().getByRole("region", { name: "Asked of you" });
  await until(() => bar().textContent!.includes("%"));
  expect(bar().textContent).toContain("Rosa asks you to roll: Skill: stamina");
  await bo.next();
  await until(() => within(bar()).getAllByRole("button", { name: "Roll it" }).length === 2);
  expect(bar().textContent).toContain("How long?");
  await tap(within(bar()).getAllByRole("button", { name: "Roll it" })[0]!);
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.start", ask: "a1" });
  await tap(within(bar()).getAllByRole("button", { name: "Not now" })[1]!);
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll_request.close", ask: "a2" });
});

test("an open roll is told to everybody, whatever was said of a secret one before", async () => {
  const rosa = await look("another_spelling", "rosa");
  const panel = one(".roll-pane");
  await tap(within(panel).getByText("How it is rolled"));
  const way = (name: RegExp): HTMLElement => within(panel).getByRole("radio", { name });
  await user.type(within(panel).getByLabelText("Dice"), "{Control>}a{/Control}2d6");
  await tap(way(/^Private/));
  await tap(within(panel).getByRole("checkbox", { name: /^Others see that/ }));
  await tap(one(".roll-button", panel));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.start", visibility: "private", announce: false });
  await rosa.settle();
  await tap(way(/^Open/));
  await tap(one(".roll-button", panel));
  const [, open] = rosa.sent;
  expect(open).toMatchObject({ do: "roll.start", visibility: "open" });
  expect(open).not.toHaveProperty("announce");
});

test.each(["sheet", "roll", "feed", "more"])(
  "a strip tells on %s what waits on the stage, and leads there",
  async (tab) => {
    await look("push", "bo", { size: PHONE });
    expect(all(".waiting-strip")).toEqual([]);
    await tap(one(`nav .tab-${tab}`));
    await until(() => all(".table-notices .waiting-strip").length === 1);
    expect(text(".waiting-strip", document)).toContain("Your turn: Keep or push?");
    await tap(one(".waiting-strip"));
    expect(one("nav .tab-stage").getAttribute("aria-current")).toBe("page");
  },
);
