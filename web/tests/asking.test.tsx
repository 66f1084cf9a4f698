// What a referee asks for: said in a dialog, read by those who are asked, answered with one tap or put off.
import { fireEvent, within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, settled, user } from "./dom";
import { look, until, type Looker } from "./table";

const dialog = () => within(one("dialog"));
const ask = (): HTMLElement => one(".ask.notice");
const mine = () => within(ask());
const said = (place: string): string => one(place).textContent ?? "";
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
async function write(field: HTMLElement, text: string): Promise<void> {
  fireEvent.input(field, { target: { value: text } });
  await settled();
}
/** Opens the dialog in which the referee asks, and takes the first step in it. */
async function asking(button: string, kind = ""): Promise<void> {
  await tap(within(one(".more-pane .menu-list")).getByRole("button", { name: "Ask for a roll" }));
  await until(() => all("dialog .ask-common:not([aria-busy=true]) button").length > 0);
  await tap(dialog().getByRole("button", { name: button }));
  if (kind) await tap(dialog().getByRole("radio", { name: kind }));
  await until(() => all("dialog .form-waits").length === 0);
}
const send = (): Promise<void> => tap(dialog().getByRole("button", { name: "Ask" }));
const steps = async (looker: Looker, many: number): Promise<void> => {
  for (let step = 0; step < many; step += 1) await looker.next();
};

const WORDS = "“climb the wall before they see you”";
test("what is asked is rolled with one tap, and the referee's words stay with the roll", async () => {
  const bo = await look("asked", "bo");
  await bo.next();
  expect(ask().textContent).toContain("Skill: mobility");
  expect(ask().textContent).toContain(WORDS);
  await tap(mine().getByRole("button", { name: "Roll it" }));
  const draft = { roll: "skill", pick: { skill_name: "mobility" } };
  expect(bo.sent).toMatchObject([{ do: "roll.start", ask: "a1", draft, visibility: "open", physical: false }]);
  await bo.next();
  expect(all(".ask.notice")).toEqual([]);
  expect(said(".stage-pane .roll-card")).toContain(`Rosa: ${WORDS}`);
});

test.each(["asked", "answered"])(
  "the referee reads them on the card, and who is there later does too: %s",
  async (story) => {
    const rosa = await look(story, "rosa");
    if (story === "asked") await steps(rosa, 2);
    expect(said(".stage-pane .roll-card")).toContain(`Rosa: ${WORDS}`);
    expect(all(".feed-line").some((line) => line.textContent!.includes(WORDS))).toBe(true);
  },
);

test("whoever is asked alone says no with one tap, and the referee reads that", async () => {
  const bo = await look("asked", "bo");
  await bo.next();
  await tap(mine().getByRole("button", { name: "Not now" }));
  expect(bo.sent).toMatchObject([{ do: "roll_request.close", ask: "a1" }]);
  await bo.next();
  const to = ["s1"];
  expect(bo.sent.at(-1)).toMatchObject({ do: "chat.send", text: "Not now: Skill: mobility.", to });
  await bo.next();
  expect(mine().getByRole("button", { name: "Roll it" })).toBeTruthy();
  expect(mine().queryByRole("button", { name: "Not now" })).toBeNull();
});

test("the referee reads for whom an ask waits, until it is answered", async () => {
  const rosa = await look("asked", "rosa");
  await rosa.next();
  expect(said(".stage-pane .asks")).toContain("waiting for Vex");
  await rosa.next();
  expect(all(".stage-pane .asks")).toEqual([]);
});

test("a skill that somebody lacks is said before they are asked", async () => {
  const rosa = await look("lacking", "rosa");
  await rosa.next();
  await asking("Something else");
  await write(dialog().getByLabelText("Skill"), "Stealth");
  await until(() => said("dialog").includes("Kit has no Stealth and rolls without it."));
  await send();
  const draft = { roll: "check", set: { skill: "Stealth" } };
  expect(rosa.sent).toMatchObject([{ do: "roll_request.create", who: "all", draft, visibility: "open" }]);
});

test("whoever lacks it reads that too, with the odds, and is not refused", async () => {
  const bo = await look("lacking", "bo");
  await steps(bo, 2);
  expect(ask().textContent).toContain("You have no Stealth: you roll without it.");
  expect(said(".ask-odds")).toMatch(/^\d+(\.\d)? %/);
  await tap(mine().getByRole("button", { name: "Roll it" }));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.start", ask: "a1", policy: "ask" });
});

