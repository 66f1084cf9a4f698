// A line of the feed for what is no roll: words, people, sheets, the table itself.
import type { JSX } from "preact";
import type { RequestedRoll, Body, FieldDescription, LogEvent, Plain } from "../state/types";
import type { Start } from "../state/card";
import { TABLE, type Table } from "../state/table";
import { nameSaid, ofField, worded } from "../i18n/text";
import { kindOf, textOf } from "../state/reducer";
import { Icon, type IconName } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { showError } from "../ui/announcer";
import { maybe, t } from "../i18n";
import { showSheet } from "../sheets/open_sheet";
import { Avatar } from "./Avatar";
import { Ago } from "./Ago";
import { sheetName } from "./roll_owners";

export function EventLine({ event, table }: { event: LogEvent; table: Table }): JSX.Element {
  const body = event.body ?? {};
  const kind = kindOf(event);
  if (kind === "chat.sent") return <Said event={event} body={body} table={table} />;
  if (kind === "sheet.changed") return <SheetChanged event={event} body={body} table={table} />;
  const who = table.nameOf(String(body.seat ?? body.by ?? ""));
  const name = body.sheet ? sheetName(table, String(body.sheet)) : who;
  const values = {
    name,
    by: table.nameOf(String(body.by ?? "")),
    role: maybe(`role.${body.role}`),
    n: Number(body.number ?? 0),
  };
  return (
    <div class="line">
      <Icon name={ICONS[kind] ?? "info"} size={18} />
      <div class="grow">
        <p>{lineText(kind, body, values, table)}</p>
        {kind === "table.changed" && <HouseChanges event={event} table={table} />}
      </div>
      <Ago at={event.at} />
    </div>
  );
}

const HouseChanges = lazy(async () => (await import("./HouseRuleChanges")).HouseRuleChanges);

const ICONS: Record<string, IconName> = {
  "seat.joined": "person",
  "seat.admitted": "person",
  "seat.removed": "cross",
  "table.created": "table",
  "table.changed": "gear",
  "link.changed": "link",
  "session.ended": "flag",
  "roll_request.created": "bell",
  "sheet.created": "sheet",
  "sheet.removed": "sheet",
  "seat.moved": "again",
  "seat.renamed": "pen",
  "person.erased": "bin",
  "seat.role_changed": "crown",
  "table.imported": "download",
  "roll.revealed": "eye",
};

function lineText(kind: string, body: Body, values: Record<string, string | number>, table: Table): string {
  if (kind === "seat.joined" && body.status === "knocking") return t("line.knocked", values);
  if (kind === "table.imported" && body.copy) return t("line.table.copied");
  if (kind === "roll_request.created") {
    const who =
      body.who === "all" ? t("say.all") : (body.who as string[]).map((seat) => table.characterOf(seat)).join(", ");
    return t("line.roll_request.created", {
      ...values,
      who,
      what: table.said(requestTitle(body.roll as RequestedRoll, table)),
    });
  }
  if (kind === "seat.removed" && body.by && body.by !== body.seat) return t("line.put_out", values);
  if (kind === "roll.revealed") {
    const unshown = Number(body.unshown ?? 0);
    const roll = table.roll(String(body.roll));
    return [
      t("line.revealed", { ...values, what: table.said(roll?.title ?? "") }),
      unshown > 0 && roll && t("line.unshown", { name: table.nameOf(roll.by), n: unshown }),
    ]
      .filter(Boolean)
      .join(" ");
  }
  return maybe(`line.${kind}`, values, kind);
}

/** A draft by its kind, what is picked on the sheet, and what is said beside it that is not so anyhow. */
function draftTitle({ roll, pick = {}, set = {} }: Start, table: Table): string {
  const kind = worded(`roll.${roll}`, table.game.value?.rolls[roll]?.title ?? roll);
  const names = Object.values(pick).flatMap((name) =>
    typeof name === "string" && name ? [worded(`word.${name}`, nameSaid(name))] : [],
  );
  const usual = (name: string): Plain | undefined =>
    table.game.value?.rolls[roll]?.fields.find((field) => field.name === name)?.default;
  const said = Object.entries(set).flatMap(([name, value]) =>
    isDeep(value) || value === usual(name) ? [] : [`${ofField("label", name)} ${brief(value)}`],
  );
  return [[kind, names.join(" + ")].filter(Boolean).join(": "), ...said].join(", ");
}

export function requestTitle(roll: RequestedRoll, table: Table): string {
  if (roll.title) return table.said(roll.title);
  if (roll.expression !== undefined) return roll.expression;
  if (roll.draft) return draftTitle(roll.draft as unknown as Start, table);
  return draftTitle((roll.request ?? {}) as unknown as Start, table);
}

