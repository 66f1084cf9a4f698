/** Dice that roll in three dimensions; fetched only by those who want them. */

import { WebGLRenderer } from "three";
import { Stage, type Told } from "./stage";

export type { Lain } from "./lying";
export type { Asked, Flight, Lies, Stage } from "./stage";
export type { Painted } from "./painting";

/**
 * The stage, or nothing where the browser cannot draw it; one that opened by itself is held to more pictures a second.
 */
export function openStage(byItself: boolean, told: Told): Stage | null {
  try {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true, premultipliedAlpha: true });
    if (!context) return null;
    const stage = new Stage(new WebGLRenderer({ canvas, context, alpha: true }), byItself ? 30 : 8, told);
    stage.warm();
    return stage;
  } catch {
    return null;
  }
}
