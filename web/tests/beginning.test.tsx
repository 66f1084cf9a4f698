// Beginning to play: starters in the words of whoever takes one, and copies of somebody at the table.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, settled, user } from "./dom";
import { look, until } from "./table";

async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
const step = (): HTMLElement => one(".next-step");
const starters = (): string[] => all(".next-step .starter").map((one) => one.textContent ?? "");
const sheet = (): HTMLElement => one(".sheet-pane");
type Made = { do: string; values: Record<string, unknown> };

test("a starter comes with a name and all that is theirs", async () => {
  const bo = await look("starters", "bo");
  await bo.next();
  await tap(within(step()).getByRole("button", { name: /^Kestrel/ }));
  const made = bo.sent.at(-1) as Made;
  expect(made).toMatchObject({ do: "sheet.create", values: { name: "Kestrel" } });
  expect(JSON.stringify(made.values)).toContain("Smartgun");
  await bo.next();
  expect(sheet().textContent).toContain("Smartgun");
});

test("nobody has a name twice: whoever takes the same one is called as they are", async () => {
  const cy = await look("starters", "cy");
  await cy.next();
  const before = starters();
  expect(before.filter((said) => said.startsWith("Kestrel"))).toHaveLength(1);
  await cy.next();
  expect(starters()).toHaveLength(before.length);
  expect(starters().join()).not.toContain("Kestrel");
  expect(within(step()).getByRole("button", { name: /^Sable/ })).toBeTruthy();
  const place = before.findIndex((said) => said.startsWith("Kestrel"));
  await tap(all(".next-step .starter")[place]!);
  expect((cy.sent.at(-1) as Made).values).not.toHaveProperty("name");
});

test("a copy has what the other has, and a name of its own", async () => {
  const cy = await look("starters", "cy");
  await cy.next();
  await cy.next();
  await tap(within(step()).getByRole("button", { name: "Make one of your own" }));
  await user.type(within(sheet()).getByLabelText("Name of the character"), "Kite");
  await tap(within(sheet()).getByText("Copy somebody at the table"));
  await tap(within(sheet()).getByRole("button", { name: "Kestrel" }));
  const made = cy.sent.at(-1) as Made;
  expect(made).toMatchObject({ do: "sheet.create", values: { name: "Kite" } });
  expect(JSON.stringify(made.values)).toContain("Smartgun");
  await cy.next();
  expect(within(sheet()).getByRole("heading", { name: "Kite" })).toBeTruthy();
  expect(sheet().textContent).toContain("Smartgun");
});

test("what stands on a starter is said in the language of whoever takes it", async () => {
  const bo = await look("starters", "bo", { language: "de" });
  await bo.next();
  expect(all(".next-step .starter strong")[0]!.textContent).toBe("Sable");
  await bo.next();
  await until(() => sheet().textContent!.includes("Schießen"));
  expect(sheet().textContent).not.toContain("Shoot");
});
