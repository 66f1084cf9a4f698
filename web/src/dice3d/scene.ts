/** The table top over the page: dice roll to where the page draws them, and stay there. */

import { type Mesh, PerspectiveCamera, Quaternion, Vector3, type WebGLRenderer } from "three";
import { fitPose, labelUp, turnUp } from "./labels";
import { FLOOR, Light } from "./light";
import { CAMERA, coloursOf, RestingDice, partsOf, quaternion, type RestingDie, type Part } from "./resting_dice";
import { forgetPaint, meshOf } from "./meshes";
import { combine } from "./shapes";
import { FRAME, toss, type Track } from "./tossing";

/** A die that is to be rolled. */
export interface TossedDie extends RestingDie {
  /** Called once it has landed, even after an error. */
  readonly landed: () => void;
}

/**
 * How a die lies: as a solid, as the page's own flat one, or as it lay before until the dice in the air have landed.
 */
export type DieDrawing = "solid" | "flat" | "later";

/** Callbacks of the stage for the page. */
export interface DiceSceneEvents {
  /** It draws too slowly, and has stopped. */
  readonly slow: () => void;
  /** Resting dice have to be redrawn. */
  readonly changed: () => void;
}

export interface TossFlight {
  settle(): void;
  stop(): void;
}

interface Waiting {
  readonly asked: TossedDie;
  readonly parts: readonly Part[];
}

interface Rolling {
  readonly mesh: Mesh;
  readonly track: Track;
  /** How it lies in its hull. */
  readonly hull: Quaternion;
  readonly goal: { readonly at: Vector3; readonly turn: Quaternion };
}

const LINE_UP = 0.3;
const MARGIN = 1.4;
const LEAST = { width: 5, height: 3.6 };
/** After two throws with too few pictures a second the page's own dice do. */
const PATIENCE = 2;
/** After a throw with fewer pictures a second, dice in the air are drawn with this part of their pixels each way. */
const SMOOTH = 30;
const COARSE = 0.7;
const MOST_TRIES = 20;
export const MOST_ROLLED = 20;

