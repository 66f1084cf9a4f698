// The referee's side: characters, links, seats, house rules and sessions, and what the others see of it.
import { fireEvent, within } from "@testing-library/dom";
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, until } from "./table";

const dialog = () => within(one("dialog"));
const said = (place = "body"): string => one(place).textContent ?? "";
const inFeed = (words: string): HTMLElement[] =>
  all(".feed-pane .feed-item").filter((item) => item.textContent!.includes(words));
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
async function write(field: HTMLElement, text: string): Promise<void> {
  fireEvent.input(field, { target: { value: text } });
  await settled();
}
/** Opens something beside the table. */
async function beside(name: string): Promise<void> {
  await tap(within(one(".more-pane .menu-list")).getByRole("button", { name }));
  await until(() => all("dialog").length === 1);
}
/** Opens what can be done with a seat. */
async function manage(name: string): Promise<void> {
  await tap(within(one(".people.seats")).getByRole("button", { name: `What can be done with ${name}'s seat` }));
  await until(() => all("dialog").length === 1);
}
const press = (name: string): Promise<void> => tap(dialog().getByRole("button", { name }));

test("a character is made behind the screen or in sight of all, and put away once that is meant", async () => {
  const rosa = await look("characters", "rosa");
  await beside("Non-player characters");
  const listed = (): string[] =>
    dialog()
      .queryAllByRole("listitem")
      .map((item) => item.textContent!);
  const name = dialog().getByLabelText("Name") as HTMLInputElement;
  await write(name, "Kessler");
  await press("Add");
  const made = { do: "sheet.create", sheet: "npc", values: { name: "Kessler" }, shown: false };
  expect(rosa.sent).toMatchObject([made]);
  await rosa.next();
  expect(listed()).toEqual([expect.stringMatching(/Kessler.*seen by referees only/)]);
  expect(name.value).toBe("");
  await write(name, "Barkeeper");
  await tap(dialog().getByRole("switch", { name: "Show the sheet to all" }));
  await press("Add");
  expect(rosa.sent.at(-1)).toMatchObject({ ...made, values: { name: "Barkeeper" }, shown: true });
  await rosa.next();
  expect(listed()).toEqual([expect.stringContaining("Kessler"), expect.stringMatching(/Barkeeper.*shown to all/)]);
  await rosa.next();
  await rosa.next();
  const kessler = within(dialog().getAllByRole("listitem")[0]!);
  await tap(kessler.getByRole("button", { name: "Remove" }));
  expect(rosa.sent).toHaveLength(2);
  await tap(kessler.getByRole("button", { name: "Yes, remove" }));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "sheet.remove", sheet: "n05" });
  await rosa.next();
  expect(listed()).toEqual([expect.stringContaining("Barkeeper")]);
});

test("of the referee's characters players see those that are shown", async () => {
  const bo = await look("characters", "bo");
  await bo.next();
  await bo.next();
  expect(
    page()
      .getAllByRole("tab")
      .map((one) => one.textContent),
  ).toContainEqual(expect.stringContaining("Barkeeper"));
  expect(document.body.textContent).not.toContain("Kessler");
});

test("the panel rolls for a character of the referee's once that is said", async () => {
  const rosa = await look("characters", "rosa");
  for (let step = 0; step < 3; step += 1) await rosa.next();
  const pane = within(one(".roll-pane"));
  await user.selectOptions(pane.getByLabelText("Rolling as"), "Kessler");
  await until(() => all(".roll-pane .dock .chance strong").some(({ textContent }) => /%/.test(textContent!)));
  await tap(pane.getByRole("button", { name: "Roll" }));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.start", sheet: "n05", draft: { roll: "skill" } });
  await rosa.next();
  expect(said(".stage-pane .roll-card")).toContain("Kessler");
});

test("the end of a session is asked for once more, told to all, and fills the Luck of every sheet", async () => {
  const rosa = await look("session_over", "rosa");
  const more = within(one(".more-pane"));
  await tap(more.getByRole("button", { name: "End the session" }));
  expect(rosa.sent).toEqual([]);
  await tap(more.getByRole("button", { name: /^Yes, end it/ }));
  expect(rosa.sent).toMatchObject([{ do: "session.end", keep_open: false }]);
  await rosa.next();
  expect(inFeed("Session 1 has ended")).toHaveLength(1);
  expect(inFeed("A new session for Nix")[0]!.textContent).toContain("Luck Points 0 → 1");
  const bo = await look("session_over", "bo");
  expect(said(".table-top")).toContain("Session 1");
  await bo.next();
  expect(said(".table-top")).toContain("Session 2");
  expect(within(one(".sheet-pane")).getByRole("group", { name: "Luck: 1 of 1" })).toBeTruthy();
});

