// A sheet drawn from data: every widget that a game may show, and nothing about any game.
import { signal, type Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { pictureOf } from "../dice/game_icons";
import { at as heldAt, put, way } from "../form/draft";
import { RequestError } from "../net/http";
import type { Start, Widget } from "../state/card";
import type { Body, FieldDescription, Plain } from "../state/types";
import { Dialog } from "../ui/Dialog";
import { InPlace, Stepper } from "../ui/fields";
import { Form, defaultOf } from "../ui/forms";
import { Icon, isIcon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import "../i18n/coming";
import { nameSaid, ofField } from "../i18n/text";
import { knownItems } from "./starters";
import { useChances, keyOf } from "./chances";
import { mayRoll, type SheetContext, type Props } from "./sheet_context";
import { FavouriteRolls, OtherRolls, ItemRow, RollButton, RollRow } from "./rows";
import { prepareRoll } from "./open_sheet";
import {
  aboutOf,
  change,
  changeItem,
  ChangeMark,
  effect,
  listOf,
  Rest,
  formatDifference,
  type SheetModel,
} from "./sheet_model";

interface CardAnswer {
  readonly hash: string;
  readonly widgets: readonly Widget[];
}

/** Asks for a sheet whenever its values are others; the last one stays while nobody answers. */
function useCard({ table, sheet }: SheetModel): {
  readonly card: Signal<CardAnswer | null>;
  readonly plain: Signal<boolean>;
} {
  const held = useMemo(() => ({ card: signal<CardAnswer | null>(null), plain: signal(false) }), [sheet.id]);
  const values = JSON.stringify(sheet.values);
  const online = table.standing.value === "open";
  useEffect(() => {
    const stop = new AbortController();
    table.get<CardAnswer>(`/sheets/${sheet.id}/card`, stop.signal).then(
      (card) => (held.card.value = card),
      (problem: Error) => {
        if (problem instanceof RequestError && !held.card.value) held.plain.value = true;
      },
    );
    return () => stop.abort();
  }, [sheet.id, values, online]);
  return held;
}

/** A sheet as its game shows it; field by field where that cannot be had. */
export function CardSheet({ paper }: { paper: SheetModel }): JSX.Element {
  const { card, plain } = useCard(paper);
  const played = !!paper.played;
  const chances = useChances(paper, card.value?.hash ?? "", played).value;
  if (plain.value)
    return <Rest paper={paper} names={paper.fields.map((field) => field.name).filter((name) => name !== "name")} />;
  if (!card.value) return <div class="skeleton" style={{ height: "12rem" }} aria-busy="true" />;
  const { widgets } = card.value;
  const set = (path = "", value: Plain): void => {
    const [name = "", ...rest] = way(path);
    change(paper, { [name]: rest.length ? put(paper.sheet.values[name], rest, value) : value });
  };
  const desk: SheetContext = {
    paper,
    say: (text) => paper.table.said(text),
    set,
    ...(played ? { chance: (start) => chances?.of.get(keyOf(start)) } : {}),
  };
  if (!played) return <Widgets desk={desk} show={widgets} />;
  return (
    <>
      {mayRoll(desk) && (
        <p class="small soft sheet-hint">
          {t("sheet.tap")} {chances?.plays.length ? t("sheet.under", { play: chances.plays.join(" · ") }) : ""}
        </p>
      )}
      <FavouriteRolls desk={desk} chances={chances} />
      <Widgets desk={desk} show={widgets} />
      <OtherRolls desk={desk} widgets={widgets} />
    </>
  );
}

function Widgets({ desk, show: all }: { desk: SheetContext; show: readonly Widget[] }): JSX.Element {
  return (
    <>
      {all.map((widget, n) => (
        <OneWidget key={`${widget.widget} ${widget.at ?? n}`} desk={desk} widget={widget} />
      ))}
    </>
  );
}

function OneWidget({ desk, widget }: { desk: SheetContext; widget: Widget }): JSX.Element {
  const Made = MADE[widget.widget] as (props: { desk: SheetContext; widget: Widget }) => JSX.Element;
  return <Made desk={desk} widget={widget} />;
}

/** Begins a roll from here. */
function Begin({
  desk,
  start,
  label,
}: {
  desk: SheetContext;
  start: Start | undefined;
  label: string;
}): JSX.Element | null {
  if (!start || !mayRoll(desk)) return null;
  const go = (): void => prepareRoll({ sheet: desk.paper.sheet.id, start });
  return (
    <button type="button" class="button quiet small-button" aria-label={t("sheet.begin", { what: label })} onClick={go}>
      <Icon name="die" size={18} />
    </button>
  );
}

/** An icon of the page, or a picture of the game. */
function Sign({ name }: { name: string | undefined }): JSX.Element | null {
  if (!name) return null;
  if (isIcon(name)) return <Icon name={name} size={18} />;
  const picture = pictureOf(name);
  return picture ? <img src={picture} alt="" width={18} height={18} /> : null;
}

/** A label with its mark of a change and the roll that it begins; a thing says its own name once. */
function Label({ desk, widget }: { desk: SheetContext; widget: Widget }): JSX.Element {
  const said = desk.say(widget.label);
  return (
    <>
      <Sign name={widget.icon} />
      {said !== desk.inside && said}
      {widget.at && desk.inside === undefined && <ChangeMark paper={desk.paper} name={way(widget.at)[0]!} />}
      <Begin desk={desk} start={widget.begins} label={said} />
    </>
  );
}

const may = (desk: SheetContext, { at, set }: Widget): boolean => desk.paper.mayChange && !!at && set !== false;

/** Boxes to cross off, a bar, or dots; tapping the last filled box clears it. */
function Track({ desk, widget }: Props<"track">): JSX.Element {
  const { value = 0, most, low = 0, style = "boxes" } = widget;
  const label = desk.say(widget.label);
  const editable = may(desk, widget);
  const set = (to: number): void => desk.set(widget.at, Math.max(low, to === value ? to - 1 : to));
  const about = t("sheet.track", { what: label, n: value, most });
  if (style === "dots")
    return (
      <div class="row apart">
        {label !== desk.title && (
          <span class="track-label">
            <Label desk={desk} widget={widget} />
          </span>
        )}
        <span class="dots" role="img" aria-label={about}>
          {Array.from({ length: most }, (_, n) => (
            <span key={n} class="dot" data-on={n < value || undefined} />
          ))}
        </span>
      </div>
    );
  if (style === "bar")
    return (
      <div class="stack close">
        <span class="track-label">
          <Label desk={desk} widget={widget} />
        </span>
        <div class="magazine" role="img" aria-label={about}>
          <span style={{ width: `${Math.round((100 * value) / Math.max(1, most))}%` }} />
          <b>
            {value}/{most}
          </b>
        </div>
        {editable && (
          <Stepper bare label={label} value={value} low={low} high={most} onChange={(to) => desk.set(widget.at, to)} />
        )}
      </div>
    );
  return (
    <div
      class="track"
      data-many={most > 6 || undefined}
      data-tone={
        widget.tone === "bad" || widget.tone === "awful" ? "bad" : widget.tone === "mixed" ? "brass" : undefined
      }
      role="group"
      aria-label={about}
    >
      <span class="track-label">
        <Label desk={desk} widget={widget} />
      </span>
      <span
        class="boxes"
        style={{ gridTemplateColumns: `repeat(${most > 6 ? 5 : Math.max(most, 4)}, minmax(0, 3.4rem))` }}
      >
        {Array.from({ length: most }, (_, n) => (
          <button
            key={n}
            class="box"
            data-on={n < value || undefined}
            disabled={!editable}
            aria-label={t("sheet.set", { what: label, n: n + 1 })}
            aria-pressed={n < value}
            onClick={() => set(n + 1)}
          />
        ))}
      </span>
      <output class="track-number">
        {value}/{most}
      </output>
    </div>
  );
}

function NumberWidget({ desk, widget }: Props<"number">): JSX.Element {
  const label = desk.say(widget.label);
  const said = widget.signed ? formatDifference(widget.value) : String(widget.value);
  return (
    <div class="row apart">
      <span class="track-label">
        <Label desk={desk} widget={widget} />
      </span>
      {may(desk, widget) && widget.step !== false ? (
        <Stepper
          bare
          label={label}
          value={widget.value}
          low={widget.low ?? undefined}
          high={widget.high ?? undefined}
          onChange={(to) => desk.set(widget.at, to)}
        />
      ) : (
        <span class="big-number">{said}</span>
      )}
    </div>
  );
}

/** A level that is a letter or a number has room beside the name. */
const isShort = (value: Plain): boolean => value !== null && String(value).length < 4;

function Level({ desk, widget }: Props<"level">): JSX.Element {
  const label = desk.say(widget.label);
  const on = widget.options.find((one) => one.value === (widget.value ?? null));
  if (desk.chance)
    return widget.begins ? (
      <RollRow
        desk={desk}
        start={widget.begins}
        label={label}
        note={isShort(widget.value) ? String(widget.value) : ""}
      />
    ) : (
      <div class={`roll-row ${widget.big ? "big" : ""}`}>
        <span class="roll-row-said">
          <Sign name={widget.icon} />
          <span>{label}</span>
        </span>
        <b>{on ? desk.say(on.label) : ""}</b>
      </div>
    );
  const chosen = (value: string): Plain => widget.options.find((one) => String(one.value) === value)!.value;
  return (
    <div class="row tight">
      <label
        class={`level grow ${widget.big ? "big" : ""}`}
        data-level={widget.value === null ? "none" : String(widget.value)}
      >
        <span class="grow">
          <Sign name={widget.icon} />
          {label}
        </span>
        <select
          aria-label={label}
          disabled={!may(desk, widget)}
          value={String(on?.value)}
          onChange={(event) => desk.set(widget.at, chosen(event.currentTarget.value))}
        >
          {!on && <option value="undefined">–</option>}
          {widget.options.map((one, n) => (
            <option key={n} value={String(one.value)} selected={one === on}>
              {desk.say(one.label) || "–"}
            </option>
          ))}
        </select>
      </label>
      <Begin desk={desk} start={widget.begins} label={label} />
    </div>
  );
}

function Flag({ desk, widget }: Props<"flag">): JSX.Element {
  const editable = may(desk, widget);
  if (!widget.value && (!editable || desk.chance)) return <></>;
  return (
    <button
      type="button"
      class={`button small-button ${widget.value ? "flag-on" : "flag-off"}`}
      aria-pressed={widget.value}
      disabled={!editable}
      onClick={() => desk.set(widget.at, !widget.value)}
    >
      {desk.say(widget.label)}
    </button>
  );
}

function TextWidget({ desk, widget }: Props<"text">): JSX.Element {
  const label = desk.say(widget.label);
  return (
    <div class="field">
      <span class="label">
        <Label desk={desk} widget={widget} />
      </span>
      {may(desk, widget) ? (
        <InPlace
          label={label}
          value={widget.value}
          most={widget.most ?? undefined}
          onSave={(to) => desk.set(widget.at, to)}
        />
      ) : (
        <span>{widget.value}</span>
      )}
    </div>
  );
}

/** Words as chips; they go and come by effects of the game, or in the list itself where they are plain. */
function Words({ desk, widget }: Props<"words">): JSX.Element {
  const { paper } = desk;
  const { adds, drops, value } = widget;
  const label = desk.say(widget.label);
  const found = widget.at ? heldAt(paper.sheet.values, way(widget.at)) : undefined;
  const held: Plain[] = Array.isArray(found) ? found : [];
  const editable = may(desk, widget);
  const plain = editable && !adds && !drops && held.every((one) => typeof one === "string");
  const remove = (n: number): void => {
    const drop = drops?.[n];
    if (drop) effect(paper, drop.effect, drop.amount, drop.target);
    else
      desk.set(
        widget.at,
        held.filter((_, m) => m !== n),
      );
  };
  const add = (word: string): void => (adds ? effect(paper, adds.effect, word) : desk.set(widget.at, [...held, word]));
  const ask = desk.say(adds?.text) || t("sheet.add", { what: label });
  return (
    <section class="sheet-part">
      {label !== desk.title && (
        <header>
          <h3>
            <Label desk={desk} widget={widget} />
          </h3>
        </header>
      )}
      {!value.length && <p class="small soft">{t("sheet.empty")}</p>}
      <ul class="row tight">
        {value.map((text, n) => {
          const word = desk.say(text);
          return (
            <li key={n} class="chip">
              {word}
              {(plain || (editable && drops?.[n])) && (
                <button
                  type="button"
                  class="chip-cross"
                  aria-label={t("do.remove", { what: word })}
                  onClick={() => remove(n)}
                >
                  <Icon name="cross" size={14} />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {(plain || (editable && adds)) && value.length < (widget.most ?? Infinity) && (
        <InPlace
          key={value.length}
          label={ask}
          placeholder={ask}
          value=""
          most={60}
          onSave={(word) => word && add(word)}
        />
      )}
    </section>
  );
}

/** A list of things, each in short, edited in full in a dialog made from the description of its fields. */
function Things({ desk, widget }: Props<"things">): JSX.Element {
  const { paper, say } = desk;
  const { at: name = "" } = widget;
  const about = aboutOf(paper, name);
  const list = listOf(paper, name);
  const rows = widget.rows ?? [];
  const title = say(widget.label);
  const [editing, setEditing] = useState<Editing | null>(null);
  const placeOf = (key: string, n: number): number => {
    const found = list.findIndex((thing) => String(thing[widget.key] ?? "") === key);
    return found < 0 ? n : found;
  };
  const store = (before: Body | undefined, after: Body | null): void =>
    void changeItem(paper, name, before, after).catch(showError);
  // Typed text is not lost if somebody else was quicker: both are there to choose from.
  const save = (before: Body | undefined, draft: Body): void => {
    setEditing(null);
    changeItem(paper, name, before, draft).catch((problem: Error) => {
      if (problem instanceof RequestError && problem.code === "conflict" && before)
        setEditing({ before, draft, conflict: true });
      else showError(problem);
    });
  };
  const theirs = editing?.conflict
    ? list.find((thing) => thing[widget.key] === editing.before![widget.key])
    : undefined;
  const most = widget.most ?? about?.most ?? Infinity;
  return (
    <section class="sheet-part">
      <header>
        <h3>
          <Sign name={widget.icon} />
          {title}
        </h3>
        <span class="row tight">
          <ChangeMark paper={paper} name={name} />
          {paper.mayChange && about?.items && list.length < most && (
            <button
              type="button"
              class="button quiet small-button"
              aria-label={t("sheet.add", { what: title })}
              onClick={() => setEditing({ draft: defaultOf(about.items!) as Body })}
            >
              <Icon name="plus" size={18} />
            </button>
          )}
        </span>
      </header>
      {!rows.length && <p class="small soft">{say(widget.empty) || t("sheet.empty")}</p>}
      <ul class="things">
        {rows.map((row, n) => {
          const place = placeOf(row.key, n);
          const said = say(row.title);
          const inside: SheetContext = {
            ...desk,
            inside: said,
            title: said,
            set: (path = "", value) => store(list[place], put(list[place], way(path), value) as Body),
          };
          return desk.chance ? (
            <li key={row.key}>
              <ItemRow desk={desk} row={row} title={said} draw={(show) => <Widgets desk={inside} show={show} />} />
            </li>
          ) : (
            <li key={row.key} class="thing">
              <div class="grow stack close">
                <div class="row apart">
                  <strong>{said}</strong>
                  <span class="row tight">
                    {row.chips?.map((chip, m) => (
                      <span key={m} class="chip">
                        {say(chip)}
                      </span>
                    ))}
                  </span>
                </div>
                <Widgets desk={inside} show={row.show ?? []} />
              </div>
              <Begin desk={desk} start={row.begins} label={said} />
              {paper.mayChange && about?.items && (
                <button
                  type="button"
                  class="button quiet small-button"
                  aria-label={t("sheet.edit", { what: said })}
                  onClick={() => setEditing({ before: list[place], draft: list[place] ?? {} })}
                >
                  <Icon name="pen" size={18} />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {editing && (
        <Dialog title={String(editing.draft[widget.key] || title)} onClose={() => setEditing(null)}>
          <form class="stack" onSubmit={(event) => (event.preventDefault(), save(editing.before, editing.draft))}>
            {editing.conflict && (
              <Conflict
                fields={about.items!.fields ?? []}
                within={name}
                theirs={theirs}
                mine={editing.draft}
                onOver={() => save(theirs, editing.draft)}
                onBoth={() =>
                  save(undefined, {
                    ...editing.draft,
                    [widget.key]: freeName(list, widget.key, String(editing.draft[widget.key] ?? "")),
                  })
                }
              />
            )}
            {!editing.before && (
              <Known
                things={knownItems(paper.table, name, widget.key).filter(
                  (thing) => !list.some((one) => one[widget.key] === thing[widget.key]),
                )}
                name={widget.key}
                onTake={(draft) => setEditing({ draft })}
              />
            )}
            <Form
              within={name}
              fields={about.items!.fields ?? []}
              values={editing.draft}
              folds
              onChange={(draft) => setEditing({ ...editing, draft })}
            />
            <div class="row apart">
              {!editing.conflict && <button class="button main">{t("do.save")}</button>}
              {editing.before && !editing.conflict && (
                <button
                  type="button"
                  class="button bad"
                  onClick={() => (store(editing.before, null), setEditing(null))}
                >
                  <Icon name="bin" size={18} />
                  {t("npc.remove")}
                </button>
              )}
            </div>
          </form>
        </Dialog>
      )}
    </section>
  );
}

/** The input for a list item: a new one, or one as it was when it was opened. */
interface Editing {
  readonly before?: Body | undefined;
  readonly draft: Body;
  readonly conflict?: boolean;
}

/** A name that nothing of the list has yet. */
function freeName(list: Body[], key: string, name: string): string {
  const taken = new Set(list.map((thing) => String(thing[key])));
  let n = 2;
  while (taken.has(`${name} (${n})`)) n += 1;
  return taken.has(name) ? `${name} (${n})` : name;
}

/** Two have changed the same thing: where they differ, and what may become of it. */
function Conflict(props: {
  fields: readonly FieldDescription[];
  within: string;
  theirs: Body | undefined;
  mine: Body;
  onOver: () => void;
  onBoth: () => void;
}): JSX.Element {
  const { theirs, mine } = props;
  const shown = (value: Plain | undefined): string =>
    value === undefined || value === null ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const differ = theirs ? props.fields.filter(({ name }) => shown(theirs[name]) !== shown(mine[name])) : [];
  return (
    <div class="notice bad conflict" role="alert">
      <Icon name="warn" />
      <div class="stack close grow">
        <strong>{t(theirs ? "sheet.conflict" : "sheet.conflict.gone")}</strong>
        <ul>
          {differ.map((one) => (
            <li key={one.name} class="small">
              {t("sheet.conflict.field", {
                what: ofField("label", one.name, one.title, props.within),
                theirs: shown(theirs![one.name]),
                mine: shown(mine[one.name]),
              })}
            </li>
          ))}
        </ul>
        <div class="row tight">
          <button type="button" class="button main" onClick={props.onBoth}>
            {t("sheet.conflict.both")}
          </button>
          {theirs && (
            <button type="button" class="button" onClick={props.onOver}>
              {t("sheet.conflict.over")}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Things that are known, to take one as it is. */
function Known({
  things,
  name,
  onTake,
}: {
  things: Body[];
  name: string;
  onTake: (thing: Body) => void;
}): JSX.Element | null {
  if (!things.length) return null;
  return (
    <fieldset class="field">
      <legend class="label">{t("sheet.like")}</legend>
      <div class="row tight">
        {things.map((thing) => (
          <button key={String(thing[name])} type="button" class="button small-button" onClick={() => onTake(thing)}>
            {nameSaid(String(thing[name]))}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

const Note = ({ desk, widget }: Props<"note">): JSX.Element => (
  <p class={widget.tone === "bad" || widget.tone === "awful" ? "notice bad small" : "small soft"}>
    {desk.say(widget.text)}
  </p>
);

/** Something that the game's own rules do to the sheet; what cannot be now says why. */
function Act({ desk, widget }: Props<"act">): JSX.Element {
  const id = useId();
  const off = desk.say(widget.off);
  if (!desk.paper.mayChange) return <></>;
  return (
    <span class="act">
      <button
        type="button"
        class="button small-button"
        aria-disabled={off ? true : undefined}
        aria-describedby={off ? id : undefined}
        onClick={() => !off && effect(desk.paper, widget.effect, widget.amount, widget.target)}
      >
        <Sign name={widget.icon} />
        {desk.say(widget.text)}
      </button>
      {off && (
        <small class="off-why" id={id}>
          {off}
        </small>
      )}
    </span>
  );
}

/** Another roll that a thing begins, by its own name. */
const Roll = ({ desk, widget }: Props<"roll">): JSX.Element =>
  mayRoll(desk) ? <RollButton desk={desk} start={widget.begins} what={desk.inside ?? ""} /> : <></>;

function Group({ desk, widget }: Props<"group">): JSX.Element {
  const title = desk.say(widget.title);
  const inside = <Widgets desk={title ? { ...desk, title } : desk} show={widget.show ?? []} />;
  const shown: ComponentChildren = widget.columns ? <div class="attributes">{inside}</div> : inside;
  if (widget.fold)
    return (
      <details class="tucked">
        <summary>
          <Icon name="right" size={16} />
          {title}
        </summary>
        <div class="stack">{shown}</div>
      </details>
    );
  if (!title) return <div class="stack close">{shown}</div>;
  return desk.inside !== undefined ? (
    <div class="stack close">
      <span class="small soft">{title}</span>
      {shown}
    </div>
  ) : (
    <section class="sheet-part">
      <header>
        <h3>
          <Sign name={widget.icon} />
          {title}
        </h3>
        <Begin desk={desk} start={widget.begins} label={title} />
      </header>
      {shown}
    </section>
  );
}

const MADE: { [Name in Widget["widget"]]: (props: Props<Name>) => JSX.Element } = {
  track: Track,
  number: NumberWidget,
  level: Level,
  flag: Flag,
  text: TextWidget,
  words: Words,
  things: Things,
  note: Note,
  act: Act,
  roll: Roll,
  group: Group,
};