/** The one table top of the page. */
export class DiceScene {
  private readonly light: Light;
  private readonly lying: RestingDice;
  private readonly camera = new PerspectiveCamera(20, 1, 1, 60);
  private waiting: Waiting[] = [];
  private rolling: Rolling[] = [];
  private thrown: Waiting[] = [];
  private began = 0;
  private frame = 0;
  private from = { left: 0, top: 0 };
  private works = true;
  private delayed = false;
  private pictures = 0;
  private slow = 0;
  private coarse = false;

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly least: number,
    private readonly told: DiceSceneEvents,
  ) {
    this.light = new Light(renderer);
    this.lying = new RestingDice(renderer, this.light, () => this.repaint());
    renderer.domElement.className = "dice3d";
    renderer.domElement.setAttribute("aria-hidden", "true");
    renderer.domElement.addEventListener("webglcontextlost", () => this.fail());
    document.fonts.addEventListener("loadingdone", () => this.wear());
  }

  /** Draw a die that lies still onto its own canvas. */
  lie(die: RestingDie, onto: HTMLCanvasElement): DieDrawing {
    if (!this.works) return "flat";
    if (this.rolling.length) {
      this.delayed = true;
      return "later";
    }
    try {
      return this.lying.draw(die, onto) ? "solid" : "flat";
    } catch {
      this.fail();
      return "flat";
    }
  }

  /** The looks of dice have changed: repaint all. */
  wear(): void {
    forgetPaint();
    this.repaint();
  }

  private repaint(): void {
    this.lying.forget();
    this.told.changed();
  }

  /** Take a die to be rolled with all others of this moment; null where it cannot be. */
  toss(asked: TossedDie): TossFlight | null {
    if (!this.works || this.rolling.length) return null;
    const parts = partsOf(asked);
    if (!parts.length || this.waiting.length >= MOST_ROLLED) return null;
    const one = { asked, parts };
    this.waiting.push(one);
    if (!this.frame) this.frame = requestAnimationFrame(() => this.begin());
    return { settle: () => undefined, stop: () => this.forget(one) };
  }

  private forget(one: Waiting): void {
    this.waiting = this.waiting.filter((other) => other !== one);
    this.thrown = this.thrown.filter((other) => other !== one);
    if (this.rolling.length && !this.thrown.length) this.end();
  }

  /** Dice may be there a moment before the part of the page that shows them is. */
  private begin(tries = 0): void {
    if (tries < MOST_TRIES && !this.waiting.some(({ asked }) => asked.place.getBoundingClientRect().width)) {
      this.frame = requestAnimationFrame(() => this.begin(tries + 1));
      return;
    }
    this.frame = 0;
    this.thrown = this.waiting;
    this.waiting = [];
    try {
      if (!this.lay()) return this.end();
    } catch {
      return this.fail();
    }
    this.pictures = 0;
    this.began = 0;
    this.frame = requestAnimationFrame((now) => this.step(now));
  }

  /** Work the whole throw out, and set it up to be shown; false where there is nothing to be seen. */
  private lay(): boolean {
    const places = this.thrown.map(({ asked }) => asked.place.getBoundingClientRect());
    const unit = Math.max(0, ...places.map((place) => place.width));
    const seen = {
      left: Math.min(...places.map((p) => p.left)),
      right: Math.max(...places.map((p) => p.right)),
      top: Math.min(...places.map((p) => p.top)),
      bottom: Math.max(...places.map((p) => p.bottom)),
    };
    if (!unit || seen.bottom < 0 || seen.top > innerHeight) return false;
    const area = roomFor(seen, unit, this.thrown.length, feltOf(this.thrown[0]!.asked.place));
    const bodies = this.thrown.flatMap(({ asked, parts }, n) => {
      const large = places[n]!.width / unit;
      return parts.map((part) => ({
        asked,
        rolled: part.rolled,
        place: places[n]!,
        scale: part.scale * large,
        aside: part.aside * large,
      }));
    });
    const tracks = toss(
      bodies.map(({ rolled, scale }) => ({ shape: rolled.shape, scale })),
      area.width / unit,
      area.height / unit,
      Math.floor(Math.random() * 2 ** 31),
    );
    this.rolling = bodies.map(({ asked, rolled, place, scale, aside }, n): Rolling => {
      const track = tracks[n]!;
      const hull = fitPose(rolled, track.pose);
      if (labelUp(rolled, combine(hull, track.pose)) !== rolled.labels[rolled.wanted])
        throw new Error(rolled.shape.name);
      const mesh = meshOf(rolled, asked.paint, coloursOf(asked.place), () => this.repaint());
      mesh.scale.setScalar(scale);
      this.light.scene.add(mesh);
      const at = new Vector3(
        (place.left + place.width / 2 - area.x) / unit + aside,
        -(place.top + place.height / 2 - area.y) / unit,
        0,
      );
      return {
        mesh,
        track,
        hull: quaternion(hull),
        goal: { at, turn: facing(at).multiply(quaternion(turnUp(rolled.shape, rolled.wanted))) },
      };
    });
    this.spread(area, unit);
    this.from = { left: places[0]!.left, top: places[0]!.top };
    return true;
  }

  /** Lay the canvas over the area, with the camera straight above it. */
  private spread(area: Area, unit: number): void {
    const width = area.width + 2 * MARGIN * unit;
    const height = area.height + 2 * MARGIN * unit;
    const canvas = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * (this.coarse ? COARSE : 1));
    this.renderer.setSize(width, height);
    canvas.style.left = `${area.x - width / 2}px`;
    canvas.style.top = `${area.y - height / 2}px`;
    canvas.style.transform = "";
    const over = beyond(feltOf(this.thrown[0]!.asked.place), area.x - width / 2, area.y - height / 2, width, height);
    canvas.style.clipPath = `inset(${over.map((many) => `${many}px`).join(" ")})`;
    canvas.style.mask = softened(over, width, height);
    if (!canvas.isConnected) document.body.append(canvas);
    const tall = height / unit;
    this.camera.aspect = width / height;
    this.camera.fov = (2 * Math.atan(tall / 2 / CAMERA) * 180) / Math.PI;
    this.camera.position.set(0, 0, CAMERA);
    this.camera.updateProjectionMatrix();
    this.light.reach(Math.max(tall, width / unit) / 2 + 1);
  }

  private step(now: number): void {
    this.began ||= now;
    const time = (now - this.began) / 1000;
    const rolls = (this.rolling[0]!.track.frames - 1) * FRAME;
    for (const one of this.rolling) put(one, time, rolls);
    this.follow();
    this.renderer.render(this.light.scene, this.camera);
    this.pictures += 1;
    if (time < rolls + LINE_UP) this.frame = requestAnimationFrame((next) => this.step(next));
    else {
      this.slow = this.pictures < this.least * time ? this.slow + 1 : 0;
      this.coarse ||= this.pictures < SMOOTH * time;
      this.works = this.slow < PATIENCE;
      if (!this.works) this.told.slow();
      this.end();
    }
  }

  /** The page may scroll while dice roll. */
  private follow(): void {
    const place = this.thrown[0]?.asked.place.getBoundingClientRect();
    if (!place?.width) return;
    const x = place.left - this.from.left;
    const y = place.top - this.from.top;
    this.renderer.domElement.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Hand over to the dice that lie, which are drawn in the same places before the next picture. */
  private end(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const landed = this.thrown;
    this.thrown = [];
    for (const { mesh } of this.rolling) this.light.scene.remove(mesh);
    this.rolling = [];
    this.renderer.domElement.remove();
    for (const { asked } of landed) asked.landed();
    if (this.delayed || !this.works) this.told.changed();
    this.delayed = false;
  }

  /** Without a picture the page's own dice are there at once, now and from now on. */
  private fail(): void {
    this.works = false;
    this.end();
  }

  /** Have everything ready before the first throw: a driver may take its time over it. */
  warm(): void {
    const place = document.createElement("i");
    Object.assign(place.style, { position: "fixed", width: "8px" });
    document.body.append(place);
    this.lying.draw(
      {
        place,
        kind: { name: "d6", shape: "d6", sides: 6, role: "" },
        face: 1,
        faces: null,
        paint: (text) => ({ text }),
      },
      document.createElement("canvas"),
    );
    place.remove();
  }
}

