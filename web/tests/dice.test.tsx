// Dice on the page: what they are called, how they are drawn, and that nothing moves unasked.
import { render } from "preact";
import { afterEach, expect, test } from "vitest";
import { Dice } from "../src/dice";
import { all, nameOf, one, page, settled, user } from "./dom";
import { look, until, visit } from "./table";

const labels = (): string[] => all(".stage-pane .die svg[role=img]").map(nameOf);
const stillness = (window as unknown as { happyDOM: { settings: { device: { prefersReducedMotion: string } } } })
  .happyDOM.settings.device;
afterEach(() => {
  delete document.documentElement.dataset.motion;
  stillness.prefersReducedMotion = "no-preference";
});

test("a screen reader hears die, face and meaning", async () => {
  await look("ammo", "rosa");
  expect(labels()).toEqual([
    "d8 shows 6, success",
    "d12 shows 12, two successes",
    "ammo die shows 1, explosion: wears the weapon after a push",
    "ammo die shows 6, bullet: more damage or another hit",
  ]);
});

test("after a push what was locked lies on, and what was thrown again is put aside", async () => {
  const rosa = await look("ammo", "rosa");
  await rosa.next();
  expect(labels()).toEqual([
    "d8 shows 6, success, stays",
    "d12 shows 3, does not count",
    "ammo die shows 1, explosion: wears the weapon after a push, stays",
    "ammo die shows 4, does not count",
    "d12 shows 7, success",
    "ammo die shows 5",
  ]);
});

test("every kind of die has a shape of its own, and its name below", async () => {
  const names = ["d4", "d6", "d8", "d10", "d12", "d20", "d100"];
  render(<Dice dice={names} faces={[1, 2, 3, 4, 5, 6, 7]} />, document.body);
  await settled();
  expect(all(".die-name").map(({ textContent }) => textContent)).toEqual(names);
  expect(new Set(all(".die-lying .die-body").map((body) => body.getAttribute("d"))).size).toBe(7);
});

test("a large handful is counted instead of drawn: one picture for each face, with how many show it", async () => {
  const dice = Array.from({ length: 200 }, () => "d6");
  render(<Dice dice={dice} faces={dice.map((_, n) => (n % 6) + 1)} />, document.body);
  await settled();
  const counts = all(".die-name").map(({ textContent }) => textContent);
  expect(counts).toEqual(["× 33", "× 33", "× 33", "× 33", "× 34", "× 34"]);
  expect(page().getByRole("img", { name: "34 times: d6 shows 1" })).toBeTruthy();
});

test.each(["the system", "the page"])("whoever wants no motion sees the dice lie there at once: %s", async (how) => {
  const thrown = (): void => render(<Dice dice={["d6", "d20"]} faces={[3, 17]} fresh />, document.body);
  stillness.prefersReducedMotion = "no-preference";
  thrown();
  await settled();
  expect(all("[data-flying]")).toHaveLength(2);
  render(null, document.body);
  if (how === "the page") document.documentElement.dataset.motion = "none";
  else stillness.prefersReducedMotion = "reduce";
  thrown();
  await settled();
  expect(all("[data-flying]")).toEqual([]);
  expect(all(".die-lying")).toHaveLength(2);
  expect(all(".die-number, .die-pip").length).toBeGreaterThan(1);
});

test("dice are there right after the click, before the server has said a word", async () => {
  const looker = await visit("written", "/roll?dice=1000d6", "many");
  await until(() => all(".builder-odds .chart-bar").length > 0);
  await user.click(one(".roll-button"));
  await settled();
  expect(looker.questions.at(-1)!.ask).toBe("POST /roll");
  expect(all(".play .die").length).toBeGreaterThan(0);
  expect(all(".play .told")).toEqual([]);
});
