/** Dice that roll in three dimensions; fetched only by those who want them. */

import { WebGLRenderer } from "three";
import { Stage } from "./stage";

export type { Asked, Flight, Stage } from "./stage";
export type { Painted } from "./painting";
export { survey } from "./survey";

/** The stage, or nothing where the browser cannot draw it. */
export function openStage(): Stage | null {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!context) return null;
    const stage = new Stage(new WebGLRenderer({ canvas, context, alpha: true }));
    stage.warm();
    return stage;
  } catch {
    return null;
  }
}
