/** A number that may not be more than there is: rounds are fired, Adrenaline is spent. */

import { useEffect } from "preact/hooks";
import type { Form } from "./form";

/** What a field holds, cut to the most there may be; what is rolled is cut with it. */
export function useWithin(form: Form, path: string, most: number): number {
  const held = form.number(path);
  useEffect(() => {
    if (held > most) form.set(path, most || undefined);
  }, [held, most]);
  return Math.min(held, most);
}
