/** Dice that roll in three dimensions; fetched only by those who want them. */

import { WebGLRenderer } from "three";
import { DiceScene, type DiceSceneEvents } from "./scene";

export type { RestingDie as Lain } from "./resting_dice";
export type { TossedDie as Asked, TossFlight as Flight, DieDrawing as Lies, DiceScene as Stage } from "./scene";
export type { PaintedFace as Painted } from "./painting";

/**
 * The stage, or nothing where the browser cannot draw it; one that opened by itself is held to more pictures a second.
 */
export function openScene(byItself: boolean, told: DiceSceneEvents): DiceScene | null {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!context) return null;
    const stage = new DiceScene(new WebGLRenderer({ canvas, context, alpha: true }), byItself ? 30 : 8, told);
    stage.warm();
    return stage;
  } catch {
    return null;
  }
}
