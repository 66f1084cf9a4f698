// Back closes what lies on top, one thing at a time, before it leaves the page.
import { useLayoutEffect, useRef } from "preact/hooks";

/** The open layers, the uppermost last. */
const open: { close: () => void }[] = [];
const depthNow = (): number => Number((history.state as { depth?: number } | null)?.depth ?? 0);
/**
 * The number of entries in the history for open layers; those of layers closed by hand are used again, or passed over.
 */
let depth = depthNow();
let where = location.href;

addEventListener("popstate", () => {
  const before = depth;
  depth = depthNow();
  if (depth >= before || location.href !== where) return;
  if (open.length <= depth) return history.back();
  for (const one of open.slice(depth).reverse()) one.close();
});

/** Closes something by Back as long as it is open: from the moment it is drawn until the moment it is gone. */
export function useBack(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const one = { close: () => latest.current() };
    open.push(one);
    depth = depthNow();
    where = location.href;
    if (open.length > depth) history.pushState({ depth: ++depth }, "");
    return () => void open.splice(open.indexOf(one), 1);
  }, [isOpen]);
}
