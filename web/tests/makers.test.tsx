// Who may open tables: the first page asks for what is needed, and remembers it.
import { fireEvent } from "@testing-library/dom";
import { render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { page, settled, user } from "./dom";
import { everyWord, until } from "./table";

const PHRASE = "open sesame, bitte";
/** What a server takes for it: the unpadded base64url of its SHA-256, as hashlib has it. */
const KEY = "6EIVT_gzAZuwbHXbQyo8UCfEwQkhh2xIoPtx_JjlDp0";
const GAMES = import.meta.glob("./recorded/games/twilight2000.en.json", { import: "default" });
const LIST = { games: [{ name: "twilight2000", title: "Twilight: 2000", summary: "War is over." }] };
/** With which keys somebody tried to open a table. */
let tried: (string | null)[];

/** The first page of a server that lets these people open tables. */
async function start(tables: string, { fragment = "", language = "en" } = {}): Promise<{ path: () => string }> {
  vi.stubGlobal("fetch", async (address: string, { method, headers, body }: RequestInit = {}) => {
    const path = address.replace(/^.*\/api\/v1/, "");
    if (method === "POST" && path === "/tables") {
      const key = (headers as Headers).get("Authorization")?.replace("Bearer ", "") ?? null;
      tried.push(key);
      const refusal = { error: { code: "unauthorized", message: "No." } };
      if (key !== KEY) return Response.json(refusal, { status: 401 });
      return Response.json({ table: "abcdefgh2345", seat: "s1", made: JSON.parse(String(body)).id });
    }
    if (path === "/") return Response.json({ tables });
    return Response.json(path.startsWith("/games?") ? LIST : await Object.values(GAMES)[0]!());
  });
  render(null, document.body);
  vi.resetModules();
  await everyWord(language);
  const [{ StartScreen }, { Live }, { route }] = await Promise.all([
    import("../src/screens/StartScreen"),
    import("../src/ui/announcer"),
    import("../src/app/routes"),
  ]);
  route.value = { path: "/", token: fragment };
  render(
    <>
      <StartScreen lost={false} />
      <Live />
    </>,
    document.body,
  );
  await settled();
  return { path: () => `${route.value.path}#${route.value.token}` };
}
const opens = (): HTMLElement => page().getByRole("button", { name: "Open the table" });
const phrase = (): HTMLInputElement => page().getByLabelText("Passphrase");
const sees = (text: string): Promise<void> => until(() => document.body.textContent!.includes(text));
async function say(element: HTMLElement, text: string): Promise<void> {
  fireEvent.input(element, { target: { value: text } });
  await settled();
}

beforeEach(() => {
  localStorage.clear();
  tried = [];
});

test("a passphrase is asked for until it is right, and then remembered as a key", async () => {
  const first = await start("passphrase");
  await until(() => page().queryByLabelText("Passphrase") !== null);
  await say(page().getByLabelText("Your name"), "Ana");
  await user.click(opens());
  await sees("Please say the passphrase");
  await until(() => document.activeElement === phrase());
  expect(tried).toEqual([]);
  await say(phrase(), "something else");
  await user.click(opens());
  await sees("This is not the passphrase of this server.");
  expect(phrase().getAttribute("aria-invalid")).toBe("true");
  await say(phrase(), ` ${PHRASE} `);
  await user.click(opens());
  await until(() => first.path() === "/t/abcdefgh2345#");
  expect(tried.at(-1)).toBe(KEY);
  expect(JSON.stringify(localStorage)).not.toContain(PHRASE);
  const second = await start("passphrase");
  await sees("This device remembers the passphrase.");
  expect(page().queryByLabelText("Passphrase")).toBeNull();
  await say(page().getByLabelText("Your name"), "Ana");
  await user.click(opens());
  await until(() => second.path() === "/t/abcdefgh2345#");
  expect(tried.at(-1)).toBe(KEY);
});

test.each([
  ["en", "Only the host opens tables here", "Open the table"],
  ["de", "Tische eröffnet hier nur, wer den Server betreibt", "Tisch eröffnen"],
])("where only the host opens tables strangers read why there is no form: %s", async (language, why, button) => {
  await start("host", { language });
  await until(() => page().queryByRole("heading", { name: why }) !== null);
  expect(page().queryByRole("button", { name: button })).toBeNull();
});

test("the host's link brings the form; its key is kept, and does not stay in the address", async () => {
  const host = await start("host", { fragment: KEY });
  await until(() => page().queryByRole("button", { name: "Open the table" }) !== null);
  expect(host.path()).toBe("/#");
  await say(page().getByLabelText("Your name"), "Ana");
  await user.click(opens());
  await until(() => host.path() === "/t/abcdefgh2345#");
  expect(tried).toEqual([KEY]);
});

test("a key of the host that is good no more is given up, and that is said", async () => {
  await start("host", { fragment: "x".repeat(43) });
  await until(() => page().queryByRole("button", { name: "Open the table" }) !== null);
  await say(page().getByLabelText("Your name"), "Ana");
  await user.click(opens());
  await until(() => page().queryByRole("alert") !== null);
  expect(page().getByRole("alert").textContent).toContain("good no more");
});
