// This device's protests, and what to do if it has no key: above all else at the table.
import type { JSX } from "preact";
import type { Caller } from "../state/calling";
import type { Table } from "../state/table";
import { Icon } from "../ui/icons";
import { t } from "../i18n";

export function Protests({ table, caller }: { table: Table; caller: Caller }): JSX.Element | null {
  const protests = caller.protests.value;
  return (
    <>
      {protests.length > 0 && (
        <div class="notice bad protests" role="alert">
          <Icon name="warn" />
          <div class="grow stack close">
            <strong>{t("protest.title")}</strong>
            <ul>
              {protests.map(({ what, seq }) => (
                <li key={what + seq}>{t(`protest.${what}`, { n: seq })}</li>
              ))}
            </ul>
            <p class="small">{t("protest.about")}</p>
          </div>
          <button class="button" onClick={() => caller.forgetProtests()}>
            {t("protest.seen")}
          </button>
        </div>
      )}
      {isLocked(table, caller) && (
        <div class="notice" role="status">
          <Icon name="lock" />
          <div class="grow">
            <strong>{t("key.missing.title")}</strong>
            <p class="small">{t(table.isReferee.value ? "key.missing.mine" : "key.missing")}</p>
          </div>
        </div>
      )}
    </>
  );
}

/** Whether the seat signs, but not by this browser. */
function isLocked(table: Table, caller: Caller): boolean {
  const mine = table.devices.value.filter(({ seat, gone }) => seat === table.me.value?.seat && !gone);
  return table.isPlaying.value && mine.length > 0 && !caller.device;
}
