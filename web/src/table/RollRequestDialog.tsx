// The referee asks people to roll something.
import type { JSX } from "preact";
import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { AskFields, partsNamed, fieldAt, isSet, MOST_SHEETS } from "../form/RollRequestFields";
import { Draft, draftOf, same } from "../form/draft";
import { keyOf } from "../sheets/chances";
import type { Control, FormAnswer, Start, Text, Widget } from "../state/card";
import type { Visibility } from "../state/types";
import type { Table } from "../state/table";
import { Dialog } from "../ui/Dialog";
import { Field, Segments, Switch } from "../ui/fields";
import { capital } from "../ui/forms";
import { Icon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { locale, t } from "../i18n";
import { nameSaid, worded } from "../i18n/text";
import "../sheets/words";

/** Rolls that are offered before all others. */
const MOST_COMMON = 12;

interface Common {
  readonly label: Text;
  readonly start: Start;
  readonly n: number;
}

/** The rolls that the widgets of a sheet begin, each with its label there. */
const begunBy = (all: readonly Widget[]): { label: Text; start: Start }[] =>
  all.flatMap((widget) => [
    ...(widget.begins && widget.label ? [{ label: widget.label, start: widget.begins }] : []),
    ...(widget.widget === "group" ? begunBy(widget.show ?? []) : []),
    ...(widget.widget === "things"
      ? (widget.rows ?? []).flatMap((row) => [
          ...(row.begins ? [{ label: row.title, start: row.begins }] : []),
          ...begunBy(row.show ?? []),
        ])
      : []),
  ]);

/** The rolls on the sheets of the people at the table that can be asked for, first those that most of them have. */
export function commonRolls(
  sheets: readonly (readonly Widget[])[],
  asked: (roll: string) => readonly string[],
): Common[] {
  const found = new Map<string, Common>();
  for (const { label, start } of sheets.flatMap(begunBy)) {
    const names = [...Object.keys(start.pick ?? {}), ...Object.keys(start.set ?? {})];
    if (!names.length || !names.every((name) => asked(start.roll).includes(name))) continue;
    const key = keyOf(start);
    found.set(key, { label, start, n: (found.get(key)?.n ?? 0) + 1 });
  }
  return [...found.values()].sort((one, other) => other.n - one.n).slice(0, MOST_COMMON);
}

/** The same, once the sheets have come. */
function useCommon(table: Table): readonly Common[] | null {
  const [found, setFound] = useState<readonly Common[] | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const sheets = table.sheets.value.filter((sheet) => !sheet.id.startsWith("n")).slice(0, MOST_SHEETS);
    const asked = (roll: string): readonly string[] => table.game.value?.card?.rolls?.[roll]?.asked ?? [];
    Promise.all(
      sheets.map((sheet) => table.get<{ widgets: readonly Widget[] }>(`/sheets/${sheet.id}/card`, stop.signal)),
    ).then(
      (cards) =>
        setFound(
          commonRolls(
            cards.map((card) => card.widgets),
            asked,
          ),
        ),
      () => setFound([]),
    );
    return () => stop.abort();
  }, [table]);
  return found;
}

const PAUSE = 250;

/** Who of those that are asked lacks what is asked for, said before it is asked: they roll without it, or pick. */
function useLacking(table: Table, wanted: Start | null, who: readonly string[]): string[] {
  const [found, setFound] = useState<string[]>([]);
  const asked = table.here.value
    .filter((seat) => seat.role === "player" && (!who.length || who.includes(seat.id)) && table.sheet(seat.id))
    .slice(0, MOST_SHEETS);
  const key = wanted && JSON.stringify([wanted, asked.map(({ id }) => id)]);
  useEffect(() => {
    if (!key) return setFound([]);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const told = asked.map(async ({ id }) => {
        const {
          fits,
          lacks = [],
          why,
        } = await table.post<FormAnswer>("/form", { n: 0, purpose: "ask", draft: wanted, sheet: id }, stop.signal);
        const name = table.characterOf(id);
        if (fits === null)
          return [why && !lacks.length ? t("ask.refused", { name, why: table.said(why) }) : t("ask.cannot", { name })];
        return lacks.length ? [t("ask.lacks", { name, what: lacks.map(nameSaid).join(", ") })] : [];
      });
      Promise.all(told).then(
        (all) => setFound(all.flat()),
        () => setFound([]),
      );
    }, PAUSE);
    return () => (clearTimeout(timer), stop.abort());
  }, [key]);
  return found;
}