const RULE = "A push with nothing to throw";
test("a referee changes the table's name and a house rule; players read them and cannot", async () => {
  const rosa = await look("house_rules", "rosa");
  await beside("House rules");
  expect(said("dialog")).toContain("As in the book, every one of them.");
  expect(all("dialog .rule[open]")).toEqual([]);
  await write(dialog().getByLabelText("Name of the table"), "Night shift");
  const rule = all("dialog .rule").find((one) => one.textContent!.includes(RULE))!;
  await tap(within(rule).getAllByRole("radio", { hidden: true })[1]!);
  await press("Save");
  expect(rosa.sent).toMatchObject([{ do: "table.change", title: "Night shift", house: { push_with_nothing: true } }]);
  await rosa.next();
  expect(all("dialog")).toEqual([]);
  expect(inFeed("Rosa changed the table or its house rules")).toHaveLength(1);
  const bo = await look("house_rules", "bo");
  await bo.next();
  expect(page().getByRole("heading", { level: 1 }).textContent).toBe("Night shift");
  await beside("House rules");
  expect(dialog().getByRole("heading", { name: "Not as in the book" })).toBeTruthy();
  const changed = all("dialog .form > :not(.rules) input[type=radio]")[1] as HTMLInputElement | undefined;
  expect(changed!.checked).toBe(true);
  expect(changed!.closest<HTMLFieldSetElement>("fieldset.stack")!.disabled).toBe(true);
  expect(dialog().queryByRole("button", { name: "Save" })).toBeNull();
});

test("of many house rules the search shows those that say it, open, and says where none does", async () => {
  await look("house_rules", "rosa");
  await beside("House rules");
  const search = dialog().getByRole("searchbox", { name: "Search the rules" });
  await write(search, "jams a weapon");
  expect(dialog().getByRole("group", { name: "What jams a weapon" })).toBeTruthy();
  expect(all("dialog .rule")).toEqual([]);
  await write(search, "no such thing");
  expect(said("dialog .house-list [role=status]")).toBe("No rule says that.");
  await write(search, "");
  expect(all("dialog .rule").length).toBeGreaterThan(6);
});

test("a link that is made anew is another one, of which the server learns no more than the hash", async () => {
  const rosa = await look("doors", "rosa");
  const { rememberTable, tokenHash } = await import("../src/net/tokens");
  const old = "p".repeat(43);
  rememberTable("recordedtabl", { links: { player: old } });
  await beside("Links and seats");
  const link = (): string => (dialog().getByRole("textbox", { name: "For players" }) as HTMLInputElement).value;
  expect(link()).toBe(`https://dice.example/t/recordedtabl#${old}`);
  await press("Make it anew");
  expect(rosa.sent).toEqual([]);
  await press("Yes, the old one stops working");
  await until(() => rosa.sent.length === 1);
  expect(link()).toContain(old);
  await rosa.next();
  await until(() => !link().endsWith(old));
  const token_hash = await tokenHash(link().split("#")[1]!);
  expect(rosa.sent).toMatchObject([{ do: "link.rotate", role: "player", token_hash }]);
  expect(inFeed("A link was made anew (Player)")).toHaveLength(1);
});

test("whoever comes with an old link stands before a shut door", async () => {
  const error = { code: "unauthorized", message: "Nobody knows this link." };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ error }, { status: 401 })));
  const { default: TableEntry } = await import("../src/screens/TableEntry");
  render(<TableEntry table="recordedtabl" token={"p".repeat(43)} />, document.body);
  await until(() => page().queryByRole("heading", { name: "The door is shut" }) !== null);
});

test("newcomers knock where the referee says so while playing", async () => {
  const rosa = await look("characters", "rosa");
  await beside("Links and seats");
  await tap(dialog().getByRole("switch", { name: /^Newcomers knock/ }));
  expect(rosa.sent).toMatchObject([{ do: "table.change", knock: true }]);
});

