// Coming to a table: the invitation, the door, the next step, and a crowd.
import { within } from "@testing-library/dom";
import { render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, PHONE, until } from "./table";

const [PLAYER, SPECTATOR, REFEREE] = ["p", "s", "r"].map((letter) => letter.repeat(43)) as [string, string, string];
/** What the browser of somebody who has made a table remembers of it. */
const LINKS = { tables: { recordedtabl: { links: { player: PLAYER, spectator: SPECTATOR, referee: REFEREE } } } };
const WHERE = "https://dice.example/";
const window_ = window as unknown as { happyDOM: { setURL: (address: string) => void } };
const invite = (): HTMLElement => page().getByRole("region", { name: "Bring your players" });
const words = (): string => document.body.textContent ?? "";
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}
const button = (name: string): HTMLElement => page().getByRole("button", { name });

afterEach(() => window_.happyDOM.setURL(WHERE));

test("an invitation names the table and has a code of its link, until somebody has come", async () => {
  const rosa = await look("alone", "rosa", { remembers: LINKS });
  await until(() => page().queryByRole("region", { name: "Bring your players" }) !== null);
  expect(invite().textContent).toContain("Rosa invites you to Sobieski's Ferry, Twilight: 2000");
  expect(within(invite()).getByRole("img", { name: /^QR code of the link to Sobieski's Ferry/ })).toBeTruthy();
  expect(within(invite()).queryByRole("note")).toBeNull();
  await rosa.next();
  expect(page().queryByRole("region", { name: "Bring your players" })).toBeNull();
});

test.each(["127.0.0.1:8000", "localhost"])(
  "a link that nobody else can open says so and what to do, and has no code: %s",
  async (host) => {
    window_.happyDOM.setURL(`http://${host}/`);
    await look("alone", "rosa", { remembers: LINKS });
    await until(() => page().queryByRole("region", { name: "Bring your players" }) !== null);
    const note = within(invite()).getByRole("note").textContent;
    expect(note).toContain("This link opens on this machine only");
    expect(note).toContain("rollwright serve --lan");
    expect(within(invite()).queryByRole("img", { name: /QR code/ })).toBeNull();
  },
);

test("the links stay a tap away for the referee, with the address of the stream overlay", async () => {
  await look("push", "rosa", { remembers: LINKS });
  await until(() => page().queryByRole("button", { name: "Bring your players" }) !== null);
  await tap(button("Bring your players"));
  await until(() => all("dialog").length === 1);
  const shown = (name: string): string => (page().getByRole("textbox", { name }) as HTMLInputElement).value;
  expect(shown("For players")).toBe(`${WHERE}t/recordedtabl#${PLAYER}`);
  expect(shown("Stream overlay")).toBe(`${WHERE}overlay#recordedtabl.${SPECTATOR}`);
  await look("push", "bo", { remembers: LINKS });
  expect(page().queryByRole("button", { name: "Bring your players" })).toBeNull();
});

test("a newcomer sees the next step: whom to be, how to roll though others have, then nothing", async () => {
  const cy = await look("latecomer", "cy");
  await until(() => all(".next-step .starter").length > 0);
  expect(one(".next-step").textContent).toContain("Who will you be?");
  await tap(all(".next-step .starter")[0]!);
  expect(cy.sent).toMatchObject([{ do: "sheet.create" }]);
  await cy.next();
  expect(one(".next-step").textContent).toContain("Ilse is ready. Your first roll:");
  await cy.next();
  expect(all(".next-step")).toEqual([]);
});

test("nobody is fetched back to the sheet they have just taken", async () => {
  const cy = await look("latecomer", "cy", { size: PHONE });
  await until(() => all(".next-step .starter").length > 0);
  await tap(all(".next-step .starter")[0]!);
  await tap(one(".tab-roll"));
  await cy.next();
  expect(words()).toContain("is ready");
  expect(one(".table-page").dataset.view).toBe("roll");
});

test("a crowd at the door is told to the referee, who lets others knock, closes the link, removes them", async () => {
  const rosa = await look("crowd", "rosa", { remembers: LINKS });
  expect(all(".crowd")).toEqual([]);
  await rosa.next();
  expect(one(".crowd").getAttribute("role")).toBe("status");
  expect(one(".crowd").textContent).toContain("11 people sat down");
  await tap(button("Newcomers must knock"));
  expect(rosa.sent.at(-1)).toEqual(expect.objectContaining({ do: "table.change", knock: true }));
  await tap(button("Close the players' link"));
  await until(() => rosa.sent.length === 2);
  expect(rosa.sent.at(-1)).toMatchObject({ do: "link.rotate", role: "player" });
  await rosa.next();
  await until(() => page().queryByRole("button", { name: "Close the players' link" }) === null);
  expect(page().queryByRole("button", { name: "Newcomers must knock" })).toBeNull();
  expect(one(".seats-strip").textContent).toContain("Stranger");
  await tap(button("Remove several"));
  await until(() => all("dialog").length === 1);
  await tap(button("Remove 11 seats"));
  for (let seat = 2; seat <= 12; seat += 1) {
    await until(() => rosa.sent.length === seat + 1);
    expect(rosa.sent.at(-1)).toMatchObject({ do: "seat.remove", seat: `s${seat}` });
    await rosa.settle();
  }
  await until(() => all("dialog").length === 0);
  await rosa.next();
  expect(one(".seats-strip").textContent).not.toContain("Stranger");
});

/** The door of a table, as a link leads there; the server tells of it what `seen` says. */
async function door(token: string, seen: object): Promise<void> {
  vi.stubGlobal("fetch", async (address: string) => {
    const path = address.replace(/^.*\/api\/v1/, "");
    if (path.startsWith("/tables/")) return Response.json(seen);
    if (path.startsWith("/games?"))
      return Response.json({ games: [{ name: "twilight2000", title: "Twilight: 2000", summary: "" }] });
    return Response.json(
      await Object.values(import.meta.glob("./recorded/games/twilight2000.en.json", { import: "default" }))[0]!(),
    );
  });
  const { default: TableEntry } = await import("../src/screens/TableEntry");
  render(null, document.body);
  render(<TableEntry table="abcdefgh2345" token={token} />, document.body);
}
const DOOR = { role: "player", title: "Sobieski's Ferry", game: "twilight2000", host: "Rosa" };
const OPEN = {
  table: { title: "Sobieski's Ferry", game: "twilight2000" },
  seats: [{ id: "s1", role: "referee", status: "here", name: "Rosa" }],
};

class SilentSocket {
  send(): void {}
  close(): void {}
}
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.stubGlobal("WebSocket", SilentSocket);
});

test.each([
  ["player", { door: DOOR }],
  ["spectator", OPEN],
])("whoever is invited sees by whom and to what, on the game's own felt: a %s", async (role, seen) => {
  await (await import("../src/app/settings")).applySettings();
  await door(PLAYER, seen);
  await until(() => document.documentElement.style.getPropertyValue("--felt") !== "" && words().includes("2000"));
  expect(page().getByRole("heading", { level: 1 }).textContent).toBe("Sobieski's Ferry");
  for (const told of ["Rosa invites you", "Twilight: 2000", "A table of Rollwright"]) expect(words()).toContain(told);
  expect(page().queryByRole("button", { name: "Just watch" }) !== null).toBe(role === "spectator");
  expect(button("Sit down")).toBeTruthy();
});

test("who watches is not asked again in the same tab; the link opened anew asks whether to sit down", async () => {
  await door(SPECTATOR, OPEN);
  await until(() => page().queryByRole("button", { name: "Just watch" }) !== null);
  await tap(button("Just watch"));
  await until(() => all("main.loading").length === 1);
  await door(SPECTATOR, OPEN);
  await until(() => all("main.loading").length === 1);
  await settled();
  expect(page().queryByRole("button", { name: "Just watch" })).toBeNull();
  sessionStorage.clear(); // as in another tab
  await door(SPECTATOR, OPEN);
  await until(() => page().queryByRole("button", { name: "Just watch" }) !== null);
  expect(button("Sit down")).toBeTruthy();
});
