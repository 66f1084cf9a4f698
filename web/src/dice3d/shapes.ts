/** The solids as they roll: corners, faces, all their turns onto themselves, and how they are read. */

import { solidOf, type Point, type Turn } from "../dice/solids";

/** A die is read by its face that lies up, or, where none does, by the corner that points up. */
export type ReadBy = "face" | "corner";

export interface Shape {
  readonly name: string;
  readonly corners: readonly Point[];
  readonly faces: readonly (readonly number[])[];
  readonly normals: readonly Point[];
  readonly by: ReadBy;
  /** How many sides carry a label: faces, or corners of a die that is read by its corners. */
  readonly sides: number;
  /** How far the farthest corner is from the middle. */
  readonly radius: number;
  /** How far the nearest face is from the middle. */
  readonly inner: number;
  /** The pose in which the page draws it lying still, in a space whose y points up. */
  readonly rest: Turn;
  /** Every turn that brings the solid onto itself. */
  readonly turns: readonly Symmetry[];
}

export interface Symmetry {
  readonly turn: Turn;
  /** The place to which each side moves. */
  readonly sides: readonly number[];
}

const COIN_SIDES = 12;
const PIXELS = 100;

export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Point, n: number): Point => [a[0] * n, a[1] * n, a[2] * n];
export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const unit = (a: Point): Point => times(a, 1 / (Math.hypot(...a) || 1));
export const middle = (points: readonly Point[]): Point =>
  times(
    points.reduce<Point>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]),
    1 / points.length,
  );
export const turned = (turn: Turn, p: Point): Point => [dot(turn[0], p), dot(turn[1], p), dot(turn[2], p)];

/** The turn `second` after `first`. */
export function combine(first: Turn, second: Turn): Turn {
  const column = (n: 0 | 1 | 2): Point => [first[0][n], first[1][n], first[2][n]];
  const row = (r: Point): Point => [dot(r, column(0)), dot(r, column(1)), dot(r, column(2))];
  return [row(second[0]), row(second[1]), row(second[2])];
}

/** A turn undone. */
export const undone = (turn: Turn): Turn => [
  [turn[0][0], turn[1][0], turn[2][0]],
  [turn[0][1], turn[1][1], turn[2][1]],
  [turn[0][2], turn[1][2], turn[2][2]],
];

const made = new Map<string, Shape | null>();

/** The shape of a die that can be rolled: a solid the page draws, a coin, or a cube for fate dice. */
export function shapeOf(name: string): Shape | null {
  const known = made.get(name);
  if (known !== undefined) return known;
  const found = name === "coin" ? coin() : name === "fate" ? fromSolid("d6", name) : fromSolid(name, name);
  made.set(name, found);
  return found;
}

const ROLLED = new Set(["d4", "d6", "d8", "d10", "d12", "d20"]);

function fromSolid(of: string, name: string): Shape | null {
  const solid = ROLLED.has(of) ? solidOf(of) : null;
  if (!solid) return null;
  const corners = solid.corners.map((p) => times(p, 1 / PIXELS));
  const [x, y, z] = solid.rest;
  return finished(name, corners, solid.faces, solid.normals, of === "d4" ? "corner" : "face", [x, times(y, -1), z]);
}

/** A thick disc with two sides; its rim is faces too, but without labels. */
function coin(): Shape {
  const [wide, thick] = [0.4, 0.06];
  const ring = (z: number): Point[] =>
    Array.from(
      { length: COIN_SIDES },
      (_, n): Point => [
        wide * Math.cos((n * 2 * Math.PI) / COIN_SIDES),
        wide * Math.sin((n * 2 * Math.PI) / COIN_SIDES),
        z,
      ],
    );
  const corners = [...ring(thick), ...ring(-thick)];
  const up = Array.from({ length: COIN_SIDES }, (_, n) => n);
  const down = up.map((n) => 2 * COIN_SIDES - 1 - n);
  const rim = up.map((n) => [n, n + COIN_SIDES, ((n + 1) % COIN_SIDES) + COIN_SIDES, (n + 1) % COIN_SIDES]);
  const faces = [up, down, ...rim];
  const normals = faces.map((face) => unit(across(face.map((c) => corners[c]!))));
  return finished(
    "coin",
    corners,
    faces,
    normals,
    "face",
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    2,
  );
}

const across = (points: readonly Point[]): Point => cross(minus(points[1]!, points[0]!), minus(points[2]!, points[0]!));

function finished(
  name: string,
  corners: readonly Point[],
  faces: Shape["faces"],
  normals: readonly Point[],
  by: ReadBy,
  rest: Turn,
  sides?: number,
): Shape {
  const count = sides ?? (by === "corner" ? corners.length : faces.length);
  const marks = by === "corner" ? corners.map(unit) : normals.slice(0, count);
  return {
    name,
    corners,
    faces,
    normals,
    by,
    rest,
    sides: count,
    radius: Math.max(...corners.map((p) => Math.hypot(...p))),
    inner: Math.min(...faces.map((face, n) => dot(normals[n]!, corners[face[0]!]!))),
    turns: symmetries(corners, marks),
  };
}

/** Found, not listed: wherever two neighbouring corners can go so that all corners lie on corners. */
function symmetries(corners: readonly Point[], marks: readonly Point[]): Symmetry[] {
  const a = corners[0]!;
  const b = corners.find((p) => p !== a && Math.hypot(...cross(a, p)) > 0.05)!;
  const found: Symmetry[] = [];
  for (const c of corners)
    for (const d of corners) {
      if (!close(dot(a, a), dot(c, c)) || !close(dot(b, b), dot(d, d)) || !close(dot(a, b), dot(c, d))) continue;
      const turn = combine(undone(frame(a, b)), frame(c, d));
      if (corners.every((p) => corners.some((q) => near(turned(turn, p), q))))
        found.push({ turn, sides: marks.map((mark) => marks.findIndex((other) => near(turned(turn, mark), other))) });
    }
  return found;
}

const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-3;
const near = (a: Point, b: Point): boolean => Math.hypot(...minus(a, b)) < 1e-2;

/** Three directions that two points settle, as the columns of a turn. */
function frame(a: Point, b: Point): Turn {
  const x = unit(a);
  const z = unit(cross(a, b));
  const y = cross(z, x);
  return [
    [x[0], y[0], z[0]],
    [x[1], y[1], z[1]],
    [x[2], y[2], z[2]],
  ];
}
