/** House rules of a roll without a table: each reading in a sentence, the usual one marked. */

import type { JSX } from "preact";
import { HouseRules } from "../ui/HouseRules";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import type { Draft } from "../form/draft";

/** The house rules of a game, tucked away, with a summary of the changed ones. */
export function HouseRulesButton({ form }: { form: Draft }): JSX.Element {
  const fields = form.game?.house.fields ?? [];
  const changed = Object.keys(form.ruled.value).length;
  if (!fields.length) return <></>;
  return (
    <details class="tucked house-rules">
      <summary>
        <Icon name="right" size={18} />
        {t("house.title")}
        {changed > 0 && <span class="chip brass">{t("start.house.changed", { n: changed })}</span>}
      </summary>
      <HouseRules fields={fields} values={form.ruled.value} onChange={(house) => (form.ruled.value = house)} />
    </details>
  );
}
