// A part of a screen that is fetched when it is first needed, and again where the network failed.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

const PAUSE = 2_000;

export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: () => JSX.Element | null = () => null,
): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Later(props: P): JSX.Element | null {
    const [, drawn] = useState(0);
    const Part = found;
    useEffect(() => {
      if (Part) return;
      let timer = 0;
      // It may have come for another since this was drawn: then it is at hand, and drawn here too.
      const fetchIt = (): void =>
        void load().then(
          (part) => {
            found = part;
            drawn(1);
          },
          () => (timer = window.setTimeout(fetchIt, PAUSE)),
        );
      fetchIt();
      return () => clearTimeout(timer);
    }, []);
    return Part ? <Part {...props} /> : waiting();
  };
}
