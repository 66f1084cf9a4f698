// Dice as other tools write them, at a table: how they are spelled there is settled once, for all.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { one, page, settled, user } from "./dom";
import { look, until } from "./table";

async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}

test("a referee settles how dice are written; a roll says what may have been meant otherwise", async () => {
  const rosa = await look("another_spelling", "rosa");
  await tap(page().getByRole("button", { name: "House rules" }));
  const dialog = page().getByRole("dialog", { name: "House rules" });
  await user.selectOptions(within(dialog).getByLabelText("Dice are written as in"), "Roll20");
  await settled();
  await tap(within(dialog).getByRole("button", { name: "Save" }));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "table.change", dialect: "roll20" });
  await rosa.next();
  expect(one(".roll-pane").textContent).toContain("Written as in Roll20");
  await user.type(within(one(".roll-pane")).getByLabelText("Dice"), "3d1>1");
  await settled();
  await tap(one(".roll-pane .roll-button"));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.start", expression: expect.stringMatching(/3d1>1$/) });
  await rosa.next();
  const card = one(".stage-pane .roll-card");
  expect(card.textContent).toContain("3d1>=1 + 1d1>=2");
  expect(card.textContent).toContain("= 3");
  await until(() => page().queryByRole("list", { name: "May have been meant otherwise" }) !== null);
  const remarks = within(card).getByRole("list", { name: "May have been meant otherwise" });
  expect(remarks.textContent).toContain("counts dice one by one");
  await tap(within(remarks).getAllByRole("button")[0]!);
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.start", expression: expect.stringContaining("{3d1}>=1") });
});
