/** Dice that lie: each a picture of its own, drawn as it looked when it came to rest. */

import { Matrix4, PerspectiveCamera, Quaternion, type Mesh, type WebGLRenderer } from "three";
import type { Face, Kind } from "../dice/kinds";
import type { Turn } from "../dice/solids";
import { labelledDice, turnUp, type LabelledDie } from "./labels";
import type { Light } from "./light";
import { meshOf } from "./meshes";
import type { Colours, PaintedFace } from "./painting";

/** A die that lies somewhere. */
export interface RestingDie {
  /** The element in which the page draws it. */
  readonly place: Element;
  readonly kind: Kind;
  readonly face: Face;
  /** All faces of the die, where they are not 1, 2, 3 and so on. */
  readonly faces: readonly Face[] | null;
  readonly paint: (label: string) => PaintedFace;
}

/** One body of a die: how large it is, and how far beside the middle it lies. */
export interface Part {
  readonly rolled: LabelledDie;
  readonly scale: number;
  readonly aside: number;
}

/** How far the camera is from the felt, in dice. */
export const CAMERA = 24;
const PAIR = 0.64;
/**
 * How far a picture reaches from the middle of its die: the shadow falls to one side. As the page lays it in dice.css.
 */
const REACH = 0.95;
const LIT = 4;
const MOST_KEPT = 60;
const LEAST_PIXELS = 96;

/** The bodies of a die: two of a hundred-sider lie side by side. */
export function partsOf({ kind, face, faces }: Pick<RestingDie, "kind" | "face" | "faces">): Part[] {
  const bodies = labelledDice(kind, face, faces);
  return bodies.map((rolled, n) =>
    bodies.length > 1 ? { rolled, scale: PAIR, aside: (n - 0.5) * 0.56 } : { rolled, scale: 1, aside: 0 },
  );
}

/** The colours that the page gives a die, as it draws them. */
export function coloursOf(place: Element): Colours {
  const body = place.querySelector(".die-body");
  const style = getComputedStyle(place);
  return {
    body: (body && getComputedStyle(body).fill) || "#f1e9d6",
    ink: style.color,
    edge: place.closest("[data-worn]") ? "" : style.getPropertyValue("--die-edge").trim(),
    font: style.fontFamily,
  };
}

/** A turn as three.js has it. */
export function quaternion(turn: Turn): Quaternion {
  const [x, y, z] = turn;
  return new Quaternion().setFromRotationMatrix(new Matrix4().set(...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1));
}

/** Draws dice that lie; the same die is drawn once. */
export class RestingDice {
  private readonly camera = new PerspectiveCamera((2 * Math.atan(REACH / CAMERA) * 180) / Math.PI, 1, 1, 60);
  private readonly kept = new Map<string, HTMLCanvasElement>();

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly light: Light,
    private readonly changed: () => void,
  ) {
    this.camera.position.set(0, 0, CAMERA);
  }

  /** Forget all pictures: something about the looks of dice has changed. */
  forget(): void {
    this.kept.clear();
  }

  /** Draw a die onto a canvas; false where it is none that can roll. */
  draw(die: RestingDie, onto: HTMLCanvasElement): boolean {
    const parts = partsOf(die);
    const { width } = die.place.getBoundingClientRect();
    if (!parts.length || !width) return false;
    const pixels = Math.max(LEAST_PIXELS, Math.round(width * 2 * REACH * Math.min(devicePixelRatio, 2)));
    const colours = coloursOf(die.place);
    const painted = parts.map(({ rolled: { shape, labels, wanted } }) => [shape.name, labels.map(die.paint), wanted]);
    const picture = this.pictured(
      JSON.stringify([painted, colours, pixels]),
      () => parts.map((part) => this.laid(part, die, colours)),
      pixels,
    );
    onto.width = onto.height = pixels;
    onto.getContext("2d")!.drawImage(picture, 0, 0);
    return true;
  }

  private laid({ rolled, scale, aside }: Part, die: RestingDie, colours: Colours): Mesh {
    const mesh = meshOf(rolled, die.paint, colours, this.changed);
    mesh.scale.setScalar(scale);
    mesh.position.x = aside;
    mesh.quaternion.copy(quaternion(turnUp(rolled.shape, rolled.wanted)));
    return mesh;
  }

  private pictured(key: string, lay: () => Mesh[], pixels: number): HTMLCanvasElement {
    const known = this.kept.get(key);
    if (known) return known;
    for (const old of this.kept.keys()) if (this.kept.size >= MOST_KEPT) this.kept.delete(old);
    const { renderer, light } = this;
    const meshes = lay();
    light.scene.add(...meshes);
    light.reach(LIT);
    renderer.setPixelRatio(1);
    renderer.setSize(pixels, pixels);
    renderer.render(light.scene, this.camera);
    light.scene.remove(...meshes);
    const made = document.createElement("canvas");
    made.width = made.height = pixels;
    made.getContext("2d")!.drawImage(renderer.domElement, 0, 0);
    this.kept.set(key, made);
    return made;
  }
}