export function RollRequestDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const game = table.game.value;
  const rolls = game?.card?.rolls ?? {};
  const draft = useMemo(() => new Draft(game, signal(undefined)), [game]);
  const form = useSignal<readonly Control[] | null>(null);
  const players = table.here.value.filter((seat) => seat.role === "player");
  const [who, setWho] = useState<string[]>([]);
  const kinds = Object.keys(rolls).filter((roll) => rolls[roll]!.asked?.length);
  const [kind, setKind] = useState(kinds[0] ?? "");
  useMemo(() => kind && draft.open(kind), [draft]);
  const [expression, setExpression] = useState("");
  const [note, setNote] = useState("");
  const [policy, setPolicy] = useState("");
  const plays = (rolls[kind]?.policies ?? []).filter((one) => one.value !== "best");
  const [visibility, setVisibility] = useState<Visibility>("open");
  // Only rolls on the sheets, until another is wanted.
  const [other, setOther] = useState(false);
  const missing = rolls[kind]?.needed?.find((names) => !names.some((name) => isSet(draft, name)));
  const labelled = (name: string): string =>
    table.said(form.value?.find((control) => fieldAt(control.at ?? "") === name)?.label) ||
    worded(`label.${name}`, capital(game?.rolls[kind]?.fields.find((field) => field.name === name)?.title ?? name));
  const needed = missing && new Intl.ListFormat(locale(), { type: "disjunction" }).format(missing.map(labelled));
  const wanted = kind ? draftOf(kind, partsNamed(form.value ?? [], draft.parts.value)) : null;
  const lacking = useLacking(table, needed || !form.value ? null : wanted, who);
  const ask = (event: Event): void => {
    event.preventDefault();
    const roll = wanted ? { draft: wanted } : { expression };
    table
      .send({
        do: "roll_request.create",
        who: who.length ? who : "all",
        ...(roll as object),
        note: note.trim(),
        visibility,
        ...(kind && policy ? { policy } : {}),
      })
      .then(onClose, showError);
  };
  const common = useCommon(table);
  // The referee may fill in what a thing of the sheet leaves open: a second stat.
  const isTaken = ({ roll, pick = {} }: Start): boolean =>
    roll === kind &&
    Object.entries(pick).every(([name, value]) => value === "" || same(draft.at(`pick.${name}`) ?? null, value));
  // A field set by a tap is not asked for again; another tap takes it back.
  const [tapped, setTapped] = useState("");
  const taken = common?.find(({ start }) => keyOf(start) === tapped && isTaken(start))?.start;
  const said = taken
    ? [
        ...Object.entries(taken.pick ?? {}).flatMap(([name, value]) => (value === "" ? [] : [`pick.${name}`])),
        ...Object.keys(taken.set ?? {}).map((name) => `set.${name}`),
      ]
    : [];
  const take = ({ roll, ...start }: Start): void => (
    setKind(roll), setPolicy(""), setOther(false), setTapped(keyOf({ roll, ...start })), draft.open(roll, start)
  );
  const drop = (): void => (setTapped(""), draft.open(kind, { pick: {}, set: {} }));
  const open = (value: string): void => (
    setKind(value), setPolicy(""), setTapped(""), void (value && draft.open(value))
  );
  const anew = (): void => (setOther(!other), open(kinds[0]!));
  const offers = kinds.length > 0 && common?.length !== 0;
  const whole = other || !offers;
  const kindsSeen: Visibility[] = ["open", "private", "blind"];
  return (
    <Dialog title={t("ask.title")} onClose={onClose} broad>
      <form class="stack ask-form" onSubmit={ask}>
        <div class="stack">
          {offers && (
            <fieldset class="field">
              <legend class="label">{t("ask.what")}</legend>
              <div class="row tight ask-common" aria-busy={!common}>
                {common?.map(({ label, start }) => (
                  <button
                    key={keyOf(start)}
                    type="button"
                    class="button"
                    aria-pressed={!other && isTaken(start)}
                    onClick={() => (taken === start ? drop() : take(start))}
                  >
                    {table.said(label)}
                  </button>
                ))}
                {common && (
                  <button type="button" class="button offer" aria-expanded={other} onClick={anew}>
                    {t("ask.other")}
                  </button>
                )}
              </div>
            </fieldset>
          )}
          {whole && kinds.length > 0 && (
            <Segments
              label={t("ask.kind")}
              value={kind}
              onChange={open}
              options={[
                ...kinds.map((value) => ({
                  value,
                  label: worded(`roll.${value}`, game?.rolls[value]?.title ?? value),
                })),
                { value: "", label: t("ask.expression") },
              ]}
            />
          )}
          {kind ? (
            <div hidden={!whole && !taken}>
              <AskFields table={table} draft={draft} form={form} besides={said} />
            </div>
          ) : (
            <Field label={t("ask.expression")}>
              {(about) => (
                <input
                  {...about}
                  class="input mono"
                  value={expression}
                  placeholder="2d6+3"
                  onInput={(event) => setExpression(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
        </div>
        <div class="stack">
          <fieldset class="field ask-who">
            <legend class="label">{t("ask.who")}</legend>
            <div class="row tight">
              <Switch
                label={t("ask.everybody")}
                on={!who.length}
                onChange={(on) => setWho(on ? [] : players.map((seat) => seat.id))}
              />
              {who.length > 0 &&
                players.map((seat) => (
                  <Switch
                    key={seat.id}
                    label={table.nameOf(seat.id)}
                    on={who.includes(seat.id)}
                    onChange={(on) => setWho(on ? [...who, seat.id] : who.filter((one) => one !== seat.id))}
                  />
                ))}
            </div>
          </fieldset>
          {plays.length > 0 && (whole || taken) && (
            <Segments
              label={t("ask.play")}
              value={policy}
              onChange={setPolicy}
              options={[
                { value: "", label: t("ask.theirs") },
                ...plays.map(({ value, label }) => ({ value, label: table.said(label) })),
              ]}
            />
          )}
          <Field label={t("ask.note")}>
            {(about) => (
              <input
                {...about}
                class="input"
                maxLength={200}
                value={note}
                placeholder={t("panel.note_hint")}
                onInput={(event) => setNote(event.currentTarget.value)}
              />
            )}
          </Field>
          <Segments
            label={t("visibility.label")}
            value={visibility}
            onChange={setVisibility}
            options={kindsSeen.map((value) => ({ value, label: t(`visibility.${value}`) }))}
          />
        </div>
        <div class="dialog-do">
          {lacking.map((text) => (
            <p key={text} class="small row tight ask-lacks">
              <Icon name="info" size={16} />
              {text}
            </p>
          ))}
          {needed && (
            <p class="small soft row tight" id="ask-needs">
              <Icon name="info" size={16} />
              {whole ? t("ask.needs", { what: needed }) : t("ask.tap")}
            </p>
          )}
          <button
            class="button main big"
            disabled={!!needed || (!kind && !expression.trim())}
            aria-describedby={needed ? "ask-needs" : undefined}
          >
            <Icon name="bell" />
            {t("ask.send")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
