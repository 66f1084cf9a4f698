// The shared sheet, above the feed: points of nobody alone, as the game shows them.
import type { JSX } from "preact";
import type { Table } from "../state/table";
import { t } from "../i18n";
import { CardSheet } from "../sheets/CardSheet";
import "../sheets/words";

export function SharedSheet({ table }: { table: Table }): JSX.Element | null {
  const sheet = table.shared.value;
  const about = table.game.value?.shared;
  if (!sheet || !about) return null;
  return (
    <section class="panel stack close shared" aria-label={t("shared.title")}>
      <CardSheet paper={{ table, sheet, fields: about.fields, mayChange: table.isPlaying.value }} />
    </section>
  );
}
