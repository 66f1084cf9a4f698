// Copying and sharing, also where the browser's own way is shut.
import { t } from "../i18n";
import { showToast } from "./announcer";

export async function copy(text: string, said = t("copied.text")): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    const place = document.querySelector("dialog[open]") ?? document.body;
    place.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  showToast(said);
}

export async function share(title: string, url: string): Promise<void> {
  if (!navigator.share) return copy(url, t("copied.link"));
  await navigator.share({ title, url }).catch(() => {});
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
