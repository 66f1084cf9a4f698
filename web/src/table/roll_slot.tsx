// Where the roll panel stands.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { later } from "../ui/later";
import { t } from "../words";
import { show } from "../screens/views";
import { shownSheet } from "../sheets/shown";

const RollPanel = later(async () => (await import("../panel")).RollPanel, () => <div class="panel skeleton" style={{ height: "16rem" }} />);

export function RollSlot({ table }: { table: Table }): JSX.Element {
  if (!table.isPlaying.value) return <p class="empty">{t("roll.watching")}</p>;
  const sheet = table.sheet(shownSheet.value) ?? table.mySheet.value;
  const mine = sheet && (sheet.id === table.me.value?.seat || table.isReferee.value) ? sheet : table.mySheet.value;
  return <RollPanel table={table} sheet={mine?.id} onDone={() => show("table")} />;
}
