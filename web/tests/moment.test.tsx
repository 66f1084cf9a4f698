// What is decided is what was seen: a press that comes late, and a sheet that has changed meanwhile.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, until } from "./table";

const staged = (): HTMLElement => one(".stage-pane .roll-card");
const option = (said: string): HTMLElement =>
  within(within(staged()).getByRole("group", { name: "Your choice" })).getByRole("button", {
    name: new RegExp(`^${said}`),
  });
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}

test("a press that comes late answers nothing else, and is told so without an alarm", async () => {
  const bo = await look("turn", "bo");
  await until(() => staged().textContent!.includes("Check 1"));
  await tap(option("Go on"));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1", index: 1 });
  await bo.settle({ ok: false, error: { code: "conflict", field: "index", message: "r1 has gone on meanwhile" } });
  await bo.next();
  expect(staged().textContent).toContain("This was decided already");
  expect(staged().textContent).toContain("Check 2");
  expect(all(".toast")).toEqual([]);
  await tap(option("Stop"));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1", index: 3 });
});

test("numbers of an open roll that are old are said before going on: go on all the same, or roll anew", async () => {
  const bo = await look("push", "bo");
  await tap(option("Keep"));
  const message = "the sheet has changed since r1 began: Rounds was 30 and is 12 now";
  await bo.settle({ ok: false, error: { code: "conflict", field: "anyway", message } });
  await until(() => within(staged()).queryByRole("alert") !== null);
  expect(within(staged()).getByRole("alert").textContent).toContain("Rounds was 30 and is 12 now");
  expect(all(".toast")).toEqual([]);
  await tap(within(staged()).getByRole("button", { name: "Go on all the same" }));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1", anyway: true });
  await bo.next();
  expect(one(".outcome", staged()).textContent).toContain("Miss");
});

test("a referee asks for what can be rolled: without a skill there is nothing to ask", async () => {
  await (await look("asked_for_anything", "rosa")).next();
  await tap(page().getByRole("button", { name: "Ask for a roll" }));
  const dialog = page().getByRole("dialog", { name: "Ask for a roll" });
  const ask = (): HTMLButtonElement => within(dialog).getByRole("button", { name: "Ask" });
  await until(() => within(dialog).queryByRole("button", { name: "Something else" }) !== null);
  await until(() => ask().disabled);
  expect(dialog.textContent).toContain("Tap what they are to roll.");
  await tap(within(dialog).getByRole("button", { name: "Something else" }));
  await until(() => dialog.textContent!.includes("Still to say: Which skill"));
  await user.selectOptions(within(dialog).getByLabelText("Which skill"), "Recon");
  await until(() => !ask().disabled);
});

test("what an ask leaves open is picked by hand, and the next roll answers it", async () => {
  const bo = await look("asked_for_anything", "bo");
  for (let step = 0; step < 2; step += 1) await bo.next();
  const bar = (): HTMLElement => page().getByRole("region", { name: "Asked of you" });
  await until(() => bar().textContent!.includes("Pick what you roll."));
  expect(within(bar()).queryByRole("button", { name: "Roll it" })).toBeNull();
  await tap(within(bar()).getByRole("button", { name: "Pick it by hand" }));
  await until(() => document.body.textContent!.includes("Your next roll answers this"));
});
