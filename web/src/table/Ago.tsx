// When something happened.
import type { JSX } from "preact";
import { locale } from "../i18n";

export function Ago({ at }: { at: number }): JSX.Element {
  const when = new Date(at);
  return (
    <time class="ago" dateTime={when.toISOString()} title={when.toLocaleString(locale())}>
      {when.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })}
    </time>
  );
}
