/** Dice in three dimensions, where the device draws them quickly or somebody switched them on: never fetched before. */

import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Asked, Flight, Lain, Lies, Stage } from "../dice3d";
import { dice3d, lookKey } from "../app/settings";
import { isStill } from "./motion";

let stage: Stage | null = null;
let asked = false;
/** Counts whenever resting dice have to be redrawn; 0 as long as they are flat. */
export const solids = signal(0);

/** Fetch what is needed, if it is wanted; a browser that cannot draw it keeps the page's own dice. */
function prepare(): void {
  const wanted = dice3d.value;
  if (asked || wanted === false || isStill()) return;
  asked = true;
  import("./performance")
    .then(async ({ isAble, wasSlow }) => {
      if (!wanted && !isAble()) return void (asked = false);
      stage = (await import("../dice3d")).openScene(!wanted, {
        slow: wasSlow,
        changed: () => (solids.value = solids.peek() + 1),
      });
      document.documentElement.dataset.dice3d = stage ? "ready" : "missing";
      if (stage) effect(() => (lookKey.value, dice3d.value, stage!.wear()));
    })
    .catch(() => (asked = false));
}

/** On a screen that rolls dice: have them ready as soon as somebody wants them. */
export function useRolling(): void {
  useEffect(() => effect(prepare), []);
}

/** Whether dice can be rolled now. */
export function is3D(): boolean {
  prepare();
  return stage !== null && dice3d.value !== false && !isStill() && !matchMedia("(forced-colors: active)").matches;
}

/** Roll a die; null where the page's own has to do. */
export const roll = (die: Asked): Flight | null => (is3D() ? stage!.toss(die) : null);

/** Draw a die at rest; if that fails, the page's own is shown, and while dice are in the air, it waits for them. */
export const layDown = (die: Lain, onto: HTMLCanvasElement): Lies => (is3D() ? stage!.lie(die, onto) : "flat");
