// The stage: the current roll in the middle, what has settled in lines beside it.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, descriptionOf, nameOf, one, page, settled, user } from "./dom";
import { look, until, type Looker } from "./table";

const staged = (): HTMLElement => one(".stage-pane .roll-card");
const text = (selector: string, place: ParentNode = staged()): string => one(selector, place).textContent ?? "";
const texts = (selector: string, place: ParentNode = staged()): string[] =>
  all(selector, place).map((part) => part.textContent ?? "");
/** A way to go on, with what it is worth. */
const option = (said: string): HTMLElement => {
  const [found, ...more] = all(".option", staged()).filter((each) => text(".option-said", each).startsWith(said));
  if (!found || more.length) throw new Error(`${said} is not one of ${texts(".option-said").join(", ")}`);
  return found;
};
const worths = (many: number): Promise<void> => until(() => all(".option-worth", staged()).length === many);
async function tap(element: HTMLElement): Promise<void> {
  await user.click(element);
  await settled();
}

test("somebody else's open choice stays a tap away while others roll", async () => {
  const rosa = await look("waiting", "rosa");
  await rosa.next();
  expect(staged().textContent).toContain("Novak");
  expect(staged().textContent).toContain("played by Bo");
  expect(one(".seat[data-turn]").textContent).toContain("Bo decides");
  await rosa.next();
  expect(staged().textContent).toContain("3d1");
  const strip = one(".stage-pane .waiting-strip");
  expect(strip.textContent).toContain("Bo has to choose: Keep or push?");
  await tap(strip.matches("button") ? strip : one("button", strip));
  expect(staged().textContent).toContain("Novak");
  await rosa.next();
  expect(text(".outcome")).toContain("Miss");
});

test("what has settled is a line of the feed", async () => {
  const bo = await look("waiting", "bo");
  for (let step = 0; step < 3; step += 1) await bo.next();
  const lines = (): string[] => texts(".feed-item.is-roll .feed-line", document);
  await until(() => lines().length === 2);
  expect(lines().some((line) => line.includes("Novak") && line.includes("Miss"))).toBe(true);
});

test("a burst of edits by one person on one sheet is one line, which opens into each of them", async () => {
  const rosa = await look("edits", "rosa");
  await rosa.next();
  const items = (said: string): HTMLElement[] => all(".feed-item").filter((each) => each.textContent!.includes(said));
  await until(() => items("Bo changed Novak: 4 edits").length === 1);
  expect(items("Rosa changed the sheet of Novak")[0]!.textContent).toContain("Stress 4 → 0");
  expect(items("Bo changed")).toHaveLength(1);
  await tap(one(".feed-line", items("Bo changed")[0]));
  const inside = texts(".line", items("Bo changed")[0]);
  expect(inside).toHaveLength(4);
  expect(inside[3]).toContain("Stress 3 → 4");
});

test("of two options that are both certain none is best, and it is said that it does not matter", async () => {
  await look("certain_either_way", "bo");
  await until(() => option("Keep").textContent!.includes("100 %"));
  expect(text(".standing")).toBe("16 against DC 15: success");
  expect(option("Keep").textContent).toContain("100 %");
  expect(option("Re-roll lower").textContent).toContain("100 %");
  expect(text(".why")).toContain("it does not matter");
  expect(within(staged()).queryByText("best")).toBeNull();
});

test("a die that is not used says so and nothing else", async () => {
  await look("discarded", "bo");
  const [used, unused] = all(".die", staged());
  expect(text(".die-tag", used)).toBe("counts");
  expect(text(".die-tag", unused)).toBe("discarded");
  expect(unused!.dataset.tone).toBe("plain");
  expect(nameOf(one("svg[role=img]", unused))).toBe("d20 shows 1, does not count");
});

test("a push shows its risk, its price in a person's words, and what becomes of each die", async () => {
  await look("jam", "bo");
  await worths(2);
  expect(text(".risk", option("Push"))).toMatch(/^1 in \d+ jams$/);
  expect(all(".bar .bar-risk", option("Push"))).toHaveLength(1);
  expect(all(".bar .bar-risk", option("Keep"))).toHaveLength(0);
  expect(text(".safe", option("Keep"))).toBe("cannot jam");
  expect(text(".option-costs", option("Push"))).toMatch(/about .* of reliability/);
  expect(option("Keep").textContent).not.toContain("reliability");
  const tags = texts(".die-tag");
  expect(new Set(tags)).toEqual(new Set(["re-rolls", "stays"]));
  expect(all(".die", staged())).toHaveLength(tags.length);
});

