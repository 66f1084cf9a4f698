// The sheet is the panel: rows with their chance, rolls that are laid on it, and what is done with things.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, until, type Looker } from "./table";

const sheet = (): HTMLElement => one(".sheet-pane");
const laid = (): HTMLElement => one(".sheet-pane .laid");
const title = (): string => one("h3", laid()).textContent ?? "";
const chance = (): string => one(".dock .chance strong", laid()).textContent ?? "";
/** A row of the sheet, or the button of a thing on it. */
const rows = (name: string): HTMLElement[] =>
  within(sheet()).queryAllByRole("button", { name: new RegExp(`^Roll with ${name}`) });
const row = (name: string): HTMLElement => {
  const [found, ...more] = rows(name);
  if (!found || more.length) throw new Error(`${name} is there ${more.length + (found ? 1 : 0)} times`);
  return found;
};
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
const button = (name: string | RegExp, place: HTMLElement = sheet()): HTMLElement =>
  within(place).getByRole("button", { name });
/** Lays a roll out, until its dice and its chance are there. */
async function lay(element: HTMLElement): Promise<void> {
  await tap(element);
  await until(() => all(".laid .roll-button:not(:disabled)").length === 1 && /\d/.test(chance()));
}
/** Bo at his sheet, with the chances of its rows. */
async function sitting(step = 0): Promise<Looker> {
  const bo = await look("played", "bo");
  await bo.next(); // what is asked by taps is known
  for (let n = 0; n < step; n += 1) await bo.next();
  await until(() => rows("Recon").length === 1 && one("b", row("Recon")).textContent !== "");
  return bo;
}

test("a row has its chance, and lays its roll out with it: what was tapped is not asked again", async () => {
  const bo = await sitting();
  expect(one("b", row("Recon")).textContent).toBe("69 %");
  expect(one(".sheet-hint").textContent).toContain("Chances: if you never push");
  await lay(row("Recon"));
  expect(title()).toBe("Skill roll: recon");
  expect(chance()).toBe("69 %");
  expect(within(laid()).queryByRole("group", { name: "Which skill" })).toBeNull();
  await tap(within(within(laid()).getByRole("group", { name: "Modifier" })).getByRole("radio", { name: "+1" }));
  await until(() => /\d/.test(chance()) && chance() !== "69 %");
  await tap(button("Roll", laid()));
  expect(bo.sent.at(-1)).toMatchObject({
    do: "roll.start",
    draft: { roll: "skill", pick: { skill_name: "recon" }, set: { modifier: 1 } },
  });
});

test("what is done with a thing stands on it: a jam is cleared, and what is worn is repaired", async () => {
  const bo = await sitting(1);
  expect(rows("AK: Attack")).toHaveLength(1);
  expect(button(/^Reload/)).toBeTruthy();
  await bo.next();
  await until(() => rows("AK: Clear a jam").length === 1);
  await tap(row("AK: Clear a jam"));
  expect(title()).toContain("Clear");
  await bo.next();
  await until(() => rows("AK: Repair").length === 1);
  expect(rows("AK: Clear a jam")).toHaveLength(1);
  await tap(row("AK: Repair"));
  expect(title()).toContain("Repair");
  await bo.next();
  await until(() => rows("AK: Clear a jam").length === 0);
  expect(rows("AK: Repair")).toHaveLength(1);
});

test("what no row begins stands at the end; questions about many rolls belong to Explore", async () => {
  await sitting();
  const others = one(".other-rolls");
  await tap(button("Opposed", others));
  expect(title()).toContain("Opposed");
  expect(within(others).queryByRole("button", { name: "Until empty" })).toBeNull();
});

test("a roll that is kept is a tap away on the sheet", async () => {
  await sitting();
  await lay(row("Recon"));
  await tap(button("Keep as a favourite"));
  const kept = within(sheet()).getByRole("list", { name: "Rolls kept on this sheet" });
  await tap(button("Put this roll away"));
  expect(all(".laid")).toEqual([]);
  await tap(button(/recon/, kept));
  expect(title()).toContain("recon");
});

test("a sheet is played with until somebody wants to change it, all of it in one sitting", async () => {
  const bo = await sitting();
  expect(within(sheet()).queryByRole("combobox", { name: "Recon" })).toBeNull();
  await tap(button("Change"));
  await user.selectOptions(within(sheet()).getByRole("combobox", { name: "Recon" }), "A");
  expect(bo.sent.at(-1)).toMatchObject({ do: "sheet.change", values: { recon: "A" } });
  await bo.next();
  await tap(button("Done"));
  await until(() => rows("Recon A").length === 1 && !["", "69 %"].includes(one("b", row("Recon A")).textContent!));
});

test("a weapon is picked from those that are known, and the odd fields are folded away", async () => {
  const bo = await sitting();
  await tap(button("Add to: Weapons"));
  const dialog = page().getByRole("dialog");
  expect(within(dialog).getByText("All other fields")).toBeTruthy();
  const fields = all(".form > :not(details)", dialog).filter((one) => !one.closest("details")).length;
  expect(fields).toBeGreaterThan(0);
  expect(fields).toBeLessThanOrEqual(6);
  await tap(button("M249", dialog));
  await tap(button("Save", dialog));
  expect(bo.sent.at(-1)).toMatchObject({ do: "sheet.change_item", list: "weapons", after: { name: "M249" } });
});

test("what a tap leaves open is asked on the sheet: a pool is two stats, or one alone", async () => {
  await (await look("stats", "bo")).next();
  await until(() => rows("Drive").length === 1);
  await lay(row("Drive"));
  expect(all(".laid-dice .die")).toHaveLength(3);
  expect(within(laid()).queryByRole("group", { name: "Attribute" })).toBeNull();
  await user.selectOptions(within(laid()).getByRole("combobox", { name: "Ability" }), "Reflexes · 4");
  await until(() => title().includes("Drive + Reflexes"));
  expect(all(".laid-dice .die")).toHaveLength(7);
});

test("no room is kept for dice that are not thrown yet: a task that begins with a choice", async () => {
  await (await look("stats", "bo")).next();
  await until(() => rows("Hotwire").length === 1);
  await tap(row("Hotwire"));
  await until(() => title().includes("Hotwire") && all(".laid .roll-button:not(:disabled)").length === 1);
  expect(all(".laid-dice")).toEqual([]);
});

test("the sheet of somebody who was removed is handed over", async () => {
  const rosa = await look("removed", "rosa");
  await rosa.next();
  expect(one(".feed-pane").textContent).toContain("Bo was removed by Rosa");
  expect(one(".feed-pane .chip").textContent).toContain("→");
  expect(sheet().textContent).toContain("Bo is no longer at the table");
  await user.selectOptions(page().getByLabelText("Who takes the sheet"), "Mina");
  await tap(button("Hand over"));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "sheet.create", values: { name: "Novak" }, shown: true });
  await rosa.next();
  expect(rosa.sent.at(-1)).toMatchObject({ do: "sheet.remove" });
  await rosa.next();
  expect(sheet().textContent).toContain("played by Mina");
});
