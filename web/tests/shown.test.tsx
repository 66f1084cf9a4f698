// What is taken out of the page: the evening, the statistics, rolls and files; and how somebody's dice look to all.
import { within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, until, type Looker } from "./table";

const SECRET = /Traitor|ambush|recon|private/i;
const dialog = () => within(one("dialog"));
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
/** What the page puts into the clipboard from now on. */
function clipboard(): string[] {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation((text) => Promise.resolve(void copied.push(text)));
  return copied;
}
/** What the page asks the server for from now on as a file, and what it saves it as. */
function files(looker: Looker, text: string): { asked: string[]; saved: string[] } {
  const asked: string[] = [];
  const saved: string[] = [];
  const { answer } = looker;
  looker.answer = (ask, body) =>
    /\.(md|csv|json|svg)|\/text$/.test(ask)
      ? Promise.resolve(new Response(text)).finally(() => asked.push(ask.replace("/tables/recordedtabl", "")))
      : answer.call(looker, ask, body);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  return { asked, saved };
}
async function beside(name: string): Promise<void> {
  await tap(within(one(".more-pane .menu-list")).getByRole("button", { name }));
  await until(() => all("dialog").length === 1);
}

/** Calls that were refused are signed, and nobody signs in a recording. */
const refusing = (looker: Looker): void =>
  looker.change("GET /tables/recordedtabl/recap?session=1", ({ given_up }) =>
    Object.assign((given_up as object[])[0]!, { refused: 1 }),
  );

test("the text of an evening is the same whoever copies it, and names nobody who is hidden", async () => {
  const copied = clipboard();
  for (const who of ["rosa", "bo", "eve"]) {
    const looker = await look("shared_evening", who, { before: refusing });
    await looker.next();
    const stage = within(one(".stage-pane"));
    await until(() => stage.queryByRole("button", { name: /^Look back/ }) !== null);
    await tap(stage.getByRole("button", { name: /^Look back/ }));
    await until(() => all("dialog .recap").length === 1);
    expect(dialog().getByText(/2 rolls, 4 dice, 2 rolls given up/)).toBeTruthy();
    const gone = dialog().getByRole("region", { name: "Given up and rolled again" });
    expect(gone.textContent).toContain("Karl Brandt 2 rolls given up, 1 after the dice were seen · 1 call refused");
    expect(one("dialog").textContent).not.toMatch(SECRET);
    await tap(dialog().getByRole("button", { name: "Share the evening" }));
    expect(all(".toast").map((toast) => toast.textContent)).toContain("The evening is copied as text.");
  }
  expect(copied[0]).not.toMatch(SECRET);
  expect(copied[0]).toContain("Against the odds: Rosa, Skill roll.");
  expect(copied[0]).toContain("Karl Brandt: 2 rolls given up, 1 after the dice were seen · 1 call refused");
  expect(copied).toEqual([copied[0], copied[0], copied[0]]);
});

test.each([
  ["History to read", "GET /history.md", "rollwright-recordedtabl-history.md"],
  ["History to calculate with", "GET /history.csv", "rollwright-recordedtabl-history.csv"],
  ["Log for others to verify", "GET /log.json?for=everybody", "rollwright-recordedtabl-log.json"],
  ["Log, to verify or move", "GET /log.json", "rollwright-recordedtabl-s1-log.json"],
  ["What you saw, to read", "GET /history.md?for=me", "rollwright-recordedtabl-s1-history.md"],
  ["What you saw, to calculate with", "GET /history.csv?for=me", "rollwright-recordedtabl-s1-history.csv"],
])("a file is everybody's, or one's own and says so: %s", async (name, ask, file) => {
  const { asked, saved } = files(await look("shared_evening", "rosa"), "text");
  await beside("Export and delete");
  await tap(dialog().getByRole("button", { name: new RegExp(`^${name}`) }));
  await until(() => saved.length === 1);
  expect([asked, saved]).toEqual([[ask], [file]]);
});

test("the statistics say what was given up, and whose view it is", async () => {
  const bo = await look("shared_evening", "bo");
  await bo.next();
  await bo.next();
  await beside("Are my dice bad?");
  await until(() => all("dialog .seen-table").length > 0);
  expect(dialog().getByText("2 rolls given up, 1 after the dice were seen")).toBeTruthy();
  expect(dialog().getAllByRole("heading", { name: /^Real d10, thrown \d+ times?$/ })).toHaveLength(1);
  expect(dialog().getByText(/^As you see it, secret rolls of which you know included\./)).toBeTruthy();
});

const SHARED = ["Copy as text", "Share, with odds and a link", "Save as a picture"];
/** What the menu of the roll on the stage offers. */
async function offered(): Promise<(string | null)[]> {
  await tap(within(one(".stage-pane")).getByRole("button", { name: "More about this roll" }));
  await until(() => all("[role=menuitem]").length > 0);
  return all("[role=menuitem]").map((item) => item.textContent);
}

