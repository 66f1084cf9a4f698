// The stream overlay lets in those who may only watch: it never shows more, and never sits down.
import { render } from "preact";
import { expect, test, vi } from "vitest";
import { all, page, settled } from "./dom";
import { everyWord, until } from "./table";

const TOKEN = "s".repeat(43);

async function overlay(fragment: string, seen: object, status = 200): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${address.replace(/^.*\/api\/v1/, "")}`);
    return Response.json(seen, { status });
  });
  vi.stubGlobal("WebSocket", class {});
  render(null, document.body);
  vi.resetModules();
  await everyWord();
  const { route } = await import("../src/app/routes");
  const { default: Overlay } = await import("../src/overlay");
  route.value = { path: "/overlay", token: fragment };
  render(<Overlay />, document.body);
  await settled();
  return asked;
}
const alert = (): string => page().getByRole("alert").textContent ?? "";

test.each([
  ["a seat", { you: { seat: "s2", role: "player" } }],
  ["the players' link", { door: { role: "player" } }],
  ["the referees' link", { door: { role: "referee" } }],
])("a link for more than watching is refused: %s", async (_, seen) => {
  const asked = await overlay(`abcdefgh2345.${TOKEN}`, seen);
  await until(() => all("[role=alert]").length === 1);
  expect(alert()).toContain("only the link for spectators");
  expect(asked).toEqual(["GET /tables/abcdefgh2345"]);
});

test("a link that leads to no table says so", async () => {
  await overlay(`abcdefgh2345.${TOKEN}`, { error: { code: "unauthorized", message: "No." } }, 401);
  await until(() => all("[role=alert]").length === 1);
  expect(alert()).toContain("no table");
  expect(await overlay("abcdefgh2345", {})).toEqual([]);
  await until(() => all("[role=alert]").length === 1);
});

test("who may only watch is let in, and asked nothing", async () => {
  await overlay(`abcdefgh2345.${TOKEN}`, { table: { game: "" }, seats: [] });
  await settled();
  expect(all("[role=alert]")).toEqual([]);
});
