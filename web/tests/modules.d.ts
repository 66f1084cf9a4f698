declare module "dom-accessibility-api" {
  export function computeAccessibleName(element: Element): string;
  export function computeAccessibleDescription(element: Element): string;
}
declare function setImmediate(run: (value: unknown) => void): void;
