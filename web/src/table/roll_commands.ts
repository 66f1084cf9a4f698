// Going on with a roll: always with the moment it was meant for, so that nobody answers what they have not seen.
import { RequestError } from "../net/http";
import type { Command, Commands } from "../net/shapes";
import type { Roll } from "../state/types";
import type { Table } from "../state/table";
import { announce, showError } from "../ui/announcer";
import { t } from "../i18n";

/** The field of a refusal that came because somebody else was quicker. */
export const LATE = "index";

/** The number of throws and choices that count; the server sends it, since not everybody may see them all. */
const standing = (roll: Roll): number =>
  roll.after && "index" in roll.after && roll.after.index !== undefined
    ? roll.after.index
    : roll.entries.filter((entry) => !entry.taken).length;

type Move = "roll.choose" | "roll.enter" | "roll.throw" | "roll.take_back";
/** The fields of a move beside the roll and its moment. */
type More<M extends Move> = Omit<Commands[M], "roll" | "index">;

/** Null when it was done; else why not. That somebody was quicker is said softly: the card shows how it went on. */
export async function goOn<M extends Move>(
  table: Table,
  roll: Roll,
  move: M,
  more: More<M>,
): Promise<RequestError | null> {
  const seen = standing(roll);
  try {
    await table.send({
      do: move,
      roll: roll.id,
      index: move === "roll.take_back" ? seen - 1 : seen,
      ...more,
    } as Command);
    return null;
  } catch (problem) {
    const { code, message, field } = problem as RequestError;
    const now = table.roll(roll.id);
    const late = code === "conflict" && (field === "index" || now?.status !== "open" || standing(now) !== seen);
    if (late) announce(t("roll.meanwhile"));
    else if (field !== "anyway") showError(problem);
    return new RequestError(code, message, late ? LATE : field);
  }
}
