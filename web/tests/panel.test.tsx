// The roll panel, at a table and without one: odds that follow, refusals in their place, what is agreed before.
import { fireEvent, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { PreviewQuery, type Preview } from "../src/panel/preview_query";
import { all, one, page, settled, user } from "./dom";
import * as table from "./table";
import { until, type Looker } from "./table";

/** Whose page it is; what is tapped there is answered before anything else is. */
let here: Looker;
const look: typeof table.look = async (...how) => (here = await table.look(...how));
const visit: typeof table.visit = async (...how) => (here = await table.visit(...how));

const text = (selector: string): string => one(selector).textContent ?? "";
const chance = (): string => text(".dock .chance strong");
const says = (said: string): Promise<void> => until(() => chance() === said);
const why = (): string => text(".dock-why");
const button = (name: string | RegExp): HTMLButtonElement => page().getByRole("button", { name });
const rollButton = (): HTMLButtonElement => one(".roll-button") as HTMLButtonElement;
const radio = (name: string | RegExp): HTMLInputElement => page().getByRole("radio", { name });
const slider = (name: string): HTMLInputElement => page().getByRole("slider", { name });
const written = (): HTMLInputElement => page().getByLabelText("Dice");

async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await here.rest();
}
async function write(dice: string): Promise<void> {
  fireEvent.input(written(), { target: { value: dice } });
  await here.rest();
}
/** Nothing stands beside a button that cannot be pressed but the reason. */
async function refused(reason: string): Promise<void> {
  await until(() => all(".dock-why").length === 1 && why().includes(reason));
  expect(chance()).toBe("–");
  expect(all(".builder-odds .chart-bar")).toEqual([]);
  expect(rollButton().disabled).toBe(true);
}
const kind = (name: string): HTMLElement =>
  within(page().getByRole("group", { name: "Kinds of rolls" })).getByRole("button", { name });

const asRoll = (game: string, roll: string, fields = {}): string =>
  `/roll?${new URLSearchParams({ game, roll, with: JSON.stringify(fields) })}`;
const CHECK = { attribute: "B", skill: "C" };

test("an answer that comes late never takes the place of a newer one", async () => {
  const open: [number, () => void][] = [];
  const query = new PreviewQuery(
    ({ draft }) =>
      new Promise((done) => {
        const { pool } = draft as { pool: number };
        open.push([pool, () => done({ pool } as unknown as Preview)]);
      }),
  );
  for (const pool of [6, 7, 8]) query.want({ draft: { pool } });
  open[0]![1]();
  await settled();
  expect(open.map(([pool]) => pool)).toEqual([6, 8]);
  query.want({ draft: { pool: 6 } });
  expect(query.answer.value).toEqual({ pool: 6 });
  open[1]![1]();
  await settled();
  expect(query.answer.value).toEqual({ pool: 6 });
});

test("one more says what it is worth, and a tap takes it", async () => {
  await visit("without_table", asRoll("twilight2000", "skill", CHECK), "skill");
  await until(() => all(".one-more button").some((each) => each.textContent!.includes("helper")));
  const before = Number.parseFloat(chance());
  const more = all(".one-more button").find((each) => each.textContent!.includes("One helper"))!;
  const [, points] = /([\d.]+) points/.exec(more.textContent!)!;
  await tap(more);
  await until(() => Number.parseFloat(chance()) > before);
  expect(Math.abs(Number.parseFloat(chance()) - before - Number(points))).toBeLessThanOrEqual(1);
  await until(() => radio("1").checked);
});

test("costs stand beside the odds: a jam where one pushes", async () => {
  await visit("without_table", asRoll("twilight2000", "attack", { ...CHECK, ammo_dice: 3 }), "attack");
  await until(() => all(".costs").length === 1);
  expect(text(".costs")).toContain("rounds fired");
  expect(text(".costs")).not.toContain("Jam");
  await tap(radio("Push a failure"));
  await until(() => text(".costs").includes("Jam"));
});

