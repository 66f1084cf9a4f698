/** The light over the felt, and the shadow on it: the same for dice that roll and for dice that lie. */

import {
  DirectionalLight,
  HemisphereLight,
  Mesh,
  PCFShadowMap,
  PlaneGeometry,
  Scene,
  ShadowMaterial,
  type WebGLRenderer,
} from "three";

/** Height of the felt, below the middle of a die that rests on it. */
export const FLOOR = -0.42;
const FAR_OFF = 30;
/** How soft a shadow is: as much on a wide felt as on a small one. */
const SOFT = 34;

export class Light {
  readonly scene = new Scene();
  private readonly lamp = new DirectionalLight("#fff9ef", 3.1);

  constructor(renderer: WebGLRenderer) {
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    const floor = new Mesh(new PlaneGeometry(60, 60), new ShadowMaterial({ opacity: 0.3 }));
    floor.position.z = FLOOR;
    floor.receiveShadow = true;
    this.lamp.castShadow = true;
    this.lamp.shadow.mapSize.set(1024, 1024);
    this.lamp.shadow.bias = -0.0008;
    this.lamp.shadow.normalBias = 0.01;
    this.lamp.position.set(-3.2, 5, 8);
    this.scene.add(floor, this.lamp, this.lamp.target, new HemisphereLight("#ffffff", "#7d776c", 1.1));
  }

  /** Light so much of the felt, from its middle. */
  reach(far: number): void {
    Object.assign(this.lamp.shadow.camera, { left: -far, right: far, top: far, bottom: -far, near: 1, far: FAR_OFF });
    this.lamp.shadow.radius = SOFT / far;
    this.lamp.shadow.camera.updateProjectionMatrix();
  }
}