test("a jam can be cleared from the stage by whoever fired, until it is done", async () => {
  const clear = (): HTMLElement | null => within(staged()).queryByRole("button", { name: "Clear a jam: AK" });
  const bo = await look("jam", "bo");
  await bo.next();
  await until(() => clear() !== null);
  await bo.next();
  expect(clear()).toBeNull();
});

test("what follows from a roll waits for the game's own words, whichever comes first", async () => {
  let tell: (known?: unknown) => void = () => undefined;
  const told = new Promise((done) => (tell = done));
  const before = (looker: Looker): void => {
    const answer = looker.answer.bind(looker);
    looker.answer = (ask, body) =>
      ask.startsWith("GET /games/") ? told.then(() => answer(ask, body)) : answer(ask, body);
  };
  const bo = await look("jam", "bo", { before });
  await bo.next();
  await until(() => all(".outcome", staged()).length === 1);
  expect(all(".onward", staged())).toEqual([]);
  tell();
  await until(() => within(staged()).queryByRole("button", { name: "Clear a jam: AK" }) !== null);
});

test("to everybody else it is told, and nothing to be done", async () => {
  const rosa = await look("jam", "rosa");
  await rosa.next();
  await until(() => all(".outcome", staged()).length === 1);
  expect(text(".outcome").toLowerCase()).toContain("jammed");
  expect(all(".onward", staged())).toEqual([]);
});

test("a choice says where one stands: result, level and grade", async () => {
  await look("short_of_hard", "bo");
  expect(text(".standing")).toBe("17 against Hard 20: Fade");
});

test("a sum is written out under the dice, with Luck once it is spent", async () => {
  const bo = await look("added_up", "bo");
  expect(texts(".added .added-term")).toEqual(["4 + 9", "Presence +3", "skill +2"]);
  expect(text(".added b")).toBe("= 18");
  await bo.next();
  expect(texts(".added .added-term").at(-1)).toBe("luck +2");
  expect(text(".added b")).toBe("= 20");
});

test("the roller is named once beside the dice; the title names the other side alone", async () => {
  await look("opposing", "bo");
  expect(text(".roll-title")).toBe("Opposing roll against Mara");
  expect(text(".roll-who")).toBe("Jax");
  expect(texts(".tray-whose")).toEqual(["Jax", "Mara"]);
});

test("only rolls of the game carry its signs: plain dice are plain at any table", async () => {
  const rosa = await look("opposing", "rosa");
  expect(text(".outcome")).toContain("Jax wins");
  expect(all(".die[data-tone=good]", staged())).toHaveLength(2);
  await rosa.next();
  expect(text(".outcome")).toBe("9");
  expect(one(".die", staged()).dataset.tone).toBe("plain");
});

test("a task that is done says what was gathered and needed, and what that changed on the sheet", async () => {
  await look("task_done", "bo");
  expect(text(".outcome-more")).toBe("7 gathered, 4 needed");
  expect(text(".changes")).toContain("Successes gathered 0 → 7");
  expect(staged().textContent).not.toContain("before");
});

test("a task that asks about Adrenaline says how far it has come, with or without a limit", async () => {
  const bo = await look("task_begun", "bo");
  expect(text(".standing")).toBe("0 of 14 · 6 turns left · 2 Adrenaline");
  await bo.next();
  expect(text(".standing")).toBe("0 of 14 · 2 Adrenaline");
  expect(all(".option", staged())).not.toEqual([]);
  expect(staged().textContent).not.toContain("option.");
});

test("bullets are dealt out on the targets: each is a box that takes them, and all must be given", async () => {
  const bo = await look("bullets", "bo");
  const deal = page().getByRole("group", { name: "Deal them out" });
  const button = (name: string): HTMLElement => within(deal).getByRole("button", { name: new RegExp(`${name}$`) });
  expect(all(".place", deal)).toHaveLength(3);
  expect(all(".option", staged()).length).toBeLessThanOrEqual(1);
  expect(within(deal).getByRole("status").textContent).toBe("2 left to give");
  await tap(button("Driver: one more"));
  await tap(button("Driver: one more"));
  await tap(button("Done"));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1" });
  await bo.next();
  expect(page().queryByRole("group", { name: "Deal them out" })).toBeNull();
});

