// The first page: a push with its odds that anybody can try, in the reader's language, and a way in by a link.
import { expect, test, vi } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { until, visit } from "./table";

const trial = (): HTMLElement => one(".trial");
const said = (): (string | null)[] => all(".trial-option", trial()).map(({ textContent }) => textContent);
const isReady = (risk: string): Promise<void> =>
  until(() => all(".trial-risk").some(({ textContent }) => textContent!.includes(risk)));

test("a push can be tried without a table, with what it is worth and what it risks", async () => {
  const ana = await visit("first_page", "/", "ana");
  await isReady("1 in 11");
  expect(page().getByRole("region", { name: "Try it:" })).toBe(trial());
  const [keep, push] = said();
  expect(keep).toMatch(/Keep.*0 %/);
  // Two D10 without a 6 or more push to 1 - 1/4 = 75 %; a jam is 1 in 11 (T2K R28, counted).
  expect(push).toMatch(/Push.*75 %/);
  expect(push).toContain("1 in 11");
  await user.click(all(".trial-option", trial())[1]!);
  await settled();
  expect(ana.questions.at(-1)).toMatchObject({ ask: "POST /roll", body: { number: 1 } });
});

test("in German it is a W10 that misses, and the page has its words", async () => {
  await visit("first_page_in_german", "/", "uwe", { language: "de" });
  await until(() => all(".trial-option").length === 2);
  expect(page().getByRole("heading", { level: 1 }).textContent).toBe("Zusammen würfeln. Die Chancen kennen.");
  expect(document.documentElement.lang).toBe("de");
  expect(trial().textContent).toContain("Bis jetzt.");
  expect(all(".die svg[role=img]", trial())[0]!.getAttribute("aria-label")).toContain("W");
});

test("a link that was sent as text leads to the table; what is no link is told so", async () => {
  await visit("first_page", "/", "ana");
  await until(() => all(".join-one").length === 1);
  const went = vi.spyOn(location, "assign").mockImplementation(() => undefined);
  const field = page().getByLabelText<HTMLInputElement>("Link to a table");
  const join = page().getByRole("button", { name: "Join" });
  await user.type(field, "ferry-otter-51");
  await settled();
  await user.click(join);
  await settled();
  expect(page().getByText(/^This is no link to a table/)).toBeTruthy();
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(went).not.toHaveBeenCalled();
  await user.clear(field);
  await user.type(field, ` https://elsewhere.example/t/abcdefgh2345#${"x".repeat(43)} `);
  await settled();
  await user.click(join);
  expect(went).toHaveBeenCalledWith(`/t/abcdefgh2345#${"x".repeat(43)}`);
});
