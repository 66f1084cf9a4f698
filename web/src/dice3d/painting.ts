/** The faces of a die painted on one sheet, in the colours and with the marks that the page gives it. */

import { CanvasTexture, SRGBColorSpace } from "three";
import { pictureOf } from "../dice/game_icons";
import { MARKS, markOf, NUMBER_SIZE, PIPS, type Mark } from "../dice/marks";
import type { Point } from "../dice/solids";
import { turnUp } from "./labels";
import { cross, dot, middle, minus, times, turned, undone, unit, type Shape } from "./shapes";

/** The label on one side of a die. */
export interface PaintedFace {
  readonly text: string;
  /** Icons side by side: the page's own marks, pictures of the game, or characters. */
  readonly icons?: readonly string[];
  /** Whether they replace the text. */
  readonly alone?: boolean;
  readonly pips?: number;
}

export interface Colours {
  readonly body: string;
  readonly ink: string;
  /** Glow of its edges, if the game's dice have edges of their own. */
  readonly edge: string;
  /** The typeface of its numbers. */
  readonly font: string;
}

/** A face's place on the sheet: its middle, and its directions right and up. */
export interface Cell {
  readonly heart: Point;
  readonly right: Point;
  readonly up: Point;
  /** How far the face reaches from its middle. */
  readonly reach: number;
  /** How near its nearest edge comes to its middle. */
  readonly near: number;
  /** The middle of the cell on the sheet, and half its side, from 0 to 1. */
  readonly u: number;
  readonly v: number;
  readonly half: number;
}

const PIXELS = 192;
/** Opacity of sides that were not thrown. */
const QUIET = 0.5;
/** Scale of labels: sides are at an angle to the eye, so that their labels look smaller. */
const LARGE = 1.12;
/** How wide a number may be, in hundredths of the die for each part of it between middle and edge. */
const ROOM = 170;

const gridOf = (shape: Shape): number => Math.ceil(Math.sqrt(shape.faces.length + 1));

/** The cells of all faces; the one after the last is blank, for edges. */
export function cellsOf(shape: Shape): Cell[] {
  const grid = gridOf(shape);
  return shape.faces.map((face, n): Cell => {
    const points = face.map((corner) => shape.corners[corner]!);
    const heart = middle(points);
    const normal = shape.normals[n]!;
    const up = flattened(upOf(shape, n, points, heart), normal);
    const reach = Math.max(...points.map((p) => Math.hypot(...minus(p, heart))));
    return { heart, up, right: cross(up, normal), reach, near: nearest(points, heart), ...placed(n, grid) };
  });
}

const nearest = (points: readonly Point[], heart: Point): number =>
  Math.min(...points.map((point, n) => Math.hypot(...minus(middle([point, points[(n + 1) % points.length]!]), heart))));

/** The blank cell of a sheet. */
export const blankCell = (shape: Shape): { u: number; v: number } => placed(shape.faces.length, gridOf(shape));

const placed = (n: number, grid: number): { u: number; v: number; half: number } => ({
  u: ((n % grid) + 0.5) / grid,
  v: 1 - (Math.floor(n / grid) + 0.5) / grid,
  half: 0.5 / grid,
});

/** The upward direction of a face's label: so that it is upright when the die is read. */
function upOf(shape: Shape, face: number, points: readonly Point[], heart: Point): Point {
  if (shape.by === "corner" || face >= shape.sides) return minus(points[0]!, heart);
  return turned(undone(turnUp(shape, face)), [0, 1, 0]);
}

const flattened = (way: Point, normal: Point): Point => unit(minus(way, times(normal, dot(way, normal))));

/** The painted sheet of a die that was thrown. */
export function sheetOf(
  shape: Shape,
  labels: readonly string[],
  thrown: string,
  paint: (label: string) => PaintedFace,
  colours: Colours,
  onChange: () => void,
): CanvasTexture {
  const grid = gridOf(shape);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = grid * PIXELS;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = colours.body;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  lit(pen, blankCell(shape), canvas.width / grid, colours.edge);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const sheet = new CanvasTexture(canvas);
  const changed = (): void => {
    sheet.needsUpdate = true;
    onChange();
  };
  cellsOf(shape).forEach((cell, face) => {
    pen.save();
    pen.translate(cell.u * canvas.width, (1 - cell.v) * canvas.height);
    // From here on one step is one hundredth of the die's size on the page, and y points down.
    const scale = (cell.half * canvas.width) / (cell.reach * 100);
    pen.scale(scale, scale);
    if (shape.by === "corner") atCorners(pen, shape, face, cell, labels, thrown, colours);
    else if (face < shape.sides) {
      pen.globalAlpha = labels[face] === thrown ? 1 : QUIET;
      draw(pen, paint(labels[face]!), (NUMBER_SIZE[shape.name] ?? 34) * LARGE, cell.near * ROOM, colours, changed);
    }
    pen.restore();
  });
  sheet.colorSpace = SRGBColorSpace;
  sheet.anisotropy = 8;
  return sheet;
}

