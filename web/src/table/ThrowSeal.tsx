// The seal on a roll: this browser has checked its dice, and says how.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Roll, ThrowEntry } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";

type FairnessProps = { roll: Roll; table: Table; onClose: () => void };

export function ThrowSeal({ roll, table }: { roll: Roll; table: Table }): JSX.Element | null {
  const throws = roll.entries.filter((entry): entry is ThrowEntry => entry.kind === "thrown" && !entry.taken);
  const [state, setState] = useState<"" | "good" | "bad">("");
  const [Open, setOpen] = useState<ComponentType<FairnessProps> | null>(null);
  useEffect(() => {
    if (!throws.some((entry) => entry.fair)) return;
    let gone = false;
    void import("./FairnessDialog").then(({ isFair }) => {
      if (!gone) setState(isFair(roll, table) ? "good" : "bad");
    });
    return () => void (gone = true);
  }, [roll.id, throws.length]);
  if (!throws.length) return null;
  const typed = throws.every((entry) => !entry.fair);
  const open = (): void => void import("./FairnessDialog").then((module) => setOpen(() => module.FairnessDialog));
  const part = throws.some((entry) => !entry.fair) || roll.entries.some(({ kind }) => kind === "veiled");
  const label = t(typed ? "fair.typed" : state === "bad" ? "fair.bad" : part ? "fair.part" : "fair.good");
  return (
    <>
      <button class={`button quiet verified ${state}`} onClick={open}>
        <Icon name={typed ? "hand" : state === "bad" ? "warn" : "seal"} size={18} />
        <span>{label}</span>
      </button>
      {Open && <Open roll={roll} table={table} onClose={() => setOpen(null)} />}
    </>
  );
}
