// Coming back: an evening that can be looked back on, and one's tables by name.
import { within } from "@testing-library/dom";
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { all, nameOf, one, page, settled, user } from "./dom";
import { look, until, type Looker } from "./table";

const over = (): HTMLElement => page().getByRole("region", { name: "Session 1 is over" });
const text = (selector: string, place: ParentNode = over()): string => one(selector, place).textContent ?? "";
const button = (name: string, place: HTMLElement = over()): HTMLElement => within(place).getByRole("button", { name });
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
const isTold = (): Promise<void> => until(() => all(".over-card .recap").length === 1);
const remembers = { tables: { recordedtabl: { token: "r".repeat(43), seat: "s2", at: Date.now() } } };
/** The evening in a dialog, as it is looked back on later. */
async function lookedBack(story: string, who: string): Promise<HTMLElement> {
  const looker = await look(story, who, { remembers });
  await looker.next();
  await isTold();
  await tap(button("Close"));
  await tap(button("Look back on the evening"));
  await until(() => all("dialog .recap").length === 1);
  return page().getByRole("dialog");
}

test.each(["bo", "una"])("an evening that ends lies on every stage until the next roll: %s", async (who) => {
  const looker: Looker = await look("evening_over", who);
  await looker.next();
  await isTold();
  expect(text(".recap-sum")).toBe("3 rolls, 6 dice");
  expect(text(".lucks")).toContain("Sable");
  // By how often, alike ones once; and what is paid by choice was not to be expected.
  expect(text(".recap-chosen")).toBe("Chosen: “Keep the Luck” 2 times, “Spend Luck: +3” once.");
  const [spent] = all(".facts dt", over()).filter((each) => each.textContent!.includes("Luck Point"));
  expect(spent!.textContent).toBe("Luck Point spent");
  await tap(button("Close"));
  expect(all(".recap")).toEqual([]);
  expect(button("Look back on the evening")).toBeTruthy();
  await looker.next();
  expect(page().queryByRole("region", { name: "Session 1 is over" })).toBeNull();
});

test.each([
  ["open_rolls", true, "left open"],
  ["given_up", false, "given up"],
])(
  "rolls that are open as a session ends are given up with it unless the referee keeps them: %s",
  async (story, keeps, told) => {
    const rosa = await look(story, "rosa");
    await tap(page().getByRole("button", { name: "End the session" }));
    const keep = page().getByRole("switch", { name: /^1 roll is still open: keep it/ });
    expect((keep as HTMLInputElement).checked).toBe(false);
    if (keeps) await tap(keep);
    await tap(page().getByRole("button", { name: /^Yes, end it/ }));
    expect(rosa.sent.at(-1)).toMatchObject({ do: "session.end", keep_open: keeps });
    await rosa.next();
    await isTold();
    expect(over().textContent).toContain(`1 roll ${told}, 1 after the dice were seen`);
  },
);

test("numbers of an evening say of which rolls they are, what was chosen, and what waits", async () => {
  const evening = await lookedBack("numbers_of_an_evening", "bo");
  const [rounds] = all(".facts div", evening).filter((each) => each.textContent!.includes("rounds"));
  expect(text("dd", rounds)).toBe("34");
  expect(rounds!.textContent).toContain("9 in the only roll that could be counted, where 8 were");
  expect(text(".lucks", evening)).toContain(
    "1 of 2 rolls went well; of the only one that could be counted 1 did: an ordinary evening",
  );
  expect(text(".recap-chosen", evening)).toBe("Chosen: “Keep” 2 times.");
  expect(text(".recap-waits", evening)).toContain("Ines AK: jammed");
});

test("luck that comes to nothing has no sign", async () => {
  expect(text(".luck-sum", await lookedBack("hopeless", "bo"))).toBe("0");
});

test("a moment of the evening has its dice, each read as what it was", async () => {
  const evening = await lookedBack("botch", "bo");
  const moment = one(".moment[data-kind=awful]", evening);
  expect(all(".die", moment)).toHaveLength(3);
  const read = all("[role=img]", moment).map(nameOf);
  expect(read.filter((name) => name === "d10 shows 1, a 1 that takes a success")).toHaveLength(2);
});

test("the evening is shared as a text", async () => {
  const evening = await lookedBack("numbers_of_an_evening", "bo");
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await tap(button("Share the evening", evening));
  const [said] = copied.mock.calls[0]!;
  expect(said).toMatch(/^Tonight\nSession 1,/);
  expect(said).toContain("Ines: 1 of 2 rolls went well");
});

test("one's tables are told apart: by name, game, as whom, and when", async () => {
  await lookedBack("numbers_of_an_evening", "bo");
  const { games } = await import("../src/state/games");
  games.value = [{ name: "twilight2000", title: "Twilight: 2000", summary: "" }];
  const { RecentTables } = await import("../src/screens/RecentTables");
  render(<RecentTables />, document.body);
  await settled();
  const told = page().getByRole("link").textContent;
  for (const words of ["Tonight", "Twilight: 2000", "you play Ines", "Session 1 is over", "today"])
    expect(told).toContain(words);
  const { default: VerifyScreen } = await import("../src/screens/VerifyScreen");
  render(<VerifyScreen />, document.body);
  await settled();
  const listed = page().getByRole("button", { name: /^Tonight/ }).textContent;
  expect(listed).toContain("Twilight: 2000");
  expect(listed).not.toContain("recordedtabl");
});