test("a second stat is asked for beside the first, which is not asked again", async () => {
  const rosa = await look("second_stat", "rosa");
  await rosa.next();
  await asking("Wits");
  expect(dialog().queryByLabelText("Attribute")).toBeNull();
  await user.selectOptions(dialog().getByLabelText("Ability"), "Drive");
  await settled();
  expect(dialog().getByRole("button", { name: "Wits" }).getAttribute("aria-pressed")).toBe("true");
  await send();
  const pick = { attribute: "Wits", ability: "Drive" };
  expect(rosa.sent).toMatchObject([{ do: "roll_request.create", draft: { roll: "roll", pick } }]);
  const bo = await look("second_stat", "bo");
  await steps(bo, 2);
  for (const stat of ["Pool roll", "Wits", "Drive"]) expect(ask().textContent).toContain(stat);
  expect(said(".ask-odds")).toMatch(/^\d+(\.\d)? % to succeed/);
});

test("whoever is out reads that, the referee before anybody is asked, until they are up again", async () => {
  const rosa = await look("asked_while_out", "rosa");
  await rosa.next();
  await asking("Something else", "Skill");
  await user.selectOptions(dialog().getByRole("combobox", { name: "Which skill" }), "Mobility");
  await until(() => said("dialog").includes("Vex cannot roll this now: Vex is out."));
  const bo = await look("asked_while_out", "bo");
  await steps(bo, 2);
  expect(mine().getByRole("alert").textContent).toBe("You cannot roll this now: Vex is out.");
  expect(mine().queryByRole("button", { name: "Roll it" })).toBeNull();
  await bo.next();
  expect(mine().queryByRole("alert")).toBeNull();
  expect(mine().getByRole("button", { name: "Roll it" })).toBeTruthy();
});

test("a roll that may not be pushed is asked for in four taps", async () => {
  const rosa = await look("never_pushed", "rosa");
  await rosa.next();
  await tap(within(one(".stage-pane")).getByRole("button", { name: /^Ask/ }));
  await until(() => all("dialog .ask-common:not([aria-busy=true]) button").length > 0);
  expect(dialog().queryByRole("combobox")).toBeNull();
  await tap(dialog().getByRole("button", { name: "Recon" }));
  await until(() => all("dialog .form-waits").length === 0);
  await tap(dialog().getByText("Never push"));
  await send();
  const draft = { roll: "skill", pick: { skill_name: "recon" } };
  expect(rosa.sent).toMatchObject([{ do: "roll_request.create", who: "all", draft, policy: "never" }]);
  await rosa.next();
  expect(all("dialog")).toEqual([]);
  expect(said(".stage-pane .asks")).toContain("waiting for Vex");
  await rosa.next();
  expect(all(".stage-pane .asks")).toEqual([]);
});

test("those asked so read the odds of that, and nobody asks them whether to push", async () => {
  const bo = await look("never_pushed", "bo");
  await steps(bo, 2);
  expect(said(".ask-odds")).toContain("if you never push");
  await tap(mine().getByRole("button", { name: "Real dice" }));
  expect(bo.sent).toMatchObject([{ do: "roll.start", ask: "a1", policy: "never", physical: true }]);
  await bo.next();
  expect(said(".stage-pane .outcome")).toContain("Failure");
  expect(all(".stage-pane .decision .option")).toEqual([]);
});

test("of an open roll only what works is offered: it is given up, and not undone", async () => {
  await look("real_dice", "rosa");
  await tap(within(one(".stage-pane")).getByRole("button", { name: "More about this roll" }));
  await until(() => all("[role=menuitem]").length > 0);
  const offered = all("[role=menuitem]").map((item) => item.textContent);
  expect(offered).toContain("Give up this roll");
  expect(offered.filter((name) => name!.startsWith("Undo"))).toEqual([]);
});

test.each([
  ["bo", "What do your dice show?"],
  ["rosa", "What do Bo's dice show?"],
])("real dice are asked for as whose they are: %s", async (who, asked) => {
  await look("real_dice", who);
  expect(said(".stage-pane .faces .decision-ask")).toBe(asked);
});