function Said({ event, body, table }: { event: LogEvent; body: Body; table: Table }): JSX.Element {
  const by = String(body.by);
  const mine = by === table.me.value?.seat;
  return (
    <div class="said" data-mine={mine || undefined}>
      <Avatar table={table} id={by} size={30} />
      <div class="bubble">
        <p class="small soft row apart">
          <strong>{table.nameOf(by)}</strong>
          {body.to !== "all" && (
            <span class="chip secret">
              <Icon name="lock" size={14} />
              {t("say.whisper")}
            </span>
          )}
          <Ago at={event.at} />
        </p>
        <p>{textOf(event, body.text) || t("text.erased")}</p>
      </div>
    </div>
  );
}

function SheetChanged({ event, body, table }: { event: LogEvent; body: Body; table: Table }): JSX.Element {
  const sheet = String(body.sheet);
  const cause = (body.cause ?? {}) as Body;
  const shared = sheet === TABLE;
  const key = cause.undo
    ? shared
      ? "line.shared.undone"
      : "line.undone"
    : cause.session
      ? "line.renewed"
      : shared
        ? "line.shared.changed"
        : "line.sheet.changed";
  const why = textOf(event, cause.why);
  const undo = (): void => void table.send({ do: "sheet.undo", seq: event.seq }).catch(showError);
  return (
    <div class="line">
      <Icon name={cause.undo ? "undo" : "pen"} size={18} />
      <div class="grow">
        <p>
          {t(key, { name: sheetName(table, sheet), by: table.nameOf(String(body.by ?? "")) })}
          {why && ` — ${why}`}
        </p>
        <div class="row tight">
          <Changes changes={body.changes as never} table={table} />
          <button class="button quiet small-button" onClick={() => showSheet(sheet)}>
            <Icon name="sheet" size={18} />
            <span class="unseen">{t("roll.to_sheet")}</span>
          </button>
          {table.isReferee.value && !cause.undo && (
            <button class="button quiet small-button" onClick={undo}>
              <Icon name="undo" size={18} />
              <span class="unseen">{t("sheet.undo")}</span>
            </button>
          )}
        </div>
      </div>
      <Ago at={event.at} />
    </div>
  );
}

/** The changes on a sheet, in short. */
export function Changes({
  changes,
  table,
}: {
  changes: Record<string, { before: Plain; after: Plain }>;
  table: Table;
}): JSX.Element {
  const about = table.game.value?.sheet?.fields ?? [];
  return (
    <ul class="row tight changes">
      {Object.entries(changes).map(([name, { before, after }]) => {
        const simple = !isDeep(before) && !isDeep(after);
        return (
          <li key={name} class="chip">
            {simple
              ? became(ofField("label", name), before, after)
              : deepChange(name, before, after, about.find((field) => field.name === name)?.items?.fields ?? [])}
          </li>
        );
      })}
    </ul>
  );
}

/** The change of a value: a number from here to there; a flag by its name. */
const became = (label: string, before: Plain, after: Plain): string =>
  after === true
    ? label
    : after === false
      ? t("change.over", { what: label })
      : `${label} ${brief(before)} → ${brief(after)}`;

const isDeep = (value: Plain): boolean => value !== null && typeof value === "object";
const brief = (value: Plain): string =>
  value === null || value === ""
    ? "–"
    : worded(`word.${String(value)}`, nameSaid(String(value).replace(/^-(?=\d)/, "−")));

/** The changed parts of a list; `about` has the defaults of missing parts. */
function deepChange(name: string, before: Plain, after: Plain, about: FieldDescription[]): string {
  const part = (thing: Body, field: string): Plain =>
    thing[field] ?? about.find((one) => one.name === field)?.default ?? null;
  const was = Array.isArray(before) ? (before as Body[]) : [];
  const is = Array.isArray(after) ? (after as Body[]) : [];
  const key = (thing: Plain): string =>
    isDeep(thing) ? String((thing as Body).name ?? (thing as Body).source ?? JSON.stringify(thing)) : String(thing);
  const came = (sign: string, thing: Plain): string =>
    isDeep(thing) ? `${sign} ${nameSaid(key(thing))}` : `${ofField("label", name)} ${sign} ${brief(thing)}`;
  const parts = [
    ...is.filter((thing) => !was.some((one) => key(one) === key(thing))).map((thing) => came("+", thing)),
    ...was.filter((thing) => !is.some((one) => key(one) === key(thing))).map((thing) => came("−", thing)),
  ];
  for (const thing of is) {
    const old = was.find((one) => key(one) === key(thing));
    if (!old || !isDeep(thing)) continue;
    const fields = Object.keys({ ...old, ...thing }).filter(
      (field) => JSON.stringify(part(old, field)) !== JSON.stringify(part(thing, field)),
    );
    const changes = fields.map((field) =>
      became(ofField("label", field, undefined, name), part(old, field), part(thing, field)),
    );
    if (changes.length) parts.push(`${nameSaid(key(thing))}: ${changes.join(", ")}`);
  }
  return parts.join("; ") || ofField("label", name);
}
