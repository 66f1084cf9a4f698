// Who just watches: of a secret nothing comes to them, and the sheets that all may see are theirs to read.
import { within } from "@testing-library/dom";
import { expect, test } from "vitest";
import { all, one, page, settled, user } from "./dom";
import { look, until } from "./table";

test("of a secret roll others get no option, no standing and no face, and ask for none", async () => {
  const parts = ['"options"', '"standing"', '"faces"'];
  const told = (heard: string): string[] => parts.filter((part) => heard.includes(part));
  const bo = await look("secret", "bo");
  expect(told(bo.heard)).toContain('"faces"');
  const eve = await look("secret", "eve");
  expect(all(".stage-pane .veiled")).toHaveLength(1);
  await eve.next();
  expect(told(eve.heard)).toEqual([]);
  expect(eve.asked.filter((ask) => ask.includes("/advice"))).toEqual([]);
  expect(all(".decision")).toEqual([]);
});

test("a spectator reads the sheets that all may see, one in front, beside the feed, and changes nothing", async () => {
  await look("newcomers", "eve");
  const sheet = page().getByRole("region", { name: "Sheet" });
  await until(() => within(sheet).queryByRole("heading", { name: "Sgt. Novak" }) !== null);
  await user.click(within(sheet).getByRole("tab", { name: "Ilse" }));
  await settled();
  expect(within(sheet).getByRole("heading", { name: "Ilse" })).toBeTruthy();
  expect(within(sheet).queryByRole("button", { name: "Change" })).toBeNull();
  expect(one("[role=region][aria-label=Feed], section[aria-label=Feed]")).toBeTruthy();
});
