// What a roll does to somebody else waits for them, and names them.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, until } from "./table";

const staged = (): HTMLElement => one(".stage-pane .roll-card");
const words = (): string => document.body.textContent ?? "";
async function press(name: string): Promise<void> {
  await user.click(page().getByRole("button", { name }));
  await settled();
}

test("dice for somebody are asked for by name, and by no number of a seat", async () => {
  await look("harm", "rosa");
  const asked = page().getByRole("group", { name: "Faces of real dice" });
  expect(all(".chip", asked)[0]!.textContent).toContain("Cy");
  expect(asked.textContent).not.toContain("@s");
});

test("one tap lets it happen: what it would do is said once, and everybody reads who let it", async () => {
  const cy = await look("harm", "cy");
  await cy.next();
  const asked = page().getByRole("group", { name: /^This would change Cy: \d+ damage\b/ });
  expect(staged().textContent!.split(asked.textContent!.trim().slice(0, 20))).toHaveLength(2);
  expect(all(".effects .chip", staged()).map((chip) => chip.textContent)).toEqual(["M4: Rounds 30 → 29"]);
  expect(one(".told p", staged()).textContent).toContain("Cy");
  await press("Let it happen");
  expect(cy.sent).toMatchObject([{ do: "roll.apply", roll: "r1", sheet: "s3" }]);
  await cy.next();
  expect(staged().textContent).toContain("Cy let it happen.");
  expect(page().queryByRole("button", { name: "Let it happen" })).toBeNull();
  const sheet = page().getByRole("region", { name: "Sheet" });
  expect(within(sheet).getByRole("group", { name: /^Damage: [1-9] of/ })).toBeTruthy();
  await look("harm", "rosa").then(async (rosa) => (await rosa.next(), await rosa.next()));
  expect(staged().textContent).toContain("Cy let it happen.");
  expect(page().queryByRole("button", { name: "Let it happen" })).toBeNull();
});

test("a referee may not let it happen, and that is said too", async () => {
  const rosa = await look("harm", "rosa");
  await rosa.next();
  expect(page().getByRole("group", { name: /^This would change Cy: \d+ damage\b/ })).toBeTruthy();
  await press("No");
  expect(rosa.sent).toMatchObject([{ do: "roll.decline", roll: "r1", sheet: "s3" }]);
  const cy = await look("harm", "cy");
  for (let step = 0; step < 3; step += 1) await cy.next();
  await until(() => staged().textContent!.includes("Rosa did not let it happen."));
});

test("whoever only watches reads for whom it waits, and has no button", async () => {
  const eve = await look("harm", "eve");
  await eve.next();
  expect(one(".lets").textContent).toMatch(/This would change Cy: \d+ damage.*\. Waiting for Cy or the referee\./);
  expect(all(".letting")).toEqual([]);
  expect(page().queryByRole("button", { name: "Let it happen" })).toBeNull();
});

test("characters are named where something is rolled: on the card, in its verdict and in the feed", async () => {
  await look("contest", "rosa");
  expect(staged().textContent).toContain("Contest against Ash");
  expect(one(".outcome", staged()).textContent).toContain("Vex wins");
  expect(words()).not.toContain("Milo wins");
});