test("bullets without a target are told: what they are for, and that they were thrown", async () => {
  await look("bullets_for_nobody", "bo");
  expect(text(".outcome")).toContain("2 bullets to spend: each 1 more damage");
  expect(text(".told")).toContain("2 ammo sixes");
});

test("what is certain is said and not counted: no option has a bar or 0 %", async () => {
  await look("glitch", "bo");
  await until(() => option("Keep the Luck").textContent!.includes("Glitch, for certain"));
  expect(option("Spend Luck: +2").textContent).toContain("Fade, for certain");
  expect(option("Spend Luck: +2").textContent).toContain("13 becomes 15");
  for (const gone of [".bar", ".option-leads"]) expect(all(`.option ${gone}`)).toEqual([]);
  expect(texts(".option").join()).not.toContain("%");
  expect(text(".why")).toBe("Nothing here makes it “a Success or better”: what differs is the rest.");
});

test("what an option leads to has a sign where it is an end", async () => {
  await look("glitch", "bo");
  await until(() => all(".option-sure", staged()).length === 2 || all(".option-sure", staged()).length === 3);
  expect(one(".option-sure", option("Keep the Luck")).dataset.tone).toBe("bad");
  expect(all(".option-sure svg", option("Spend Luck: +2"))).toHaveLength(1);
});

test("and none where it is a state: Adrenaline afterwards", async () => {
  await look("doubles", "bo");
  await until(() => all(".option-sure", staged()).length === 2);
  expect(option("Take the point").textContent).toContain("3 Adrenaline afterwards");
  expect(all(".option-sure svg", staged())).toEqual([]);
  expect(texts(".option-sure").join()).not.toContain("certain");
});

test("the reason has the digits of the choice: 75 % on the card is 75 % in the sentence", async () => {
  await look("push", "bo");
  await worths(2);
  expect(option("Push").textContent).toContain("75 % to succeed");
  await tap(within(staged()).getByText("Why?"));
  expect(text(".reasons .why")).toContain("75 % against 0 % with keep");
  expect(text(".reasons .why")).toContain("about half a point of reliability");
});

test("a location die says where it hits, and is no success", async () => {
  const bo = await look("strike", "bo");
  await bo.next();
  await bo.next();
  const dice = all(".tray-throw", staged()).at(-1)!;
  expect(texts(".die .die-says", dice)).toEqual(["head", "torso"]);
  expect(all(".die", dice).map((die) => die.dataset.tone)).toEqual(["plain", "plain"]);
  expect(all("svg[role=img]", dice).map(nameOf)).toEqual([
    "where it hits Ilse for 5 shows 6, head",
    "where it hits Guard for 2 shows 3, torso",
  ]);
});

test("who is shot at is named before, while bullets are given out, and at the end", async () => {
  const bo = await look("strike", "bo");
  expect(text(".roll-title")).toContain("at Ilse");
  await bo.next();
  expect(all(".place", page().getByRole("group", { name: "Deal them out" }))[0]!.textContent).toContain(
    "First hit, Ilse",
  );
  expect(text(".roll-title")).toContain("at Ilse");
  await bo.next();
  expect(text(".outcome")).toContain("Hit");
  expect(text(".roll-title")).toContain("at Ilse");
});

test("whoever has a sheet is told how to roll until somebody has rolled", async () => {
  const cy = await look("newcomers", "cy");
  await until(
    () => page().queryByText("Ilse is ready") !== null || document.body.textContent!.includes("Ilse is ready"),
  );
  await cy.next();
  await cy.next();
  expect(staged().textContent).toContain("Novak");
  expect(document.body.textContent).not.toContain("Ilse is ready");
});

test("a spectator sees what is asked of somebody, and is not told to roll", async () => {
  const eve = await look("newcomers", "eve");
  expect(text(".stage-empty", document)).toBe("Nothing has happened yet.");
  await eve.next();
  expect(text(".stage-pane .asks", document)).toContain("Rosa asks Sgt. Novak for: Skill");
  expect(all(".stage-pane .asks button")).toEqual([]);
  await eve.next();
  expect(all(".stage-pane .asks")).toEqual([]);
  expect(staged()).toBeTruthy();
});

