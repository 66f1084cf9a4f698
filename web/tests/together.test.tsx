// Two people at one list of a sheet: nothing that either of them typed is lost.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, nameOf, page, settled, user } from "./dom";
import { look, until } from "./table";

const button = (name: string | RegExp, place: HTMLElement = document.body): HTMLElement =>
  within(place).getByRole("button", { name });
const dialog = (): HTMLElement => page().getByRole("dialog");
const edits = (): string[] =>
  all("button")
    .map(nameOf)
    .filter((name) => name.startsWith("Edit "));
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}

test("somebody else's entry comes while one types one's own: both are there", async () => {
  const bo = await look("one_list", "bo");
  await tap(button("Change"));
  await tap(button("Add to: Tools"));
  await user.type(within(dialog()).getByLabelText("Name"), "rope");
  await bo.next();
  await until(() => edits().includes("Edit lantern"));
  expect((within(dialog()).getByLabelText("Name") as HTMLInputElement).value).toBe("rope");
  await tap(button("Save", dialog()));
  const added = bo.sent.at(-1)!;
  expect(added).toMatchObject({ do: "sheet.change_item", list: "tools", after: { name: "rope" } });
  expect(added).not.toHaveProperty("before");
});

test("who changes what somebody else has changed is shown both, and may keep both or put theirs over it", async () => {
  const bo = await look("one_list", "bo");
  await bo.next();
  await tap(button("Change"));
  await tap(button("Edit med kit"));
  await tap(button("Reliability: one less", dialog()));
  await bo.next();
  await tap(button("Save", dialog()));
  expect(bo.sent.at(-1)).toMatchObject({ before: { name: "med kit" }, after: { name: "med kit", reliability: 4 } });
  await bo.settle({ ok: false, error: { code: "conflict", message: "somebody was quicker" } });
  expect(page().getByRole("alert").textContent).toContain("Somebody has changed this meanwhile");
  expect(page().getByRole("alert").textContent).toContain("there 2, here 4");
  await tap(button("Keep both"));
  expect(bo.sent.at(-1)).toMatchObject({ after: { name: "med kit (2)", reliability: 4 } });
  expect(bo.sent.at(-1)).not.toHaveProperty("before");
});
