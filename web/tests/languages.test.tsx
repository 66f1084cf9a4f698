// What the page says of languages: a game that does not speak the reader's, and what dice are called.
import { render } from "preact";
import { expect, test } from "vitest";
import { Dice } from "../src/dice";
import { Faces } from "../src/dice/Faces";
import { speak } from "../src/i18n";
import { all, nameOf, one, page, settled } from "./dom";
import { look } from "./table";

test.each([
  ["waiting", true],
  ["luck", false],
])(
  "a game that speaks no French says so in a line of French, and where the language is chosen: %s",
  async (story, said) => {
    await look(story, "bo", { language: "fr" });
    const head = one(".table-top").textContent!;
    expect(head).toContain("Séance 1");
    expect(head.includes("Jeu en anglais · ")).toBe(said);
    const { SettingsDialog } = await import("../src/app/SettingsDialog");
    render(<SettingsDialog onClose={() => undefined} />, document.body);
    await settled();
    const dialog = page().getByRole("dialog").textContent!;
    expect(dialog).toContain("Langue");
    expect(dialog.includes("n’est pas encore traduit : ses mots sont en anglais.")).toBe(said);
  },
);

test("dice are called as the reader calls them: under them, read out, and where faces are typed", async () => {
  await speak("de");
  const dice = { dice: ["d10", "d6"], faces: [7, 2] };
  render(<Dice {...(dice as unknown as Parameters<typeof Dice>[0])} />, document.body);
  await settled();
  expect(all(".die-name").map((each) => each.textContent)).toEqual(["W10", "W6"]);
  expect(nameOf(page().getAllByRole("img")[0]!)).toMatch(/^W10 zeigt 7/);
  const nothing = (): void => undefined;
  const pool = { pool: [[{ die: 10, name: "" }, 1]] };
  render(<Faces dice={["d10"]} pool={pool as never} round={1} onEnter={nothing} onVirtual={nothing} />, document.body);
  await settled();
  expect(one(".faces .chip").textContent).toBe("W10");
  expect(all(".face-buttons button")).toHaveLength(10);
  await speak("en");
});
