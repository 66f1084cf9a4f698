// Sets theme, text size and language before anything is drawn, so nothing flashes.
const kept = (name: string): string => {
  try {
    return localStorage.getItem(`rollwright.${name}`) ?? "";
  } catch {
    return "";
  }
};
const root = document.documentElement;
root.dataset.theme = kept("theme") || "system";
root.dataset.motion = kept("motion") || "system";
root.style.setProperty("--text-size", kept("text") || "1");
export {};
