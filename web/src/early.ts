// Sets theme, text size and language before anything is drawn, so nothing flashes.
// No module, so it cannot share app/base.ts: names are those that this makes.
const above = new URL("..", (document.currentScript as HTMLScriptElement).src).pathname.slice(0, -1);
const kept = (name: string): string => {
  try {
    return localStorage.getItem(`rollwright${above}.${name}`) ?? "";
  } catch {
    return "";
  }
};
const root = document.documentElement;
root.dataset.theme = kept("theme") || "system";
root.dataset.motion = kept("motion") || "system";
root.style.setProperty("--text-size", kept("text") || "1");
// An overlay on a stream has no background, not even before anything is drawn.
if (location.pathname === `${above}/overlay`) root.dataset.overlay = "";
export {};
