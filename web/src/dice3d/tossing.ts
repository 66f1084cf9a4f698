/** The throw itself, worked out before anything is shown: the same seed always gives the same throw. */

import {
  Body,
  ContactMaterial,
  ConvexPolyhedron,
  type GSSolver,
  Material,
  Plane,
  Quaternion,
  Sphere,
  Vec3,
  World,
} from "cannon-es";
import type { Turn } from "../dice/solids";
import { sideUp } from "./labels";
import { dot, turned, type Shape } from "./shapes";

/** The time between two frames of a track, in seconds. */
export const FRAME = 1 / 80;
/** How long dice may roll, in seconds. */
export const LONGEST = 1.1;
const SHORTEST = 0.65;
const GRAVITY = 75;
const TRIES = 3;
/** Dice that have rolled long enough are slowed down, as felt slows them. */
const FELT = { after: 0.6, linear: 0.92, angular: 0.9 };

/** A body's position in each frame: x, y, z and the quaternion x, y, z, w. */
export interface Track {
  readonly frames: number;
  readonly at: Float32Array;
  /** How the body lies at the end. */
  readonly pose: Turn;
}

export interface TossBody {
  readonly shape: Shape;
  /** How large it is beside the others. */
  readonly scale?: number;
}

const NUMBERS = 7;
const FLOOR = 1;
const HULL = 2;
const BALL = 4;

/** Numbers from 0 to 1 that a seed settles. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Throw bodies into a tray of this size; of several tries, the one in which they lie best. */
export function toss(dice: readonly TossBody[], width: number, height: number, seed: number): Track[] {
  let best: { tracks: Track[]; unrest: number } | null = null;
  for (let n = 0; n < TRIES; n++) {
    const found = tried(dice, width, height, seed + n * 7919);
    if (!best || found.unrest < best.unrest) best = found;
    if (best.unrest < 0.06) break;
  }
  return best!.tracks;
}

function tried(
  dice: readonly TossBody[],
  width: number,
  height: number,
  seed: number,
): { tracks: Track[]; unrest: number } {
  const random = numbers(seed);
  const world = tray(width, height);
  const bodies = dice.map((die, n) => thrown(die, n, dice.length, width, height, random));
  for (const body of bodies) world.addBody(body);
  const most = Math.round(LONGEST / FRAME);
  const held = bodies.map(() => new Float32Array((most + 1) * NUMBERS));
  let frames = 0;
  for (; frames <= most; frames++) {
    for (const [n, body] of bodies.entries()) write(held[n]!, frames, body);
    if (frames * FRAME > SHORTEST && bodies.every((body, n) => unrest(dice[n]!.shape, body) < 0.01)) break;
    world.step(FRAME);
    if (frames * FRAME > FELT.after) for (const body of bodies) if (body.position.z < 0.75) slow(body);
  }
  const count = Math.min(frames, most) + 1;
  const tracks = bodies.map(
    (body, n): Track => ({ frames: count, at: held[n]!.subarray(0, count * NUMBERS), pose: poseOf(body.quaternion) }),
  );
  return { tracks, unrest: Math.max(...bodies.map((body, n) => unrest(dice[n]!.shape, body))) };
}

function slow(body: Body): void {
  body.velocity.set(body.velocity.x * FELT.linear, body.velocity.y * FELT.linear, body.velocity.z);
  body.angularVelocity.scale(FELT.angular, body.angularVelocity);
}

/** A floor, and walls on three sides: dice come in over the fourth. */
function tray(width: number, height: number): World {
  const felt = new Material();
  const world = new World({ gravity: new Vec3(0, 0, -GRAVITY) });
  (world.solver as GSSolver).iterations = 7;
  world.defaultContactMaterial = new ContactMaterial(felt, felt, {
    friction: 0.32,
    restitution: 0.36,
    contactEquationStiffness: 5e7,
    contactEquationRelaxation: 4,
  });
  const wall = (x: number, y: number, turn: [Vec3, number] | null): void => {
    const body = new Body({
      mass: 0,
      shape: new Plane(),
      collisionFilterGroup: FLOOR,
      collisionFilterMask: turn ? BALL : HULL,
    });
    body.shapes[0]!.collisionFilterGroup = FLOOR;
    body.shapes[0]!.collisionFilterMask = turn ? BALL : HULL;
    body.collisionFilterMask = HULL | BALL;
    body.position.set(x, y, 0);
    if (turn) body.quaternion.setFromAxisAngle(...turn);
    world.addBody(body);
  };
  wall(0, 0, null);
  wall(-width / 2, 0, [new Vec3(0, 1, 0), Math.PI / 2]);
  wall(width / 2, 0, [new Vec3(0, 1, 0), -Math.PI / 2]);
  wall(0, height / 2, [new Vec3(1, 0, 0), Math.PI / 2]);
  return world;
}

