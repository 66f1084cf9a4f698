// Other likely meanings of dice that were rolled: beside the result, for all who see it.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { OURS } from "../form/dialects";
import type { PreviewAnswer, HintData } from "../net/shapes";
import { Hints } from "../panel/Hints";
import "../panel/words";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { showError } from "../ui/announcer";
import { language } from "../i18n";

const MOST_KEPT = 100;
const known = new Map<string, Promise<readonly HintData[]>>();

/** The remarks on some dice; asked for once, without anything being counted. */
function remarksOn(dice: string, table: Table): Promise<readonly HintData[]> {
  const key = `${language.value} ${dice}`;
  if (known.size > MOST_KEPT) known.clear();
  if (!known.has(key))
    known.set(
      key,
      table.post<PreviewAnswer>("/preview", { expression: dice, dialect: OURS, parts: [] }).then(
        (answer) => answer.remarks ?? [],
        () => (known.delete(key), []),
      ),
    );
  return known.get(key)!;
}

/** The remarks on the dice of a roll; the roller rolls the other reading at a tap. */
export function DiceHints({ roll, dice, table }: { roll: Roll; dice: string; table: Table }): JSX.Element {
  const [remarks, setRemarks] = useState<readonly HintData[]>([]);
  useEffect(() => {
    let current = true;
    void remarksOn(dice, table).then((found) => current && setRemarks(found));
    return () => void (current = false);
  }, [dice, language.value]);
  const again = (expression: string): void =>
    void table.send({ do: "roll.start", expression, dialect: OURS, visibility: roll.visibility }).catch(showError);
  return (
    <Hints remarks={remarks} onTake={roll.by === table.me.value?.seat && table.isPlaying.value ? again : undefined} />
  );
}
