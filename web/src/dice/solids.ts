/** The solids dice are made of: corners, faces, and how they look when turned. */

export type Point = readonly [number, number, number];
export type Turn = readonly [Point, Point, Point];

export interface Solid {
  readonly corners: readonly Point[];
  /** Each face as corner numbers in order around it, seen from outside. */
  readonly faces: readonly (readonly number[])[];
  /** Which way each face looks. */
  readonly normals: readonly Point[];
  /** The turn that shows a face to the reader, a little tilted so that depth can be seen. */
  readonly rest: Turn;
  /** The face that carries the number while the die lies still. */
  readonly front: number;
}

export interface Facet {
  readonly path: string;
  /** From -1 (in shadow) to 1 (in full light). */
  readonly light: number;
}

export interface View {
  readonly outline: string;
  readonly facets: readonly Facet[];
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const LIGHT = unit([-0.4, -0.62, 1]);
const MIDDLE = 50;

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a: Point): Point {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

function middle(points: readonly Point[]): Point {
  const sum = points.reduce<Point>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
}

export function rotate(turn: Turn, p: Point): Point {
  return [dot(turn[0], p), dot(turn[1], p), dot(turn[2], p)];
}

/** The turn `second` after `first`. */
export function after(first: Turn, second: Turn): Turn {
  const columns: Turn = [
    [first[0][0], first[1][0], first[2][0]],
    [first[0][1], first[1][1], first[2][1]],
    [first[0][2], first[1][2], first[2][2]],
  ];
  const row = (r: Point): Point => [dot(r, columns[0]), dot(r, columns[1]), dot(r, columns[2])];
  return [row(second[0]), row(second[1]), row(second[2])];
}

/** A turn around an axis. */
export function around(axis: Point, angle: number): Turn {
  const [x, y, z] = unit(axis);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;
  return [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
}

/** Faces are found, not listed: every plane through three corners with all others behind it. */
function facesOf(corners: readonly Point[]): number[][] {
  const found = new Map<string, number[]>();
  for (const [a, one] of corners.entries())
    for (const [b, two] of corners.slice(a + 1).entries())
      for (const three of corners.slice(a + b + 2)) {
        const normal = outward([one, two, three]);
        const height = dot(normal, one);
        if (corners.some((p) => dot(normal, p) > height + 1e-4)) continue;
        const flat = corners.flatMap((p, n) => (dot(normal, p) > height - 1e-4 ? [n] : []));
        found.set(flat.join(), inOrder(flat, corners, normal));
      }
  return [...found.values()];
}

const flipped = ([x, y, z]: Point): Point => [-x, -y, -z];

/** The corners of a face. */
type Corners = readonly [Point, Point, Point, ...Point[]];

const cornersOf = (face: readonly number[], corners: readonly Point[]): Corners =>
  face.map((n) => corners[n]) as unknown as Corners;

function inOrder(face: number[], corners: readonly Point[], normal: Point): number[] {
  const points = cornersOf(face, corners);
  const heart = middle(points);
  const first = unit(minus(points[0], heart));
  const second = cross(normal, first);
  const angle = (n: number): number => {
    const way = minus(corners[n]!, heart);
    return Math.atan2(dot(way, second), dot(way, first));
  };
  return [...face].sort((a, b) => angle(a) - angle(b));
}

function outward([a, b, c]: Corners): Point {
  const normal = unit(cross(minus(b, a), minus(c, a)));
  return dot(normal, a) < 0 ? flipped(normal) : normal;
}

/** `apex` turns one corner of the front face up; otherwise a side lies at the bottom. */
function solid(points: Point[], tilt: [number, number], apex: boolean, size = 46): Solid {
  const farthest = Math.max(...points.map((p) => Math.hypot(...p)));
  const corners = points.map<Point>((p) => [
    (p[0] / farthest) * size,
    (p[1] / farthest) * size,
    (p[2] / farthest) * size,
  ]);
  const faces = facesOf(corners);
  const front = cornersOf(faces[0]!, corners);
  const heart = middle(front);
  const normals = faces.map((face) => outward(cornersOf(face, corners)));
  const z = normals[0]!;
  const far = (point: Point): number => Math.hypot(...minus(point, heart));
  const sharpest = front.reduce((most, point) => (far(point) > far(most) ? point : most));
  const top = apex ? sharpest : middle([front[0], front[1]]);
  const up = unit(minus(top, heart));
  const facing: Turn = [flipped(cross(z, up)), flipped(up), z];
  const leaning = after(around([1, 0, 0], tilt[0]), around([0, 1, 0], tilt[1]));
  return { corners, faces, normals, rest: after(facing, leaning), front: 0 };
}

function signs(make: (a: number, b: number) => Point[]): Point[] {
  return [1, -1].flatMap((a) => [1, -1].flatMap((b) => make(a, b)));
}

function trapezohedron(): Point[] {
  const lean = (1 - Math.cos(Math.PI / 5)) / (1 + Math.cos(Math.PI / 5)); // makes the kites flat
  const belt = Array.from({ length: 10 }, (_, n): Point => {
    const angle = (n * Math.PI) / 5;
    return [Math.cos(angle), Math.sin(angle), n % 2 ? lean : -lean];
  });
  return [...belt, [0, 0, 1.0], [0, 0, -1.0]];
}

/** About as many points as a bead-like hundred-sider needs to look round and faceted. */
function bead(): Point[] {
  const rings: Point[] = [
    [0, 0, 1],
    [0, 0, -1],
  ];
  for (let ring = 1; ring < 6; ring++) {
    const polar = (ring * Math.PI) / 6;
    const count = ring === 3 ? 12 : ring % 2 ? 10 : 6;
    for (let n = 0; n < count; n++) {
      const angle = ((n + (ring % 2) / 2) * 2 * Math.PI) / count;
      rings.push([Math.sin(polar) * Math.cos(angle), Math.sin(polar) * Math.sin(angle), Math.cos(polar)]);
    }
  }
  return rings;
}

const MAKERS: Record<string, () => Solid> = {
  d4: () =>
    solid(
      [
        [1, 1, 1],
        [1, -1, -1],
        [-1, 1, -1],
        [-1, -1, 1],
      ],
      [0.42, 0.3],
      true,
      60,
    ),
  d6: () =>
    solid(
      signs((a, b) => [
        [a, b, 1],
        [a, b, -1],
      ]),
      [-0.34, -0.36],
      false,
      49,
    ),
  d8: () =>
    solid(
      [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
      ],
      [0.34, 0.2],
      true,
      49,
    ),
  d10: () => solid(trapezohedron(), [0.3, 0.16], true, 50),
  d12: () =>
    solid(
      [
        ...signs((a, b) => [
          [a, b, 1],
          [a, b, -1],
        ]),
        ...signs((a, b) => [
          [0, a / GOLDEN, b * GOLDEN],
          [a / GOLDEN, b * GOLDEN, 0],
          [a * GOLDEN, 0, b / GOLDEN],
        ]),
      ],
      [-0.14, 0.16],
      true,
      47,
    ),
  d20: () =>
    solid(
      signs((a, b) => [
        [0, a, b * GOLDEN],
        [a, b * GOLDEN, 0],
        [b * GOLDEN, 0, a],
      ]),
      [-0.1, 0.12],
      true,
      49,
    ),
  d100: () => solid(bead(), [0, 0], true, 47),
};

const made = new Map<string, Solid>();

/** A solid by the name of its die; made when first needed. */
export function solidOf(name: string): Solid | null {
  const make = MAKERS[name];
  if (!make) return null;
  const known = made.get(name) ?? make();
  made.set(name, known);
  return known;
}

const short = (n: number): string => (Math.round(n * 10) / 10).toString();

/** The visible parts of a solid in a turn. */
export function project(die: Solid, turn: Turn): View {
  const placed = die.corners.map((p) => rotate(turn, p));
  const facets: Facet[] = [];
  for (const [number, face] of die.faces.entries()) {
    const points = cornersOf(face, placed);
    const normal = rotate(turn, die.normals[number]!);
    if (normal[2] <= 0.02) continue;
    const path = `M${points.map((p) => `${short(p[0] + MIDDLE)} ${short(p[1] + MIDDLE)}`).join("L")}Z`;
    facets.push({ path, light: dot(normal, LIGHT) * 1.7 - 0.75 });
  }
  return { outline: facets.map((facet) => facet.path).join(""), facets };
}

const still = new Map<string, { view: View; at: [number, number] }>();

/** A die at rest, with the place of its number. */
export function atRest(name: string): { view: View; at: [number, number] } | null {
  const known = still.get(name);
  if (known) return known;
  const die = solidOf(name);
  if (!die) return null;
  const heart = rotate(die.rest, middle(cornersOf(die.faces[die.front]!, die.corners)));
  const lying = { view: project(die, die.rest), at: [heart[0] + MIDDLE, heart[1] + MIDDLE] as [number, number] };
  still.set(name, lying);
  return lying;
}