const hulls = new Map<string, ConvexPolyhedron>();

function hullOf(shape: Shape, scale: number): ConvexPolyhedron {
  const key = `${shape.name}|${scale}`;
  const known = hulls.get(key);
  if (known) return known;
  const hull = new ConvexPolyhedron({
    vertices: shape.corners.map((p) => new Vec3(p[0] * scale, p[1] * scale, p[2] * scale)),
    faces: shape.faces.map((face) => [...face]),
  });
  hull.collisionFilterGroup = HULL;
  hull.collisionFilterMask = FLOOR;
  hulls.set(key, hull);
  return hull;
}

/** Dice lie on the floor as solids, and push each other as balls: quick, and none ends up on another. */
function thrown(die: TossBody, n: number, all: number, width: number, height: number, random: () => number): Body {
  const { shape, scale = 1 } = die;
  const body = new Body({
    mass: 1,
    collisionFilterGroup: HULL | BALL,
    collisionFilterMask: FLOOR | HULL | BALL,
    linearDamping: 0.12,
    angularDamping: 0.16,
  });
  body.addShape(hullOf(shape, scale));
  const ball = new Sphere(shape.radius * scale * 0.88);
  ball.collisionFilterGroup = BALL;
  ball.collisionFilterMask = BALL | FLOOR;
  body.addShape(ball);
  const across = Math.min(all, Math.max(1, Math.floor(width / 1.15)));
  const row = Math.floor(n / across);
  const place = (n % across) - (Math.min(all - row * across, across) - 1) / 2;
  const spread = random() - 0.5;
  body.position.set(
    place * Math.min(1.1, (width - 1.1) / across) + spread * 0.1,
    -height / 2 - 0.7 - row * 1.1,
    1.3 + row * 0.6 + random() * 0.5,
  );
  const far = height * (0.55 + 0.3 * random());
  body.velocity.set(-place * 0.6 + spread * 2, far * 3.1 + row, 1 - random() * 2);
  body.angularVelocity.set(-12 - random() * 12, (random() - 0.5) * 20, (random() - 0.5) * 14);
  body.quaternion.copy(anyTurn(random));
  body.updateMassProperties();
  return body;
}

/** Any turn, each as likely as the next. */
function anyTurn(random: () => number): Quaternion {
  const [a, b, c] = [random(), random() * 2 * Math.PI, random() * 2 * Math.PI];
  return new Quaternion(
    Math.sqrt(1 - a) * Math.sin(b),
    Math.sqrt(1 - a) * Math.cos(b),
    Math.sqrt(a) * Math.sin(c),
    Math.sqrt(a) * Math.cos(c),
  );
}

function write(into: Float32Array, frame: number, { position: p, quaternion: q }: Body): void {
  into.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w], frame * NUMBERS);
}

/** A quaternion as a turn. */
export function poseOf(q: { x: number; y: number; z: number; w: number }): Turn {
  const { x, y, z, w } = q;
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** A measure of how far a body is from rest: its movement, and its tilt. */
function unrest(shape: Shape, body: Body): number {
  const pose = poseOf(body.quaternion);
  const lowest = Math.min(...shape.normals.map((normal) => turned(pose, normal)[2]));
  const askew =
    shape.name === "coin" && Math.abs(turned(pose, shape.normals[sideUp(shape, pose)]!)[2]) < 0.9 ? 1 : 1 + lowest;
  const moves = dot(
    [body.velocity.x, body.velocity.y, body.velocity.z],
    [body.velocity.x, body.velocity.y, body.velocity.z],
  );
  return askew + moves * 0.02 + body.angularVelocity.lengthSquared() * 0.002;
}
