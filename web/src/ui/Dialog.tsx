// A dialog that keeps focus inside, closes on Escape and on Back, and gives focus back.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n";
import { useBack } from "./back_button";
import { Icon } from "./icons";
import { inFront } from "./announcer";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  broad?: boolean;
}

export function Dialog({ title, onClose, children, broad }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current!.showModal();
    const back = inFront(dialog.current!);
    return () => {
      back();
      if (before?.isConnected) before.focus();
    };
  }, []);
  useBack(true, onClose);
  const outside = (event: MouseEvent): void => void (event.target === dialog.current && onClose());
  return (
    <dialog
      ref={dialog}
      class={`sheet-dialog ${broad ? "broad" : ""}`}
      aria-labelledby={id}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onMouseDown={outside}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button class="button quiet round" aria-label={t("do.close")} onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <div class="inside">{children}</div>
    </dialog>
  );
}
