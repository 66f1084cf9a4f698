// Faces read off real dice: one tap a die.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { diceOf } from "../fair/stream";
import type { Plain, Roll, Waiting } from "../state/types";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";

type Throw = Extract<Waiting, { step: "throw" }>;
const MOST_BUTTONS = 20;

export function FacesEntry({ roll, after, table, may }: { roll: Roll; after: Throw; table: Table; may: boolean }): JSX.Element {
  const shapes = diceOf(after.pool);
  const [faces, setFaces] = useState<Plain[]>([]);
  useEffect(() => setFaces([]), [roll.last]);
  if (!may) {
    return <div class="waiting"><Icon name="hourglass" size={20} /><p>{t("faces.waits", { name: table.nameOf(after.by || roll.by) })}</p></div>;
  }
  const at = faces.length;
  const put = (face: Plain): void => setFaces([...faces, face]);
  const enter = (): void => void table.send({ do: "roll.enter", roll: roll.id, faces }).catch(tellProblem);
  const virtual = (): void => void table.send({ do: "roll.throw", roll: roll.id }).catch(tellProblem);
  return (
    <div class="decision faces" role="group" aria-label={t("faces.label")}>
      <p class="decision-ask"><Icon name="hand" size={20} /><strong>{t("faces.title")}</strong></p>
      <ol class="row tight">
        {after.dice.map((die, n) => (
          <li key={n} class={`chip ${n === at ? "brass" : ""}`}>{die}{n < at ? `: ${String(faces[n])}` : ""}</li>
        ))}
      </ol>
      {at < shapes.length ? (
        <>
          <p class="small">{t("faces.which", { die: after.dice[at], n: at + 1, all: shapes.length })}</p>
          {shapes[at].faces.length <= MOST_BUTTONS ? (
            <div class="face-buttons">{shapes[at].faces.map((face) => <button key={String(face)} class="button" onClick={() => put(face)}>{String(face)}</button>)}</div>
          ) : (
            <form class="row" onSubmit={(event) => { event.preventDefault(); const input = event.currentTarget.elements[0] as HTMLInputElement; if (input.value) put(Number(input.value)); input.value = ""; }}>
              <input class="input grow" inputMode="numeric" aria-label={after.dice[at]} />
              <button class="button">{t("do.add")}</button>
            </form>
          )}
        </>
      ) : null}
      <div class="row">
        {at > 0 && <button class="button quiet" onClick={() => setFaces(faces.slice(0, -1))}><Icon name="undo" size={18} />{t("faces.last")}</button>}
        <button class="button main" disabled={at < shapes.length} onClick={enter}><Icon name="check" size={18} />{t("faces.enter")}</button>
        <button class="button quiet" onClick={virtual}><Icon name="die" size={18} />{t("faces.virtual")}</button>
      </div>
    </div>
  );
}