test("a secret roll is not offered to be shared before it is revealed", async () => {
  const rosa = await look("secret", "rosa");
  const found = await offered();
  expect(found).toContain("Reveal to all");
  expect(found.filter((name) => SHARED.includes(name!))).toEqual([]);
  await tap(page().getByRole("menuitem", { name: "Reveal to all" }));
  expect(rosa.sent).toMatchObject([{ do: "roll.reveal", roll: "r1" }]);
});

test("an open roll is shared in the server's words, or as its picture", async () => {
  const copied = clipboard();
  const bo = await look("push", "bo");
  await bo.next();
  const { asked, saved } = files(bo, "Bo: Attack\n");
  expect(await offered()).toEqual(expect.arrayContaining(SHARED.slice(1)));
  await tap(page().getByRole("menuitem", { name: "Share, with odds and a link" }));
  await until(() => copied.length === 1);
  expect(copied).toEqual(["Bo: Attack\n"]);
  await offered();
  await tap(page().getByRole("menuitem", { name: "Save as a picture" }));
  await until(() => saved.length === 1);
  expect(asked).toEqual(["GET /rolls/r1/text", "GET /rolls/r1/picture.svg"]);
});

/** What lies over a stream, sign by sign, once a roll is in it. */
async function streamed(story: string): Promise<string> {
  history.replaceState(null, "", `/overlay?stay=3600#recordedtabl.${"r".repeat(43)}`);
  const admit = (looker: Looker): void => {
    const { answer } = looker;
    looker.answer = (ask, body) =>
      ask === "GET /tables/recordedtabl" ? Promise.resolve(Response.json({})) : answer.call(looker, ask, body);
  };
  const Overlay = async () => (await import("../src/overlay")).default;
  const looker = await look(story, "eve", { before: admit, screen: Overlay });
  expect(all(".overlay .roll-card")).toEqual([]);
  await looker.next();
  await until(() => all(".overlay .odds-line").length === 1);
  expect(one(".overlay .outcome").textContent).toContain("Success");
  const before = one(".overlay").outerHTML;
  if (story === "streamed_among_secrets") await looker.next();
  expect(one(".overlay").outerHTML).toBe(before);
  history.replaceState(null, "", "/");
  return before;
}

test("the overlay is the same whatever is rolled in secret", async () => {
  expect(await streamed("streamed_among_secrets")).toBe(await streamed("streamed"));
});

test("a secret choice is offered to the roller and the referee alone", async () => {
  for (const who of ["rosa", "bo"]) {
    const looker = await look("secret_choice", who);
    await looker.next();
    await until(() => all(".stage-pane .option").length > 0);
  }
  let heard = "";
  const keep = (told: unknown): unknown => (heard = JSON.stringify((told as Record<string, unknown[]>).cy![1])) && told;
  const cy = await look("secret_choice", "cy", { before: (looker) => looker.retell(keep) });
  await cy.next();
  expect(one(".stage-pane .veiled").textContent).toContain("Bo rolls in secret");
  expect(all(".decision, .option")).toEqual([]);
  for (const secret of ['"options"', '"faces"', '"outcome"', "avoid"]) expect(heard).not.toContain(secret);
});

const worn = (place: string): string | undefined => one(`${place} .dice`).dataset.worn;
test("everybody sees the dice, the symbol and the colour that somebody chose, at once and later", async () => {
  const rosa = await look("styled", "rosa");
  expect(worn(".stage-pane .roll-card")).toBe("glass");
  const bo = all(".seats-strip .seat").find((seat) => seat.textContent!.includes("Bo"))!;
  expect(all(".avatar svg", bo)).toHaveLength(1);
  await rosa.next();
  expect(worn(".stage-pane .roll-card")).toBe("own");
});

test("two choices in one moment are both kept: the second adds to the first before it has come back", async () => {
  const bo = await look("styled", "bo");
  await tap(within(one(".people.seats")).getByRole("button", { name: "What can be done with Bo's seat" }));
  await until(() => all("dialog .look").length === 1);
  const radio = (name: string): HTMLInputElement => dialog().getByRole("radio", { name });
  radio("star").click();
  radio("in my colour").click();
  await settled();
  expect([radio("violet"), radio("star"), radio("in my colour")].map(({ checked }) => checked)).toEqual([
    true,
    true,
    true,
  ]);
  expect(worn("dialog")).toBe("own");
  expect(bo.sent.at(-1)).toMatchObject({ do: "seat.style", seat: "s2", colour: "violet", symbol: "star", dice: "own" });
});

test("who is to see a roll is said before it is made, and whether others hear of it at all", async () => {
  const rosa = await look("characters", "rosa");
  const pane = within(one(".roll-pane"));
  await until(() => all(".roll-pane .dock .chance strong").some(({ textContent }) => /%/.test(textContent!)));
  const tick = (role: "radio" | "checkbox", name: RegExp): Promise<void> =>
    tap(pane.getByRole(role, { name, hidden: true }));
  await tick("radio", /^Private/);
  await tick("checkbox", /^Others see that/);
  await tick("checkbox", /^My own dice/);
  await user.type(pane.getByLabelText("Why"), "an arras");
  await settled();
  await tap(pane.getByRole("button", { name: /^Enter faces/ }));
  const how = { visibility: "private", announce: false, physical: true, note: "an arras" };
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.start", ...how });
});
