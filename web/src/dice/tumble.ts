/** Dice in the air: one loop turns every solid that has not come to rest. */

import { after, around, project, type Point, type Solid, type Turn } from "./solids";

export const SPIN = 220;
/** The shortest time a die is in the air, in milliseconds. */
export const SETTLE = 560;
/** How long it takes to come to rest once its face is known. */
export const MOST_TURNING = 24;
/** More dice than this shake as pictures instead of turning corner by corner. */

interface Flying {
  readonly place: SVGGElement;
  readonly die: Solid;
  readonly axis: Point;
  readonly speed: number;
  readonly begun: number;
  readonly landed: () => void;
  settling: number | null;
}

const flying = new Set<Flying>();
let frame = 0;

export interface Tumble {
  /** The face is known: come to rest. */
  settle(): void;
  stop(): void;
}

/** Throw a die: it turns in `place` until `settle`, then `landed` is called. */
export function fly(place: SVGGElement, die: Solid, delay: number, landed: () => void): Tumble {
  const flight: Flying = {
    place,
    die,
    axis: [Math.random() - 0.5, Math.random() - 0.5, (Math.random() - 0.5) * 0.6],
    speed: 0.011 + Math.random() * 0.006,
    begun: performance.now() + delay,
    landed,
    settling: null,
  };
  prepare(place, die);
  flying.add(flight);
  draw(flight, performance.now());
  if (!frame) frame = requestAnimationFrame(step);
  return {
    settle() {
      flight.settling ??= Math.max(performance.now(), flight.begun + SPIN);
    },
    stop() {
      flying.delete(flight);
      place.replaceChildren();
    },
  };
}

/** A coin, a card or one of very many dice: its picture shakes, and its face shows when it lies. */
export function shake(delay: number, landed: () => void): Tumble {
  let timer = 0;
  return {
    settle() {
      timer ||= window.setTimeout(landed, delay + SPIN + SETTLE);
    },
    stop: () => clearTimeout(timer),
  };
}

function prepare(place: SVGGElement, die: Solid): void {
  const paths = Array.from({ length: die.faces.length + 1 }, (_, n) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", n ? "die-facet" : "die-body");
    return path;
  });
  place.replaceChildren(...paths);
}

function step(now: number): void {
  for (const flight of flying) {
    const rest = flight.settling === null ? Infinity : flight.settling + SETTLE;
    if (now >= rest) {
      flying.delete(flight);
      flight.place.replaceChildren();
      flight.place.removeAttribute("transform");
      flight.landed();
    } else draw(flight, now);
  }
  frame = flying.size ? requestAnimationFrame(step) : 0;
}

/** How far a die still has to turn: steady in the air, slower and slower while it settles. */
function angleLeft(flight: Flying, now: number): number {
  const total = flight.speed * SETTLE * 0.5;
  if (flight.settling === null || now < flight.settling)
    return total + flight.speed * ((flight.settling ?? flight.begun + 1e5) - now);
  const left = 1 - (now - flight.settling) / SETTLE;
  return total * left * left;
}

function height(flight: Flying, now: number): number {
  if (flight.settling === null || now < flight.settling) return -9 - 7 * Math.abs(Math.sin((now - flight.begun) / 95));
  const done = (now - flight.settling) / SETTLE;
  return -16 * (1 - done) ** 1.5 * Math.abs(Math.cos(done * Math.PI * 2.5));
}

function draw(flight: Flying, now: number): void {
  const turn: Turn = after(flight.die.rest, around(flight.axis, angleLeft(flight, now)));
  const view = project(flight.die, turn);
  const paths = flight.place.children;
  paths[0]!.setAttribute("d", view.outline);
  for (let n = 1; n < paths.length; n++) {
    const facet = view.facets[n - 1];
    const path = paths[n]!;
    path.setAttribute("d", facet ? facet.path : "");
    if (facet) shade(path, facet.light);
  }
  flight.place.setAttribute("transform", `translate(0 ${height(flight, now).toFixed(1)})`);
}

/** Light and shadow lie over the colour of the die, so one drawing serves every colour. */
function shade(path: Element, light: number): void {
  path.setAttribute("fill", light > 0 ? "#fff" : "#000");
  path.setAttribute("fill-opacity", Math.min(0.55, Math.abs(light) * 0.42).toFixed(2));
}
