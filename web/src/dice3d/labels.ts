/** The labels on the sides of a die, and the pose in its hull that turns the right one up. */

import type { Face, Kind } from "../dice/kinds";
import type { Turn } from "../dice/solids";
import { dot, shapeOf, combine, turned, type Shape, type Symmetry } from "./shapes";

/** One body on the table: a shape with a label on each of its sides, and the side that was thrown. */
export interface LabelledDie {
  readonly shape: Shape;
  readonly labels: readonly string[];
  readonly wanted: number;
}

const range = (count: number, from = 1): number[] => Array.from({ length: count }, (_, n) => n + from);

/** The bodies on the table for a die: one, two for a hundred-sider, none if it cannot roll. */
export function labelledDice(kind: Kind, face: Face, faces: readonly Face[] | null): LabelledDie[] {
  if (face === null) return [];
  if (kind.shape === "d100" && typeof face === "number") return hundred(face);
  const shape = shapeOf(kind.shape);
  if (!shape) return [];
  const labels = laid(shape, spread(faces ?? usual(kind), shape.sides));
  const wanted = labels.indexOf(String(face));
  return wanted < 0 ? [] : [{ shape, labels, wanted }];
}

/** A hundred is two ten-siders: tens and ones, and 00 with 0 is the hundred itself. */
function hundred(face: number): LabelledDie[] {
  const shape = shapeOf("d10")!;
  const [tens, ones] = [Math.floor((face % 100) / 10), face % 10];
  const bodies = [
    {
      labels: laid(
        shape,
        range(10, 0).map((n) => `${n}0`),
      ),
      is: `${tens}0`,
    },
    { labels: laid(shape, range(10, 0).map(String)), is: String(ones) },
  ];
  return bodies.map(({ labels, is }) => ({ shape, labels, wanted: labels.indexOf(is) }));
}

function usual(kind: Kind): readonly Face[] {
  if (kind.shape === "fate") return [-1, 0, 1];
  if (kind.shape === "coin") return kind.sides === 2 ? [1, 2] : ["won", "lost"];
  return kind.sides ? range(kind.sides) : [];
}

/** Faces on all sides: each as often as the next where there are more sides than faces. */
function spread(faces: readonly Face[], sides: number): string[] {
  if (!faces.length || sides % faces.length) return [];
  return faces.flatMap((face) => Array<string>(sides / faces.length).fill(String(face)));
}

/** Low and high lie on opposite sides, as on any die of the shops. */
function laid(shape: Shape, labels: readonly string[]): string[] {
  if (labels.length !== shape.sides) return [];
  if (shape.by === "corner") return [...labels];
  const found = Array<string>(shape.sides);
  let [low, high] = [0, labels.length - 1];
  for (let side = 0; side < shape.sides; side++) {
    if (found[side] !== undefined) continue;
    const other = shape.normals.findIndex((normal) => dot(normal, shape.normals[side]!) < -0.999);
    const [first, second] = low % 2 ? [other, side] : [side, other];
    found[first] = labels[low++]!;
    found[second] = labels[high--]!;
  }
  return found;
}

/** Which side of a body lies up in a pose: the face that looks up most, or the highest corner. */
export function sideUp(shape: Shape, pose: Turn): number {
  const marks = shape.by === "corner" ? shape.corners : shape.normals.slice(0, shape.sides);
  const heights = marks.map((mark) => turned(pose, mark)[2]);
  return heights.indexOf(Math.max(...heights));
}

/** The label that somebody at the table reads off a body in a pose. */
export const labelUp = (rolled: LabelledDie, pose: Turn): string => rolled.labels[sideUp(rolled.shape, pose)]!;

/** The turn that brings a side to the front of the pose in which the page draws the die. */
export function turnUp(shape: Shape, side: number): Turn {
  const there = shape.turns.find((one) => one.sides[side] === front(shape))!;
  return combine(there.turn, shape.rest);
}

/** The side that the page's own drawing turns to the reader; of a corner die, its topmost corner. */
function front(shape: Shape): number {
  if (shape.by === "face") return 0;
  const corners = shape.faces[0]!;
  const heights = corners.map((corner) => turned(shape.rest, shape.corners[corner]!)[1]);
  return corners[heights.indexOf(Math.max(...heights))]!;
}

/**
 * How the labelled die lies in its hull: physics has brought some side up, and one of the solid's own turns
 * brings the wanted side there. Of those, the one that needs least turning to be read.
 */
export function fitPose(rolled: LabelledDie, pose: Turn): Turn {
  const up = sideUp(rolled.shape, pose);
  const goal = turnUp(rolled.shape, rolled.wanted);
  const alike = (one: Symmetry): number => {
    const lies = combine(one.turn, pose);
    return dot(lies[0], goal[0]) + dot(lies[1], goal[1]) + dot(lies[2], goal[2]);
  };
  return rolled.shape.turns
    .filter((one) => one.sides[rolled.wanted] === up)
    .reduce((best, one) => (alike(one) > alike(best) ? one : best)).turn;
}
