// A component that is drawn again only when what it is given has changed.
import { Component, type ComponentType, type JSX } from "preact";

export function memo<P extends object>(
  Inner: (props: P) => JSX.Element,
  same: (one: P, other: P) => boolean,
): ComponentType<P> {
  return class Kept extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props as P, next);
    }

    override render(): JSX.Element {
      return <Inner {...(this.props as P)} />;
    }
  };
}
