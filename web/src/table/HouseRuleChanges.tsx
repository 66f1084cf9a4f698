// The changes of the table or its house rules, rule by rule.
import type { JSX } from "preact";
import type { Body, FieldDescription, LogEvent, Plain } from "../state/types";
import type { Table } from "../state/table";
import { kindOf, textOf } from "../state/reducer";
import { capital, defaultOf } from "../ui/forms";
import { t } from "../i18n";
import "../sheets/words";

/** The house rules before an event: as they stood when it came, or as the log says further up. */
function before(event: LogEvent, table: Table): Body | undefined {
  const live = table.houses.get(event.seq);
  if (live) return live;
  const earlier = table
    .known()
    .findLast(
      (one) => one.seq < event.seq && /^table\.(created|changed)$/.test(kindOf(one)) && one.body && "house" in one.body,
    );
  return earlier?.body?.house as Body | undefined;
}

const said = (rule: FieldDescription, value: Plain): string =>
  rule.readings?.find((one) => JSON.stringify(one.value) === JSON.stringify(value))?.said ??
  (typeof value === "boolean" ? t(value ? "verdict.yes" : "verdict.no") : String(value ?? t("field.none")));

export function HouseRuleChanges({ event, table }: { event: LogEvent; table: Table }): JSX.Element | null {
  const changes = houseChanges(event, table);
  return changes.length ? (
    <ul class="row tight changes">
      {changes.map((one) => (
        <li key={one} class="chip">
          {one}
        </li>
      ))}
    </ul>
  ) : null;
}

/** Each change in a few words; none if it is unknown. */
function houseChanges(event: LogEvent, table: Table): string[] {
  const body = event.body ?? {};
  const found: string[] = [];
  if ("title" in body) found.push(t("change.title", { title: textOf(event, body.title) }));
  if ("knock" in body) found.push(t(body.knock ? "change.knock" : "change.open"));
  const was = "house" in body ? before(event, table) : undefined;
  if (!was) return found;
  const is = body.house as Body;
  for (const rule of table.game.value?.house.fields ?? []) {
    const under = (house: Body): string => said(rule, house[rule.name] ?? defaultOf(rule));
    const [before, after] = [under(was), under(is)] as const;
    if (before !== after) found.push(t("change.rule", { rule: capital(rule.title), before, after }));
  }
  return found;
}
