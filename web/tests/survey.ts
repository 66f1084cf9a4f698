/** Many throws without a picture: what lies up at the end, beside what was asked for. */

import { kindOf, type Face } from "../src/dice/kinds";
import { fitPose, labelUp, labelledDice } from "../src/dice3d/labels";
import { combine } from "../src/dice3d/shapes";
import { toss, FRAME } from "../src/dice3d/tossing";

export interface Asked {
  readonly die: string;
  readonly face: Face;
  readonly faces?: readonly Face[];
}

export interface Lying {
  /** What is read off each body of the die. */
  readonly read: readonly string[];
  /** How far from level its side lies, as the sine of the angle. */
  readonly askew: number;
  readonly seconds: number;
}

/** Throw dice together as the page does, and read each off as it lies at the end. */
export function survey(asked: readonly Asked[], seed: number, width = 6, height = 4): Lying[] {
  const dice = asked.map(({ die, face, faces }) => labelledDice(kindOf(die), face, faces ?? null));
  const bodies = dice.flat();
  const tracks = toss(
    bodies.map(({ shape }) => ({ shape })),
    width,
    height,
    seed,
  );
  let n = 0;
  return dice.map((parts): Lying => {
    const mine = parts.map((part) => ({ part, track: tracks[n++]! }));
    const poses = mine.map(({ part, track }) => ({ part, pose: combine(fitPose(part, track.pose), track.pose) }));
    const level = poses.map(
      ({ part, pose }) =>
        1 +
        Math.min(
          ...part.shape.normals.map(
            (normal) => pose[2][0] * normal[0] + pose[2][1] * normal[1] + pose[2][2] * normal[2],
          ),
        ),
    );
    return {
      read: poses.map(({ part, pose }) => labelUp(part, pose)),
      askew: Math.max(0, ...level),
      seconds: (mine[0]?.track.frames ?? 0) * FRAME,
    };
  });
}
