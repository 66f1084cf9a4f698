/** The table top over the page: light, shadows, and dice that roll to where the page draws them. */

import { DirectionalLight, HemisphereLight, Matrix4, Mesh, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion, Scene, ShadowMaterial, Vector3, WebGLRenderer } from "three";
import type { Face, Kind } from "../dice/kinds";
import type { Turn } from "../dice/solids";
import { fitted, labelUp, rolledOf, shown, type Rolled } from "./labels";
import { meshOf } from "./meshes";
import type { Painted } from "./painting";
import { then } from "./shapes";
import { FRAME, toss, type Track } from "./tossing";

/** A die that is to be rolled. */
export interface Asked {
  /** Where the page draws it. */
  readonly place: Element;
  readonly kind: Kind;
  readonly face: Face;
  /** All faces of the die, where they are not 1, 2, 3 and so on. */
  readonly faces: readonly Face[] | null;
  readonly paint: (label: string) => Painted;
  /** Called once it lies there, whatever happens. */
  readonly landed: () => void;
}

export interface Flight {
  settle(): void;
  stop(): void;
}

interface Waiting {
  readonly asked: Asked;
  readonly parts: readonly Rolled[];
}

interface Rolling {
  readonly mesh: Mesh;
  readonly track: Track;
  /** How it lies in its hull. */
  readonly hull: Quaternion;
  readonly goal: { readonly at: Vector3; readonly turn: Quaternion };
  readonly scale: number;
}

const LINE_UP = 0.3;
const FADE = 120;
const CAMERA = 16;
const FLOOR = -0.42;
const MARGIN = 1.4;
const LEAST = { width: 5, height: 3.6 };
const PAIR = 0.64;
/** After two throws with too few pictures a second the page's own dice do. */
const PATIENCE = 2;
const MOST_TRIES = 20;
export const MOST_ROLLED = 20;

/** The one table top of the page. */
export class Stage {
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(20, 1, 1, 60);
  private readonly lamp = new DirectionalLight("#fff4e0", 2.5);
  private waiting: Waiting[] = [];
  private rolling: Rolling[] = [];
  private thrown: Waiting[] = [];
  private began = 0;
  private frame = 0;
  private fading = 0;
  private from = { left: 0, top: 0 };
  private works = true;
  private pictures = 0;
  private slow = 0;

  constructor(private readonly renderer: WebGLRenderer, private readonly least: number, private readonly onSlow: () => void) {
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.domElement.className = "dice3d";
    renderer.domElement.setAttribute("aria-hidden", "true");
    renderer.domElement.addEventListener("webglcontextlost", () => this.fail());
    const floor = new Mesh(new PlaneGeometry(60, 60), new ShadowMaterial({ opacity: 0.34 }));
    floor.position.z = FLOOR;
    floor.receiveShadow = true;
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.set(1024, 1024);
    this.lamp.shadow.radius = 5;
    this.lamp.shadow.bias = -0.0008;
    this.lamp.shadow.normalBias = 0.01;
    this.scene.add(floor, this.lamp, this.lamp.target, new HemisphereLight("#ffffff", "#b9ad98", 1.75));
    this.lamp.position.set(-3.2, 5, 8);
  }

