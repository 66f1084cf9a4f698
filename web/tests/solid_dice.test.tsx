// Dice in three dimensions are fetched where somebody wants them or the device draws them quickly, and nowhere else.
import { render } from "preact";
import { beforeEach, expect, test, vi } from "vitest";
import { all, page, settled } from "./dom";
import { until } from "./table";

type Device = { settings: { device: { prefersReducedMotion: string } } };
const device = (window as unknown as { happyDOM: Device }).happyDOM.settings.device;
let fetched = 0;

beforeEach(() => {
  device.prefersReducedMotion = "no-preference";
  localStorage.clear();
  delete document.documentElement.dataset.dice3d;
  delete document.documentElement.dataset.motion;
  fetched = 0;
});

/** A page that rolls two dice, opened anew; it can draw dice in three dimensions or not. */
async function opened({ draws = true } = {}) {
  render(null, document.body);
  vi.resetModules();
  fetched = 0;
  vi.doMock("../src/dice3d", () => {
    fetched += 1;
    return { openScene: () => (draws ? { wear: () => undefined } : null) };
  });
  const settings = await import("../src/app/settings");
  void settings.applySettings();
  const { Dice, useRolling } = await import("../src/dice");
  const { SettingsDialog } = await import("../src/app/SettingsDialog");
  const { writeStored } = await import("../src/app/storage");
  const Screen = ({ rolls }: { rolls: boolean }) => {
    useRolling();
    return rolls ? <Dice dice={["d6", "d6"]} faces={[3, 4]} fresh /> : <SettingsDialog onClose={() => undefined} />;
  };
  const show = async (rolls: boolean): Promise<void> => {
    render(<Screen key={String(rolls)} rolls={rolls} />, document.body);
    for (let n = 0; n < 5; n += 1) await settled();
  };
  await show(false);
  return { settings, writeStored, show };
}
/** A device with its own graphics and some cores. */
function able(): void {
  vi.spyOn(navigator, "hardwareConcurrency", "get").mockReturnValue(8);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({} as never);
}
const toggle = (): HTMLInputElement => page().getByRole("switch", { name: /^3D dice/ });

test("a device that cannot draw them quickly fetches nothing until somebody switches them on", async () => {
  const { settings } = await opened();
  expect(fetched).toBe(0);
  settings.dice3d.value = true;
  await until(() => document.documentElement.dataset.dice3d === "ready");
  expect(fetched).toBe(1);
  await opened();
  await until(() => document.documentElement.dataset.dice3d === "ready");
  expect(fetched).toBe(1);
});

test("where the device can, dice roll unasked, and a switch turns them off for good", async () => {
  able();
  const { settings } = await opened();
  await until(() => document.documentElement.dataset.dice3d === "ready");
  expect(fetched).toBe(1);
  settings.dice3d.value = false;
  delete document.documentElement.dataset.dice3d;
  await opened();
  expect(fetched).toBe(0);
});

test("a device that was slow is not tried again unasked", async () => {
  able();
  await opened();
  await until(() => document.documentElement.dataset.dice3d === "ready");
  const { wasSlow } = await import("../src/dice/performance");
  wasSlow();
  await opened();
  expect(fetched).toBe(0);
});

test.each(["the system", "the page"])("reduced motion never fetches it, as %s says", async (how) => {
  const { settings } = await opened();
  if (how === "the page") settings.motion.value = "none";
  else device.prefersReducedMotion = "reduce";
  settings.dice3d.value = true;
  const { show } = await opened();
  expect(fetched).toBe(0);
  expect([toggle().disabled, toggle().checked]).toEqual([true, false]);
  await show(true);
  expect(all(".die-lying")).toHaveLength(2);
  expect(fetched).toBe(0);
});

test("a browser that cannot draw them rolls as ever, and says nothing about it", async () => {
  const { settings, show } = await opened({ draws: false });
  settings.dice3d.value = true;
  await until(() => document.documentElement.dataset.dice3d === "missing");
  await show(true);
  await until(() => all(".die-lying").length === 2);
  expect(all("canvas.dice3d")).toEqual([]);
  expect(all(".toast")).toEqual([]);
});
