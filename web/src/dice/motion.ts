/** Whether anything may move: the page's own setting first, then the reader's system. */

/** Whether the reader wants no motion. */
export function isStill(): boolean {
  const set = document.documentElement.dataset.motion;
  if (set === "none") return true;
  return set !== "full" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether anything that moves now is seen. */
export const movesHere = (): boolean => !isStill() && !document.hidden;