test("ammo dice end at one fewer than the rounds left", async () => {
  await visit("without_table", asRoll("twilight2000", "attack", { ...CHECK, rounds: 4 }), "few");
  await until(() => all("input[type=range]").length > 0);
  expect(slider("Ammo dice").max).toBe("3");
});

test("what is refused is said beside the field, with what would do, and beside the button", async () => {
  await visit("without_table", asRoll("twilight2000", "skill", { ...CHECK, modifier: 25 }), "refused");
  await refused("Modifier: 25 is too high");
  const [modifier] = page().getAllByRole("group", { name: "Modifier" });
  expect(one(".wrong", modifier).textContent).toContain("25 is too high");
  expect(one(".wrong", modifier).textContent).toContain("−20 to 20 would do");
  expect(within(modifier!).getByRole<HTMLInputElement>("radio", { name: "+25" }).checked).toBe(true);
});

test("rolls in a row are cards with the controls of a roll, and say their unit", async () => {
  await visit("without_table", asRoll("edge20", "turn"), "turn");
  await until(() => text(".dock .chance").includes("successes on average"));
  await here.rest();
  await tap(button("One more check"));
  await until(() => page().queryByRole("group", { name: "Check 3" }) !== null);
  await tap(button("Take away Check 3"));
  await until(() => page().queryByRole("group", { name: "Check 3" }) === null);
  expect(page().queryByText(/^Set:/)).toBeNull();
});

test("every chart has a name, a table with a row for every bar, and values that are read one by one", async () => {
  await visit("without_table", asRoll("twilight2000", "attack", { ...CHECK, ammo_dice: 3 }), "attack");
  await until(() => all(".builder-odds figure.chart").length > 0);
  for (const chart of all(".builder-odds figure.chart")) {
    expect(all("tbody tr", chart)).toHaveLength(all("rect.chart-bar", chart).length);
    expect(one("svg > title", chart).textContent).toBeTruthy();
    const reader = within(chart).getByRole<HTMLInputElement>("slider");
    const first = reader.getAttribute("aria-valuetext");
    fireEvent.input(reader, { target: { value: "1" } });
    await settled();
    expect(reader.getAttribute("aria-valuetext")).not.toBe(first);
  }
});

test("a favourite is there after the page is opened anew, and a tap brings its fields back", async () => {
  await visit("without_table", asRoll("dust", "roll", { pool: 7, difficulty: 8 }), "pool");
  await until(() => chance() !== "–");
  await tap(button("Keep as a favourite"));
  await visit("without_table", asRoll("dust", "roll", { pool: 7, difficulty: 8 }), "pool", { keeps: true });
  await tap(kind("Extended roll"));
  await tap(within(page().getByRole("list", { name: "Favourites and recent rolls" })).getByRole("button"));
  await until(() => chance().includes("%"));
  expect(kind("Pool roll").getAttribute("aria-pressed")).toBe("true");
  expect(slider("Dice in the pool").value).toBe("7");
  expect(radio("8").checked).toBe(true);
});

test("without the server no old odds stand; they come with it", async () => {
  let away = false;
  const cut = (looker: Looker): void => void (looker.cut = (ask) => away && ask === "POST /preview");
  await visit("without_table", asRoll("dust", "roll", { pool: 7, difficulty: 8 }), "pool", { before: cut });
  await until(() => chance().includes("%"));
  away = true;
  await tap(kind("Extended roll"));
  await refused("cannot be reached");
  await tap(kind("Pool roll"));
  await until(() => chance().includes("%")); // what is known is not asked again
  expect(rollButton().disabled).toBe(false);
  await tap(kind("Extended roll"));
  await refused("cannot be reached");
  away = false;
  await tap(kind("Pool roll"));
  await tap(kind("Extended roll"));
  await until(() => chance() !== "–");
  expect(rollButton().disabled).toBe(false);
});

