/** Dice that roll in three dimensions; fetched only by those who want them. */

import { WebGLRenderer } from "three";
import { Stage } from "./stage";

export type { Asked, Flight, Stage } from "./stage";
export type { Painted } from "./painting";
export { survey } from "./survey";

/** The stage, or nothing where the browser cannot draw it; one that opened by itself is held to more pictures a second. */
export function openStage(byItself: boolean, onSlow: () => void): Stage | null {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!context) return null;
    const stage = new Stage(new WebGLRenderer({ canvas, context, alpha: true }), byItself ? 30 : 8, onSlow);
    stage.warm();
    return stage;
  } catch {
    return null;
  }
}