const SHAPES: [string, string][] = [
  ["luck", ".ladder"],
  ["group", ".member"],
  ["bullets", ".place"],
  ["reroll", ".option"],
];
test.each(SHAPES)("a choice with a shape has it for those who watch, who cannot press: %s", async (story, drawn) => {
  await look(story, "bo");
  await until(() => all(drawn, staged()).length > 0);
  const mine = texts(drawn).length;
  await look(story, "eve");
  await until(() => all(drawn, staged()).length === mine);
  expect(all(".decision .skeleton", staged())).toEqual([]);
  expect(all(".decision button", staged())).toEqual([]);
});

test("everybody sees the options with their chances, where the roll stands, and whose call it is", async () => {
  const parts = [".standing", ".option-said", ".option-worth", ".option-costs"];
  await look("push", "bo");
  await worths(2);
  const mine = parts.map((part) => texts(part));
  await look("push", "eve");
  await worths(2);
  expect(parts.map((part) => texts(part))).toEqual(mine);
  expect(mine.every((said) => said.length > 0)).toBe(true);
  expect(staged().textContent).toContain("Waiting for Bo: Keep or push?");
  expect(text(".seats-strip [data-turn]", document)).toContain("Bo decides");
  expect(all(".decision button", staged())).toEqual([]);
});

