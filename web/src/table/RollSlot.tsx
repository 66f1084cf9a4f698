// The place of the roll panel, and who it rolls for: oneself, no matter which sheet is looked at.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import { isSideOpen, show } from "../screens/views";
import { startedRoll } from "../sheets/open_sheet";

const RollPanel = lazy(
  async () => (await import("../panel")).RollPanel,
  () => <div class="panel skeleton" style={{ height: "16rem" }} />,
);

const Answering = lazy(async () => (await import("./RollRequests")).RollRequestAnswer);

/** Whose sheet is rolled with, where it is not one's own; of which table. */
const as = signal({ table: "", sheet: "" });

export function RollSlot({ table }: { table: Table }): JSX.Element {
  const pick = (sheet: string): void => void (as.value = { table: table.id, sheet });
  const wanted = startedRoll.value?.sheet;
  useEffect(() => {
    if (wanted) pick(wanted === table.me.value?.seat ? "" : wanted);
  }, [wanted]);
  if (!table.isPlaying.value) return <p class="empty">{t("roll.watching")}</p>;
  const others = table.isReferee.value ? table.sheets.value.filter((sheet) => sheet.id !== table.me.value?.seat) : [];
  const chosen = others.find((sheet) => as.value.table === table.id && sheet.id === as.value.sheet)?.id;
  const who = others.length > 0 && (
    <RollingAs table={table} others={others.map((sheet) => sheet.id)} value={chosen ?? ""} onPick={pick} />
  );
  return (
    <RollPanel
      key={chosen ?? ""}
      table={table}
      sheet={chosen}
      who={who}
      answers={<Answering table={table} />}
      onClose={isSideOpen.value ? close : undefined}
      onDone={() => (close(), show("stage"))}
    />
  );
}

/** A roll that lies on a sheet is put away. */
const close = (): void => void (isSideOpen.value = false);

/**
 * A choice of the character to roll for, if there are several; the referee's own come first, then those of the players.
 */
function RollingAs(props: {
  table: Table;
  others: readonly string[];
  value: string;
  onPick: (id: string) => void;
}): JSX.Element {
  const id = useId();
  const { table, others, value } = props;
  const own = table.mySheet.value;
  const me = own ? nameOn(table, own.id) : t("roll.as_self", { name: table.nameOf(table.me.value?.seat ?? "") });
  const groups = [
    { label: t("roll.as_npcs"), ids: others.filter((one) => one.startsWith("n")) },
    { label: t("roll.as_players"), ids: others.filter((one) => !one.startsWith("n")) },
  ].filter((group) => group.ids.length);
  return (
    <div class="rolling-as" data-other={value ? true : undefined}>
      <label for={id}>
        <Icon name={value ? "skull" : "person"} size={18} />
        {t("roll.as")}
      </label>
      <select id={id} class="input" value={value} onChange={(event) => props.onPick(event.currentTarget.value)}>
        <option value="">{me}</option>
        {groups.map((group) => (
          <optgroup label={group.label}>
            {group.ids.map((one) => (
              <option value={one} selected={one === value}>
                {nameOn(table, one)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

/** The character's name, and who plays it. */
function nameOn(table: Table, id: string): string {
  const name = String(table.sheet(id)?.values.name ?? "");
  const player = table.nameOf(id);
  return name && name !== player ? `${name} (${player})` : player;
}
