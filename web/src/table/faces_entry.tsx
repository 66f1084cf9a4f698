// Faces read off real dice, by whoever throws them; the others wait.
import type { JSX } from "preact";
import { Faces } from "../dice/Faces";
import type { Roll, Waiting } from "../state/types";
import { marksOf } from "../state/marks";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../words";
import "../words/choosing";
import { goOn } from "./moves";

type Throw = Extract<Waiting, { step: "throw" }>;

export function FacesEntry({ roll, after, table, may }: { roll: Roll; after: Throw; table: Table; may: boolean }): JSX.Element {
  if (!may) {
    return <div class="waiting"><Icon name="hourglass" size={20} /><p>{t("faces.waits", { name: table.nameOf(after.by || roll.by) })}</p></div>;
  }
  return (
    <Faces dice={after.dice} pool={after.pool} round={roll.last} marks={marksOf(roll)}
      onEnter={(faces) => void goOn(table, roll, "roll.enter", { faces })}
      onVirtual={() => void goOn(table, roll, "roll.throw", {})} />
  );
}