test("one tap makes buttons of what the referee saw anyway", async () => {
  const rosa = await look("push", "rosa");
  await worths(2);
  expect(within(staged()).queryByRole("button", { name: /^Keep/ })).toBeNull();
  await tap(within(staged()).getByRole("button", { name: "Choose for them" }));
  await tap(within(staged()).getByRole("button", { name: /^Keep/ }));
  expect(rosa.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1" });
  await rosa.next();
  expect(text(".outcome")).toContain("Miss");
});

/** The advice on a push, in which one option is better by a hair. */
function nearly(looker: Looker, gains: boolean): void {
  looker.change("POST /tables/recordedtabl/rolls/r1/advice", (answer) => {
    const [first, second] = answer.options as Record<string, Record<string, unknown>>[];
    Object.assign(first!.value!, { number: 0.9996, said: "> 99.9 %", exact: "2499/2500" });
    Object.assign(second!.value!, { number: 0.9989, said: "99.9 %", exact: "9989/10000" });
    Object.assign(first!, { best: true, gains });
    Object.assign(second!, { best: false, gains: false });
    answer.matters = true;
  });
}
test.each([false, true])("a hair is no star where the server says that nothing is gained: gains %s", async (gains) => {
  await look("push", "bo", { before: (looker) => nearly(looker, gains) });
  await worths(2);
  expect(all(".option.best", staged())).toHaveLength(Number(gains));
  const near = "it hardly matters: nothing is more than a hair better";
  expect(staged().textContent!.includes(near)).toBe(!gains);
});

test("a choice that cannot be listed says so: a server that has the rules no more", async () => {
  const unlisted = (part: unknown): unknown =>
    Array.isArray(part)
      ? part.map(unlisted)
      : part && typeof part === "object"
        ? Object.fromEntries(
            Object.entries(part).map(([name, held]) => [
              name,
              name === "offers" && !Array.isArray(held) ? { options: [], why: ["choice.unlisted"] } : unlisted(held),
            ]),
          )
        : part;
  const gone = (looker: Looker): void => (looker.retell(unlisted), looker.forget("/advice"));
  await look("push", "bo", { before: gone });
  await until(() => staged().textContent!.includes("What may be chosen cannot be listed"));
  expect(all(".options button", staged())).toEqual([]);
});

test("what a secret roll does waits until it is wanted", async () => {
  const bo = await look("secret", "bo");
  expect(staged().textContent).toContain("On the sheet when the roll is shown");
  await tap(within(staged()).getByRole("button", { name: "Put on the sheet now" }));
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.apply", roll: "r1" });
  await bo.next();
  expect(staged().textContent).not.toContain("On the sheet when the roll is shown");
  expect(text(".changes")).toContain("Rounds 30 →");
});

test("of a secret roll others see that there is one, and nothing of it", async () => {
  for (const who of ["rosa", "eve"]) {
    await look("secret", who);
    if (who === "rosa") continue;
    expect(one(".stage-pane .veiled").textContent).toContain("rolls in secret");
    expect(all(".decision")).toEqual([]);
    expect(document.body.textContent).not.toContain("Miss");
  }
});

test("options that leave something else behind are not called alike", async () => {
  await look("doubles_of_a_failure", "bo");
  await until(() => all(".stage-pane .why").length === 1);
  expect(text(".why")).toBe("Nothing here makes it “to succeed”: what differs is the rest.");
});

test("Luck is seen on a ladder: where one stands, where each way leads, and what is reached", async () => {
  await look("added_up", "bo"); // 18 against Hard 20, and Luck that makes it 20 (GHOST R8, R20)
  const ladder = one(".ladder", staged());
  expect(texts(".ladder-at", ladder)).toEqual(["18", "20"]);
  expect(texts(".rung", ladder)).toEqual(["Easy8", "Moderate14", "Hard20", "Severe26"]);
  expect(nameOf(ladder)).toMatch(/18 now \(Moderate\)/);
  expect(texts("[data-reached]", ladder)).toEqual(["20"]);
});

test("a Group Test shows who can help and who needs it, with the button beside whom it helps", async () => {
  const bo = await look("group", "bo");
  const helps = page().getByRole("region", { name: "Can help" });
  const needs = page().getByRole("region", { name: "Needs help" });
  expect(texts(".member", helps)[0]).toContain("Alice");
  expect(texts(".member", helps)[0]).toContain("11");
  expect(texts(".member", helps)[0]).toContain("2 left to give");
  expect(texts(".member strong", needs)).toContain("Bodkin");
  expect(texts(".member-score", needs)).toContain("3");
  await tap(within(needs).getAllByRole("button", { name: /Give/ })[0]!);
  expect(bo.sent.at(-1)).toMatchObject({ do: "roll.choose", roll: "r1" });
});

test("bullets are dealt out by what each place is worth", async () => {
  await look("bullets", "bo"); // another hit does the weapon's damage, one more on the first hit only 1 (T2K R23)
  const dealt = one(".assign", staged());
  const worth = (): string => text(".assign-worth", dealt);
  const more = (name: string): Promise<void> =>
    tap(within(dealt).getByRole("button", { name: new RegExp(`${name}$`) }));
  await until(() => all(".place-worth", dealt).length === 3);
  expect(worth()).toContain("The best way is worth");
  expect(all(".place-worth[data-best]", dealt)).toHaveLength(2);
  await more("First hit, Guard: harder: one more");
  await more("First hit, Guard: harder: one more");
  expect(worth()).toContain("As it lies:");
  expect(worth()).toContain("The best way is worth");
  await more("Start over");
  await more("Guard: one more");
  await more("Driver: one more");
  expect(worth()).toContain("Nothing is better.");
});

test("each bullet is worth what stands beside its button", async () => {
  // A hit with 5 damage and four bullets: four hits more with base damage 3 are 5 + 4 * 3 = 17, and each bullet that
  // raises a hit by 1 instead costs 2 of that (T2K R23).
  await look("four_bullets", "bo");
  const dealt = one(".assign", staged());
  const button = (name: string): HTMLElement => within(dealt).getByRole("button", { name });
  const promised = (name: string): string => /(\d+) damage/.exec(descriptionOf(button(name)))![1]!;
  const on = "A hit, Driver: one more";
  const another = "Another: A hit, Driver";
  const harder = "First hit, Guard: harder: one more";
  await until(() => all(".place-worth", dealt).length > 0);
  expect([promised(on), promised(harder)]).toEqual(["17", "15"]);
  await tap(button(on));
  expect([promised(on), promised(another)]).toEqual(["15", "17"]);
  expect(texts(".place-worth[data-best]", dealt).join()).not.toContain("15");
  await tap(button(on));
  expect(text(".assign-worth", dealt)).toContain("From here at best: 15 damage");
  await tap(button(harder));
  await tap(button(harder));
  expect(text(".assign-worth", dealt)).toContain("As it lies: 11 damage");
  expect(within(dealt).queryByRole("button", { name: /^Another: First hit/ })).toBeNull();
});

test("a choice without a shape of its own has its options, and a game that shares nothing no such part", async () => {
  await look("push", "bo");
  await worths(2);
  expect(option("Push")).toBeTruthy();
  expect(all(".ladder, .party, .assign")).toEqual([]);
  expect(page().queryByRole("region", { name: "Everybody" })).toBeNull();
});
