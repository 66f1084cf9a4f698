// Pictures and numbers for elsewhere: as SVG, as PNG, as a spreadsheet, or straight into a chat.
import { copy, save } from "../ui/clipboard";
import { showToast } from "../ui/announcer";
import { t } from "../i18n";

/** Pixels of a picture for each of its own: sharp on a phone. */
const SHARP = 2;

const fileName = (name: string, ending: string): string =>
  `${
    name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "rollwright"
  }.${ending}`;

const RUNS = "script, foreignObject, iframe, embed, object, animate, set, a, use, image, handler";

/** A picture in which nothing runs and nothing is fetched, no matter who drew it: it may be opened as a page. */
export function harmless(svg: string): string {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (read.querySelector("parsererror") || read.documentElement.localName !== "svg") return "";
  for (const one of read.querySelectorAll(RUNS)) one.remove();
  for (const one of read.querySelectorAll("*"))
    for (const { name, value } of [...one.attributes])
      if (/^on/i.test(name) || /(href|src)$/i.test(name) || /url\(\s*["']?(?!#)/i.test(value))
        one.removeAttribute(name);
  for (const one of read.querySelectorAll("style")) if (/@import|url\(/i.test(one.textContent ?? "")) one.remove();
  return new XMLSerializer().serializeToString(read.documentElement);
}

export const saveText = (text: string, name: string, ending: "svg" | "csv" | "py"): void =>
  save(
    new Blob([ending === "svg" ? harmless(text) : text], {
      type: ending === "svg" ? "image/svg+xml" : "text/plain;charset=utf-8",
    }),
    fileName(name, ending),
  );

/** The picture as pixels. It is drawn as an image, in which nothing runs and nothing is fetched. */
async function pixels(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SHARP;
    canvas.height = image.naturalHeight * SHARP;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) =>
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

export const savePng = async (svg: string, name: string): Promise<void> =>
  save(await pixels(svg), fileName(name, "png"));

/** Into the clipboard, to be pasted into a chat; saved where the browser does not allow that. */
export async function copyPng(svg: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": pixels(svg) })]);
    showToast(t("bench.image_copied"));
  } catch {
    await savePng(svg, name);
  }
}

export const copyText = copy;