test("the wrong part of written dice is marked, the sentence says what is wrong, and a tap mends it", async () => {
  await visit("written", "/roll?dice=4d6kq%2B2", "kq");
  await until(() => all(".refusal").length === 1);
  expect(text(".refusal mark")).toBe("kq");
  expect(text(".refusal")).toContain("this word means nothing here");
  await tap(button("4d6k+2"));
  expect(all(".refusal")).toEqual([]);
  expect(written().value).toBe("4d6k+2");
  await until(() => chance() !== "–");
});

test("swapped letters are what was meant: that is offered first", async () => {
  await visit("written", "/roll?dice=4d6hk3", "hk");
  await until(() => all(".refusal button").length > 0);
  expect(all(".refusal button")[0]!.textContent).toBe("4d6kh3");
});

test("dice that cannot be thrown take the odds of the dice before them away", async () => {
  await visit("written", "/roll?dice=1000d6", "many");
  await says("3,500");
  for (const [dice, reason] of [
    ["99999d6", "At most 20,000 dice"],
    ["d0", "sides"],
    ["🎲", "means"],
  ]) {
    await write(dice!);
    await refused(reason!);
  }
  await write("2d6");
  await says("7"); // 3.5 a die
  expect(all(".dock-why")).toEqual([]);
  expect(rollButton().disabled).toBe(false);
});

test("what is too much to count has no odds, is not called wrong, and is thrown all the same", async () => {
  const looker = await visit("written", "/roll?dice=100d100*100d100", "product");
  await until(() => all(".dock-why").length === 1);
  expect(why()).toBe("Too much to count, but it can be rolled.");
  expect(chance()).toBe("–");
  expect(all(".refusal")).toEqual([]);
  await tap(rollButton());
  expect(looker.questions.at(-1)).toMatchObject({ ask: "POST /roll", body: { expression: "100d100*100d100" } });
});

test("Control and Enter roll from inside a field", async () => {
  const looker = await visit("written", "/roll?dice=1000d6", "many");
  await says("3,500");
  written().focus();
  await user.keyboard("{Control>}{Enter}{/Control}");
  await settled();
  expect(looker.questions.at(-1)).toMatchObject({ ask: "POST /roll", body: { expression: "1000d6" } });
});

test("tapped dice write the expression: two d6 and a d8 are 2d6+1d8", async () => {
  await visit("written", "/roll?dice=1000d6", "many");
  for (const name of ["Clear", "d6", "d6", "d8"]) await tap(button(name));
  expect(written().value).toBe("2d6+1d8");
});

test.each([
  ["bo", "Only the referee sees it; not even you."],
  ["rosa", "Only the referees see it; the players see that you roll."],
])("each way to hide a roll is explained, and the one chosen is shown: %s", async (who, said) => {
  await look("push", who);
  const [label] = all(".ways label").filter((each) => each.textContent!.includes("Blind"));
  expect(one("small", label).textContent).toBe(said);
  await tap(within(label!).getByRole("radio"));
  expect(all(".roll-options summary .chip")[0]!.textContent).toBe("Blind");
});

test("at a table written dice may name a number of the sheet, and a tap writes it", async () => {
  await (await look("by_the_sheet", "vera")).next();
  await tap(kind("Any dice"));
  await write("1d20");
  await tap(button("@luck_points 1"));
  expect(written().value).toBe("1d20+@luck_points");
  await says("11.5"); // 10.5 and a point of Luck
});

test("a weapon that is empty or jammed has no odds and no roll; a jam is a tap away from being cleared", async () => {
  const bo = await look("armed", "bo");
  await bo.next();
  await tap(kind("Attack"));
  await until(() => chance().includes("%"));
  await bo.next();
  await refused("The AK is empty");
  await bo.next();
  await refused("The AK is jammed");
  await bo.next();
  await tap(page().getAllByRole("button", { name: "Clear a jam" }).at(-1)!);
  await until(() => chance().includes("%"));
  expect(kind("Clear a jam").getAttribute("aria-pressed")).toBe("true");
  expect(rollButton().disabled).toBe(false);
});