  /** Take a die to be rolled with all others of this moment; null where it cannot be. */
  toss(asked: Asked): Flight | null {
    if (!this.works || this.rolling.length) return null;
    const parts = rolledOf(asked.kind, asked.face, asked.faces);
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
    const seen = { left: Math.min(...places.map((p) => p.left)), right: Math.max(...places.map((p) => p.right)), top: Math.min(...places.map((p) => p.top)), bottom: Math.max(...places.map((p) => p.bottom)) };
    if (!unit || seen.bottom < 0 || seen.top > innerHeight) return false;
    const area = roomFor(seen, unit, this.thrown.length);
    const bodies = this.thrown.flatMap(({ asked, parts }, n) => parts.map((rolled, part) => ({ asked, rolled, place: places[n]!, scale: (places[n]!.width / unit) * (parts.length > 1 ? PAIR : 1), aside: parts.length > 1 ? (part - 0.5) * 0.56 : 0 })));
    const tracks = toss(bodies.map(({ rolled, scale }) => ({ shape: rolled.shape, scale })), area.width / unit, area.height / unit, Math.floor(Math.random() * 2 ** 31));
    this.rolling = bodies.map(({ asked, rolled, place, scale, aside }, n): Rolling => {
      const track = tracks[n]!;
      const hull = fitted(rolled, track.pose);
      if (labelUp(rolled, then(hull, track.pose)) !== rolled.labels[rolled.wanted]) throw new Error(rolled.shape.name);
      const mesh = meshOf(rolled, asked.paint, coloursOf(asked.place));
      mesh.scale.setScalar(scale);
      this.scene.add(mesh);
      const at = new Vector3((place.left + place.width / 2 - area.x) / unit + aside, -(place.top + place.height / 2 - area.y) / unit, 0);
      return { mesh, track, scale, hull: quaternion(hull), goal: { at, turn: quaternion(shown(rolled.shape, rolled.wanted)) } };
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
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    canvas.style.left = `${area.x - width / 2}px`;
    canvas.style.top = `${area.y - height / 2}px`;
    canvas.style.transform = "";
    canvas.style.opacity = "1";
    clearTimeout(this.fading);
    if (!canvas.isConnected) document.body.append(canvas);
    const tall = height / unit;
    this.camera.aspect = width / height;
    this.camera.fov = (2 * Math.atan(tall / 2 / CAMERA) * 180) / Math.PI;
    this.camera.position.set(0, 0, CAMERA);
    this.camera.updateProjectionMatrix();
    const far = Math.max(tall, width / unit) / 2 + 1;
    Object.assign(this.lamp.shadow.camera, { left: -far, right: far, top: far, bottom: -far, near: 1, far: 30 });
    this.lamp.shadow.camera.updateProjectionMatrix();
  }

  private step(now: number): void {
    this.began ||= now;
    const time = (now - this.began) / 1000;
    const rolls = (this.rolling[0]!.track.frames - 1) * FRAME;
    for (const one of this.rolling) put(one, time, rolls);
    this.follow();
    this.renderer.render(this.scene, this.camera);
    this.pictures += 1;
    if (time < rolls + LINE_UP) this.frame = requestAnimationFrame((next) => this.step(next));
    else {
      this.slow = this.pictures < this.least * time ? this.slow + 1 : 0;
      this.works = this.slow < PATIENCE;
      if (!this.works) this.onSlow();
      this.end();
    }
  }

  /** The page may scroll while dice roll. */
  private follow(): void {
    const place = this.thrown[0]?.asked.place.getBoundingClientRect();
    if (place?.width) this.renderer.domElement.style.transform = `translate(${place.left - this.from.left}px, ${place.top - this.from.top}px)`;
  }

  /** Hand over to the page's own dice, which lie in the same places. */
  private end(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const landed = this.thrown;
    this.thrown = [];
    for (const { mesh } of this.rolling) this.scene.remove(mesh);
    this.rolling = [];
    const canvas = this.renderer.domElement;
    canvas.style.opacity = "0";
    this.fading = window.setTimeout(() => canvas.remove(), FADE);
    for (const { asked } of landed) asked.landed();
  }

  /** Without a picture the page's own dice are there at once, now and from now on. */
  private fail(): void {
    this.works = false;
    this.end();
  }

  /** Have everything ready before the first throw: a driver may take its time over it. */
  warm(): void {
    const [sample] = rolledOf({ name: "d6", shape: "d6", sides: 6, role: "" }, 1, null);
    const mesh = meshOf(sample!, (text) => ({ text }), { body: "#eee", ink: "#111" });
    this.scene.add(mesh);
    this.camera.position.set(0, 0, CAMERA);
    this.renderer.setSize(8, 8);
    this.renderer.render(this.scene, this.camera);
    this.scene.remove(mesh);
  }
}

interface Area {
  /** Its middle on the screen. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Room to roll around the places where dice will lie, inside what can be seen. */
function roomFor(seen: { left: number; right: number; top: number; bottom: number }, unit: number, dice: number): Area {
  const more = Math.sqrt(Math.max(1, dice / 6));
  const width = Math.min(innerWidth, Math.max(seen.right - seen.left + unit, LEAST.width * unit * more));
  const height = Math.min(innerHeight, Math.max(seen.bottom - seen.top + unit, LEAST.height * unit * more));
  const inside = (middle: number, size: number, all: number): number => Math.max(size / 2, Math.min(all - size / 2, middle));
  return { x: inside((seen.left + seen.right) / 2, width, innerWidth), y: inside((seen.top + seen.bottom) / 2, height, innerHeight), width, height };
}

function coloursOf(place: Element): { body: string; ink: string } {
  const style = getComputedStyle(place);
  return { body: style.getPropertyValue("--body").trim() || "#f1e9d6", ink: style.getPropertyValue("--ink-on-die").trim() || "#221b12" };
}

function quaternion(turn: Turn): Quaternion {
  const [x, y, z] = turn;
  return new Quaternion().setFromRotationMatrix(new Matrix4().set(...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1));
}

const [here, there] = [new Quaternion(), new Quaternion()];

/** Where a die is: on its track while it rolls, then gently turned and moved to its place. */
function put({ mesh, track, hull, goal }: Rolling, time: number, rolls: number): void {
  const exact = Math.min(track.frames - 1, time / FRAME);
  const [first, part] = [Math.floor(exact), exact % 1];
  const second = Math.min(track.frames - 1, first + 1);
  const { at } = track;
  const [a, b] = [first * 7, second * 7];
  const between = (n: number): number => at[a + n]! + (at[b + n]! - at[a + n]!) * part;
  mesh.position.set(between(0), between(1), between(2) + FLOOR);
  here.set(at[a + 3]!, at[a + 4]!, at[a + 5]!, at[a + 6]!);
  there.set(at[b + 3]!, at[b + 4]!, at[b + 5]!, at[b + 6]!);
  mesh.quaternion.copy(here.slerp(there, part)).multiply(hull);
  const line = Math.max(0, Math.min(1, (time - rolls) / LINE_UP));
  const eased = line * line * (3 - 2 * line);
  mesh.position.lerp(goal.at, eased);
  mesh.quaternion.slerp(goal.turn, eased);
}