/** Edges catch the light: they are cut from the blank cell. */
function lit(pen: CanvasRenderingContext2D, { u, v }: { u: number; v: number }, side: number, edge: string): void {
  const { width } = pen.canvas;
  pen.fillStyle = edge || "rgb(255 255 255 / 0.4)";
  pen.fillRect(u * width - side / 2, (1 - v) * width - side / 2, side, side);
}

/** A die that is read by its corners has the number of each corner beside it, on every face that meets there. */
function atCorners(
  pen: CanvasRenderingContext2D,
  shape: Shape,
  face: number,
  cell: Cell,
  labels: readonly string[],
  thrown: string,
  colours: Colours,
): void {
  for (const corner of shape.faces[face]!) {
    const way = minus(shape.corners[corner]!, cell.heart);
    pen.save();
    pen.globalAlpha = labels[corner] === thrown ? 1 : QUIET;
    pen.rotate(Math.atan2(dot(way, cell.right), dot(way, cell.up)));
    pen.translate(0, -cell.reach * 100 * 0.47);
    draw(pen, { text: labels[corner]! }, 23, Infinity, colours);
    pen.restore();
  }
}

function draw(
  pen: CanvasRenderingContext2D,
  { text, icons = [], alone, pips }: PaintedFace,
  size: number,
  room: number,
  colours: Colours,
  changed?: () => void,
): void {
  pen.fillStyle = pen.strokeStyle = colours.ink;
  const row = (y: number, high: number): void => {
    for (const [n, icon] of icons.entries())
      mark(pen, icon, [(n - (icons.length - 1) / 2) * 1.24 * high, y], high, colours, changed);
  };
  if (alone) return row(0, size * (icons.length > 1 ? 0.8 : 1.25));
  if (pips) return dots(pen, pips);
  pen.font = `700 ${size}px ${colours.font}`;
  pen.font = `700 ${size * Math.min(1, room / pen.measureText(text).width)}px ${colours.font}`;
  pen.fillText(text, 0, (icons.length ? -size * 0.16 : 0) + size * 0.04);
  row(size * 0.58, size * (icons.length > 2 ? 0.44 : 0.62));
}

function dots(pen: CanvasRenderingContext2D, pips: number): void {
  for (const [x, y] of PIPS[pips]!) {
    pen.beginPath();
    pen.arc(x * 14.5, y * 14.5, 5.2, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** A picture is painted as soon as it is there. */
function pictured(
  pen: CanvasRenderingContext2D,
  address: string,
  [x, y]: readonly [number, number],
  size: number,
  changed?: () => void,
): void {
  const [place, alpha] = [pen.getTransform(), pen.globalAlpha];
  const image = new Image();
  image.onload = () => {
    pen.save();
    pen.setTransform(place);
    pen.globalAlpha = alpha;
    pen.drawImage(image, x - size / 2, y - size / 2, size, size);
    pen.restore();
    changed?.();
  };
  image.src = address;
}

function mark(
  pen: CanvasRenderingContext2D,
  icon: string,
  at: readonly [number, number],
  size: number,
  colours: Colours,
  changed?: () => void,
): void {
  const known = markOf(icon);
  const picture = known ? undefined : pictureOf(icon);
  if (picture) return pictured(pen, picture, at, size, changed);
  if (!known) {
    pen.font = `700 ${size}px ${colours.font}`;
    pen.fillText(icon, ...at);
    return;
  }
  const { area, line, width, hole }: Mark = MARKS[known];
  pen.save();
  pen.translate(...at);
  pen.scale(size / 24, size / 24);
  pen.lineWidth = width ?? 4;
  pen.lineCap = pen.lineJoin = "round";
  if (area) pen.fill(new Path2D(area));
  if (line) pen.stroke(new Path2D(line));
  pen.fillStyle = colours.body;
  if (hole) pen.fill(new Path2D(hole));
  pen.restore();
}