test("nobody in a group is refused in the panel's words, with the rule as a small reference", async () => {
  const rosa = await look("nobody", "rosa");
  await rosa.next();
  await tap(kind("Contest"));
  await until(() => chance().includes("%"));
  await tap(kind("Group Test"));
  for (const player of ["Player 2", "Player 1"]) {
    const away = (): HTMLElement[] => page().queryAllByRole("button", { name: `Take away ${player}` });
    await until(() => away().length > 0);
    await tap(away()[0]!);
  }
  await refused("Who takes part: 0 cannot make a Group Test");
  expect(text(".dock-why small")).toBe("Rule 24");
});

test("the sheet rules what there is to spend, also where no skill of it is rolled", async () => {
  const cy = await look("spent", "cy");
  await cy.next();
  await tap(kind("Skill roll"));
  await until(() => text(".roll-panel").includes("Luck Points on the sheet: 0"));
  await tap(radio(/^Hard/));
  await until(() => all("[data-waits]").length === 0);
  expect(cy.unanswered.filter((asked) => asked.includes("preview"))).toEqual([]);
  await (await look("spent", "kim")).next();
  await tap(kind("Pool roll"));
  await until(() => text(".roll-panel").includes("You have 1."));
  expect(slider("Adrenaline spent").max).toBe("1");
});

test("a sheet that is looked at is not rolled with; whom the roll is for stands above it", async () => {
  const rosa = await look("as_whom", "rosa");
  await rosa.next();
  await tap(page().getByRole("tab", { name: "Kessler" }));
  expect(page().getByRole("heading", { name: "Kessler" })).toBeTruthy();
  const chooser = page().getByLabelText<HTMLSelectElement>("Rolling as");
  expect(chooser.selectedOptions[0]!.textContent).toBe("Rosa, without a sheet");
  expect(all(".skill-board")).toEqual([]);
  await user.selectOptions(chooser, "Kessler");
  await until(() => all(".skill-board").length === 1);
  await until(() => chance() !== "–");
  await tap(rollButton());
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.start", sheet: chooser.value });
});

// By hand: D8 and D10 show no 6 or more in 5 of 8 by 5 of 10 throws, which leaves 55 of 80. Pushed then, a 1 stays and
// 4 faces are thrown again: a D8 fails in 1/8 + 4/8 · 5/8 = 7/16, a D10 in 1/10 + 4/10 · 5/10 = 3/10.
// Both fail in 21 of 160.
const PLAYS: [string, string, string, string, number][] = [
  ["Never push", "never", "69 %", "if you never push", 1],
  ["Ask me", "ask", "69 %", "if you never push", 4],
  ["Push a failure", "if-failed", "87 %", "with a push of a failure", 5],
];
test.each(PLAYS)("one question has one number, beside the button and on the card: %s", async (...row) => {
  const [play, policy, said, when, step] = row;
  const bo = await look("agreed", "bo");
  await bo.next();
  await tap(kind("Skill"));
  await until(() => chance() !== "–");
  await tap(radio(play));
  await says(said);
  await until(() => all(".plays").length === 1);
  expect(text(".plays")).toContain(when);
  expect(one(".explore-link").getAttribute("href")).toContain(play === "Ask me" ? "/explore?" : `policy=${policy}`);
  await tap(rollButton());
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.start", policy });
  for (let n = 0; n < step; n += 1) await bo.next();
  await until(() => all(".stage-pane .odds-line:not(.skeleton)").length === 1);
  expect(text(".stage-pane .odds-line")).toContain(said);
  expect(text(".stage-pane .odds-line")).toContain(when);
});

test("what was agreed is told as such, and can be taken back", async () => {
  const bo = await look("agreed", "bo");
  await bo.next();
  await bo.next();
  const staged = one(".stage-pane .roll-card");
  expect(staged.textContent).toContain("as agreed");
  await tap(button("Take back"));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.take_back", roll: "r1" });
  await bo.next();
  await until(() => all(".stage-pane .option").length === 2);
  await bo.next();
  expect(all(".stage-pane .told")).toHaveLength(1);
});