test("who knocks is let in or turned away, and sees that and nothing else", async () => {
  const rosa = await look("doors", "rosa");
  const people = within(one(".more-pane"));
  await tap(people.getByRole("button", { name: "Let in" }));
  await tap(people.getByRole("button", { name: "Turn away" }));
  const seat = "s4";
  expect(rosa.sent).toMatchObject([
    { do: "seat.admit", seat },
    { do: "seat.refuse", seat },
  ]);
  await rosa.next();
  await rosa.next();
  expect(all(".knocks")).toEqual([]);
  const cy = await look("doors", "cy");
  expect(page().getByRole("heading", { name: "You have knocked" })).toBeTruthy();
  expect(document.body.textContent).not.toContain("Rosa");
  await cy.next();
  await cy.next();
  expect(page().getByRole("heading", { name: "You were turned away" })).toBeTruthy();
});

test("a second referee gets the referee's side without coming anew", async () => {
  const rosa = await look("doors", "rosa");
  await manage("Bo");
  await tap(dialog().getByRole("radio", { name: "Referee" }));
  expect(rosa.sent).toMatchObject([{ do: "seat.change_role", seat: "s2", role: "referee" }]);
  const bo = await look("doors", "bo");
  const asks = (): HTMLElement | null => within(one(".more-pane")).queryByRole("button", { name: "Ask for a roll" });
  expect(asks()).toBeNull();
  for (let step = 0; step < 3; step += 1) await bo.next();
  expect(asks()).not.toBeNull();
  expect(inFeed("Bo is now: Referee")).toHaveLength(1);
});

test("a removed seat is told so in the place of the table, and the others by whom", async () => {
  const rosa = await look("doors", "rosa");
  await manage("Dee");
  await press("Remove the seat");
  expect(rosa.sent).toEqual([]);
  await press("Yes, remove");
  expect(rosa.sent).toMatchObject([{ do: "seat.remove", seat: "s3" }]);
  for (let step = 0; step < 4; step += 1) await rosa.next();
  expect(inFeed("Dee was removed by Rosa")).toHaveLength(1);
  const dee = await look("doors", "dee");
  for (let step = 0; step < 4; step += 1) await dee.next();
  expect(page().getByRole("heading", { name: "You were removed from the table" })).toBeTruthy();
  expect(all(".feed-item")).toEqual([]);
});

function isErased(): void {
  expect(inFeed("Robert")).toEqual([]);
  expect(inFeed("someone sits down")).toHaveLength(1);
  expect(said(".seats-strip")).not.toContain("Bo");
}
test("name and words of somebody who is erased are gone from every screen", async () => {
  const rosa = await look("erased", "rosa");
  await rosa.next();
  expect(inFeed("My real name is Robert.")).toHaveLength(1);
  await manage("Bo");
  await press("Erase name and words");
  expect(rosa.sent).toEqual([]);
  await press("Yes, erase for ever");
  expect(rosa.sent).toMatchObject([{ do: "person.erase", seat: "s2" }]);
  await rosa.next();
  expect(inFeed("Somebody's name and words were erased")).toHaveLength(1);
  isErased();
  const bo = await look("erased", "bo");
  for (let step = 0; step < 2; step += 1) await bo.next();
  isErased();
});

type Frame = { welcome?: { snapshot: object }; events?: { seq: number }[] };
type Told = Record<string, { frames: Frame[] }[]>;
test("what happens while the page reads a table anew is not lost", async () => {
  let told: Told = {};
  const keep = (all: unknown): unknown => (told = all as Told);
  const cy = await look("erased", "cy", { before: (looker) => looker.retell(keep) });
  const characters = (): string => said(".seats-strip");
  await cy.next();
  expect(characters()).toContain("Nix");
  const asked: ((answer: Response) => void)[] = [];
  const { answer } = cy;
  cy.answer = (ask, body) =>
    ask === "GET /tables/recordedtabl" ? new Promise((done) => asked.push(done)) : answer.call(cy, ask, body);
  await cy.next();
  await until(() => asked.length === 1);
  await cy.next();
  expect(characters()).toContain("Wire");
  const { snapshot } = told.cy![0]!.frames[0]!.welcome!;
  const head = told.cy![2]!.frames.flatMap(({ events = [] }) => events).at(-1)!.seq;
  asked[0]!(Response.json({ ...snapshot, head }));
  await cy.rest();
  expect(characters()).toContain("Wire");
});

test("whoever sits at a table that is deleted is told that they have left it", async () => {
  const bo = await look("deleted", "bo");
  await bo.next();
  expect(page().getByRole("heading", { name: "You have left the table" })).toBeTruthy();
  expect(all(".stage-pane")).toEqual([]);
});
