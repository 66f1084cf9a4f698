// The chance of each roll that a sheet begins: asked for quietly once the sheet has come to rest.
import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { percent } from "../charts/scales";
import type { MeasureWorth } from "../net/shapes";
import { amount } from "../charts/scales";
import { inOrder } from "../panel/preview_query";
import { formatPolicy } from "../panel/names";
import type { Start } from "../state/card";
import { language } from "../i18n";
import type { SheetModel } from "./sheet_model";

interface Row {
  readonly begins: Start;
  readonly chance: MeasureWorth | null;
  readonly play?: { readonly policy: string; readonly label: string };
}
interface Answer {
  readonly hash: string;
  readonly chances?: readonly Row[];
}

/** The chances of one state of a sheet, by the roll that is begun, and the ways to decide they hold for. */
export interface Chances {
  readonly hash: string;
  readonly of: ReadonlyMap<string, string>;
  readonly plays: readonly string[];
}

/** Milliseconds that a sheet rests before anybody counts. */
const REST = 300;
const MOST_KEPT = 30;
const kept = new Map<string, Chances>();

export const keyOf = ({ roll, pick = {}, set = {} }: Start): string => JSON.stringify([roll, pick, set], inOrder);

function made({ hash, chances = [] }: Answer): Chances {
  const known = chances.flatMap(({ begins, chance }) =>
    chance ? [[keyOf(begins), chance.chance ? percent(chance.number) : amount(chance.number)] as const] : [],
  );
  return {
    hash,
    of: new Map(known),
    plays: [
      ...new Set(chances.flatMap((row) => (row.chance && row.play ? [formatPolicy(row.begins.roll, row.play)] : []))),
    ],
  };
}

/** The chances for the sheet as it is shown; none while they are counted, and none of another state of it. */
export function useChances({ table, sheet }: SheetModel, hash: string, wanted: boolean): Signal<Chances | null> {
  const found = useMemo(() => signal<Chances | null>(null), [sheet.id]);
  const online = table.standing.value === "open";
  const state =
    wanted && hash ? JSON.stringify([table.id, sheet.id, hash, table.world.value.table.house, language.value]) : "";
  useEffect(() => {
    found.value = kept.get(state) ?? null;
    if (!state || !online || found.value) return undefined;
    const stop = new AbortController();
    const ask = (): Promise<void> =>
      table.get<Answer>(`/sheets/${sheet.id}/chances`, stop.signal).then(
        (answer) => {
          if (answer.hash !== hash) return; // the sheet has changed meanwhile: its card comes, and asks again
          kept.set(state, (found.value = made(answer)));
          for (const old of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(old);
        },
        () => {},
      );
    const timer = setTimeout(() => void ask(), REST);
    return () => (clearTimeout(timer), stop.abort());
  }, [state, online]);
  return found;
}
