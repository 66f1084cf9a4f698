/** Dice to look at: faces with rounded edges between them, and the sheet that is painted for them. */

import { BufferGeometry, Float32BufferAttribute, Mesh, MeshStandardMaterial } from "three";
import type { Point } from "../dice/solids";
import type { LabelledDie } from "./labels";
import { blankCell, cellsOf, sheetOf, type Colours, type PaintedFace } from "./painting";
import { cross, dot, minus, times, type Shape } from "./shapes";

const ROUND = 0.11;
const MOST_KEPT = 40;

class Sheet {
  readonly points: number[] = [];
  readonly normals: number[] = [];
  readonly places: number[] = [];

  /** A flat piece, given by its corners in any order of turning. */
  piece(corners: readonly { at: Point; normal: Point; u: number; v: number }[]): void {
    for (let n = 1; n + 1 < corners.length; n++) {
      const [a, b, c] = [corners[0]!, corners[n]!, corners[n + 1]!];
      const looks = dot(cross(minus(b.at, a.at), minus(c.at, a.at)), a.normal);
      for (const { at, normal, u, v } of looks < 0 ? [a, c, b] : [a, b, c]) {
        this.points.push(...at);
        this.normals.push(...normal);
        this.places.push(u, v);
      }
    }
  }
}

const geometries = new Map<string, BufferGeometry>();

function geometryOf(shape: Shape): BufferGeometry {
  const known = geometries.get(shape.name);
  if (known) return known;
  const sheet = new Sheet();
  const cells = cellsOf(shape);
  const blank = blankCell(shape);
  const drawnIn = (face: number, corner: number): Point => {
    const { heart } = cells[face]!;
    const way = minus(shape.corners[corner]!, heart);
    const round = shape.name === "coin" ? 0.04 : ROUND;
    return minus(shape.corners[corner]!, times(way, round));
  };
  const edge = (face: number, corner: number) => ({
    at: drawnIn(face, corner),
    normal: shape.normals[face]!,
    ...blank,
  });
  shape.faces.forEach((face, n) => {
    const { heart, right, up, reach, u, v, half } = cells[n]!;
    sheet.piece(
      face.map((corner) => {
        const at = drawnIn(n, corner);
        const way = minus(at, heart);
        return {
          at,
          normal: shape.normals[n]!,
          u: u + (dot(way, right) / reach) * half,
          v: v + (dot(way, up) / reach) * half,
        };
      }),
    );
  });
  for (const [one, other, a, b] of edgesOf(shape))
    sheet.piece([edge(one, a), edge(one, b), edge(other, b), edge(other, a)]);
  for (const corner of shape.corners.keys()) sheet.piece(around(shape, corner).map((face) => edge(face, corner)));
  const made = new BufferGeometry();
  made.setAttribute("position", new Float32BufferAttribute(sheet.points, 3));
  made.setAttribute("normal", new Float32BufferAttribute(sheet.normals, 3));
  made.setAttribute("uv", new Float32BufferAttribute(sheet.places, 2));
  geometries.set(shape.name, made);
  return made;
}

/** Each edge once: the two faces that meet there, and its two corners. */
function edgesOf(shape: Shape): [number, number, number, number][] {
  const sides = new Map<string, number>();
  return shape.faces.flatMap((face, n) =>
    face.flatMap((a, place): [number, number, number, number][] => {
      const b = face[(place + 1) % face.length]!;
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      const other = sides.get(key);
      if (other !== undefined) return [[other, n, a, b]];
      sides.set(key, n);
      return [];
    }),
  );
}

/** The faces around a corner, in order. */
function around(shape: Shape, corner: number): number[] {
  const touching = shape.faces.flatMap((face, n) => (face.includes(corner) ? [n] : []));
  const ordered = [touching[0]!];
  const shares = (one: number, other: number): boolean =>
    shape.faces[one]!.filter((c) => shape.faces[other]!.includes(c)).length > 1;
  while (ordered.length < touching.length) {
    const next = touching.find((face) => !ordered.includes(face) && shares(face, ordered[ordered.length - 1]!));
    if (next === undefined) break;
    ordered.push(next);
  }
  return ordered;
}

const materials = new Map<string, MeshStandardMaterial>();

/** Forget what is painted: its colours or its letters have changed. */
export function forgetPaint(): void {
  for (const material of materials.values()) {
    material.map?.dispose();
    material.dispose();
  }
  materials.clear();
}

function materialOf(
  { shape, labels, wanted }: LabelledDie,
  paint: (label: string) => PaintedFace,
  colours: Colours,
  onChange: () => void,
): MeshStandardMaterial {
  const key = JSON.stringify([shape.name, labels.map(paint), labels[wanted], colours]);
  const known = materials.get(key);
  if (known) return known;
  for (const [old, material] of materials) {
    if (materials.size < MOST_KEPT) break;
    material.map?.dispose();
    material.dispose();
    materials.delete(old);
  }
  const made = new MeshStandardMaterial({
    map: sheetOf(shape, labels, labels[wanted]!, paint, colours, onChange),
    roughness: 0.42,
    metalness: shape.name === "coin" ? 0.25 : 0.02,
  });
  materials.set(key, made);
  return made;
}

/** A die with all its labels. */
export function meshOf(
  rolled: LabelledDie,
  paint: (label: string) => PaintedFace,
  colours: Colours,
  onChange: () => void,
): Mesh {
  const mesh = new Mesh(geometryOf(rolled.shape), materialOf(rolled, paint, colours, onChange));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}