interface Area {
  /** Its middle on the screen. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The felt that dice are thrown on, as far as it is in sight. */
function feltOf(place: Element): Box {
  const all = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
  const felt = place.closest(".stage-pane, main")?.getBoundingClientRect() ?? all;
  return {
    left: Math.max(0, felt.left),
    right: Math.min(all.right, felt.right),
    top: Math.max(0, felt.top),
    bottom: Math.min(all.bottom, felt.bottom),
  };
}

/** Room to roll around the places where dice will lie, on the felt. */
function roomFor(seen: Box, unit: number, dice: number, felt: Box): Area {
  const more = Math.sqrt(Math.max(1, dice / 6));
  const width = Math.min(felt.right - felt.left, Math.max(seen.right - seen.left + unit, LEAST.width * unit * more));
  const height = Math.min(felt.bottom - felt.top, Math.max(seen.bottom - seen.top + unit, LEAST.height * unit * more));
  const inside = (middle: number, size: number, from: number, to: number): number =>
    Math.max(from + size / 2, Math.min(to - size / 2, middle));
  return {
    x: inside((seen.left + seen.right) / 2, width, felt.left, felt.right),
    y: inside((seen.top + seen.bottom) / 2, height, felt.top, felt.bottom),
    width,
    height,
  };
}

/** Dice stay on the felt they are thrown on: how much of their canvas lies beyond it, above, right, below and left. */
const beyond = (felt: Box, left: number, top: number, width: number, height: number): number[] =>
  [felt.top - top, left + width - felt.right, top + height - felt.bottom, felt.left - left].map((many) =>
    Math.max(0, many),
  );

/** Pixels over which dice come into sight at an edge of the felt. */
const SOFT = 32;

/** At the edges of the felt dice come into sight softly: none is cut by a line. */
function softened(
  [top = 0, right = 0, bottom = 0, left = 0]: readonly number[],
  width: number,
  height: number,
): string {
  const fade = (to: string, size: number, before: number, after: number): string => {
    const begins = before ? `transparent ${before}px, #000 ${before + SOFT}px` : "#000";
    const ends = after ? `#000 ${size - after - SOFT}px, transparent ${size - after}px` : "#000";
    return `linear-gradient(to ${to}, ${begins}, ${ends})`;
  };
  return `${fade("right", width, left, right)} intersect, ${fade("bottom", height, top, bottom)}`;
}

const STRAIGHT = new Vector3(0, 0, 1);

/** The turn that shows a die beside the middle as one in the middle is seen, and so as it is drawn when it lies. */
const facing = (at: Vector3): Quaternion =>
  new Quaternion().setFromUnitVectors(STRAIGHT, new Vector3(0, 0, CAMERA).sub(at).normalize());

const [here, there] = [new Quaternion(), new Quaternion()];

/** Moves a die: along its track while it rolls, then gently turned to its place. */
function put({ mesh, track, hull, goal }: Rolling, time: number, rolls: number): void {
  const exact = Math.min(track.frames - 1, time / FRAME);
  const [first, part] = [Math.floor(exact), exact % 1];
  const second = Math.min(track.frames - 1, first + 1);
  const { at } = track;
  const [a, b] = [first * 7, second * 7];
  const between = (n: number): number => at[a + n]! + (at[b + n]! - at[a + n]!) * part;
  mesh.position.set(between(0), between(1), between(2) + FLOOR);
  here.fromArray(at, a + 3);
  there.fromArray(at, b + 3);
  mesh.quaternion.copy(here.slerp(there, part)).multiply(hull);
  const line = Math.max(0, Math.min(1, (time - rolls) / LINE_UP));
  const eased = line * line * (3 - 2 * line);
  mesh.position.lerp(goal.at, eased);
  mesh.quaternion.slerp(goal.turn, eased);
}
