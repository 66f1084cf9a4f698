// This browser's memory of a table for the first page: when it was played last, which session, as whom.
import { useEffect } from "preact/hooks";
import { knownTable, rememberTable } from "../net/tokens";
import type { Table } from "../state/table";
import { lastEnding } from "./current_roll";

const MINUTE = 60_000;

export function useTableMemory(table: Table): void {
  const session = table.world.value.session;
  const as = String(table.mySheet.value?.values.name ?? "");
  const over = lastEnding(table);
  const { head } = table;
  useEffect(() => {
    const known = knownTable(table.id);
    if (
      !known ||
      (known.session === session && (known.over ?? 0) === over && known.as === as && Date.now() - known.at < MINUTE)
    )
      return;
    rememberTable(table.id, { session, over, as });
  }, [head.value, session, over, as]);
}
