/// <reference types="vite/client" />
// Every test begins with an empty page that knows no game, and English words of all parts.
import { render } from "preact";
import { afterEach } from "vitest";
import { bring, language } from "../src/i18n";
import { front } from "../src/i18n/text";

for (const part of Object.values(import.meta.glob("../src/i18n/en_*.ts", { eager: true })))
  for (const words of Object.values(part as Record<string, Parameters<typeof bring>[0]>)) bring(words);

// Every browser can lay something over a dialog; the page of these tests has no layers.
Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });

afterEach(() => {
  render(null, document.body);
  document.body.replaceChildren();
  front.value = null;
  language.value = "en";
});
