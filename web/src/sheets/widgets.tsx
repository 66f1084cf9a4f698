// Pieces of a sheet: tracks, dots, lists with their own editor, and the mark of a change.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Body, Change, Described, Plain, Sheet } from "../state/types";
import type { Table } from "../state/table";
import { Dialog } from "../ui/dialog";
import { capital, Form, FormField, named, usual } from "../ui/forms";
import { Icon, type IconName } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { t } from "../words";

/** A sheet that is being looked at, and what one may do with it. */
export interface Paper {
  table: Table;
  sheet: Sheet;
  fields: Described[];
  mayChange: boolean;
}

export const held = (paper: Paper, name: string): Plain => paper.sheet.values[name] ?? usual(aboutOf(paper, name));
export const heldNumber = (paper: Paper, name: string): number => Number(held(paper, name) ?? 0);
export const heldList = (paper: Paper, name: string): Body[] => (held(paper, name) as Body[] | null) ?? [];
export const aboutOf = (paper: Paper, name: string): Described => paper.fields.find((field) => field.name === name)!;

export function change(paper: Paper, values: Body): void {
  paper.table.send({ do: "sheet.change", sheet: paper.sheet.id, values }).catch(tellProblem);
}

/** Something that the game's own rules do to a sheet: reload, a new round. */
export function effect(paper: Paper, kind: string, amount: Plain = 0, target = ""): void {
  paper.table.send({ do: "sheet.effect", sheet: paper.sheet.id, kind, amount, target }).catch(tellProblem);
}

export function Part({ title, icon, children, side }: { title: string; icon?: IconName; children: ComponentChildren; side?: ComponentChildren }): JSX.Element {
  return (
    <section class="sheet-part">
      <header><h3>{icon && <Icon name={icon} size={18} />}{title}</h3>{side}</header>
      {children}
    </section>
  );
}

/** A row of boxes to be crossed off; tapping the last filled one clears it. */
export function Track({ paper, name, most, label, icon, tone }: { paper: Paper; name: string; most: number; label: string; icon?: IconName; tone?: "bad" | "good" | "brass" }): JSX.Element {
  const value = heldNumber(paper, name);
  const set = (to: number): void => change(paper, { [name]: to === value ? to - 1 : to });
  return (
    <div class="track" data-tone={tone} role="group" aria-label={t("sheet.track", { what: label, n: value, most })}>
      <span class="track-label">{icon && <Icon name={icon} size={18} />}{label}<Changed paper={paper} name={name} /></span>
      <span class="boxes" style={{ gridTemplateColumns: `repeat(${most > 6 ? 5 : Math.max(most, 4)}, minmax(0, 3.4rem))` }}>
        {Array.from({ length: most }, (_, n) => (
          <button key={n} class="box" data-on={n < value || undefined} disabled={!paper.mayChange} aria-label={t("sheet.set", { what: label, n: n + 1 })} aria-pressed={n < value} onClick={() => set(n + 1)} />
        ))}
      </span>
      <output class="track-number">{value}/{most}</output>
    </div>
  );
}

/** Says for a while that a field was just changed, from what, and why. */
export function Changed({ paper, name }: { paper: Paper; name: string }): JSX.Element | null {
  const last: Change | undefined = paper.sheet.changes[name];
  if (!last || !paper.table.arrived.has(last.seq)) return null;
  const roll = typeof last.cause.roll === "string" ? paper.table.roll(last.cause.roll) : undefined;
  const why = last.cause.undo ? t("sheet.cause.undo") : last.cause.session ? t("sheet.cause.session") : roll ? paper.table.said(roll.title) : t("sheet.cause.hand");
  const simple = last.before === null || typeof last.before !== "object";
  return <span class="chip brass changed">{simple ? t("sheet.changed", { before: String(last.before ?? "–"), why }) : why}</span>;
}

interface ThingsProps { paper: Paper; name: string; title: string; icon?: IconName; row: (thing: Body, set: (changes: Body) => void, place: number) => ComponentChildren; empty?: string }

/** A list of things: each as the game shows it, edited in full in a dialog. */
export function Things({ paper, name, title, icon, row, empty }: ThingsProps): JSX.Element {
  const [editing, setEditing] = useState<{ place: number; draft: Body; title: string } | null>(null);
  const list = heldList(paper, name);
  const about = aboutOf(paper, name);
  const store = (next: Plain[]): void => change(paper, { [name]: next });
  const add = (): void => setEditing({ place: list.length, draft: usual(about.items!) as Body, title });
  const done = (): void => {
    const { place, draft } = editing!;
    store(place === list.length ? [...list, draft] : list.map((thing, n) => (n === place ? draft : thing)));
    setEditing(null);
  };
  return (
    <Part title={title} icon={icon} side={<span class="row tight"><Changed paper={paper} name={name} />{paper.mayChange && list.length < (about.most ?? Infinity) && <button class="button quiet small-button" aria-label={t("sheet.add", { what: title })} onClick={add}><Icon name="plus" size={18} /></button>}</span>}>
      {!list.length && <p class="small soft">{empty ?? t("sheet.empty")}</p>}
      <ul class="things">
        {list.map((thing, place) => (
          <li key={place} class="thing">
            <div class="grow">{row(thing, (changes) => store(list.map((one, n) => (n === place ? { ...one, ...changes } : one))), place)}</div>
            {paper.mayChange && <button class="button quiet small-button" aria-label={t("sheet.edit", { what: named(thing) || title })} onClick={() => setEditing({ place, draft: thing, title: named(thing) || title })}><Icon name="pen" size={18} /></button>}
          </li>
        ))}
      </ul>
      {editing && (
        <Dialog title={editing.title} onClose={() => setEditing(null)}>
          <form class="stack" onSubmit={(event) => (event.preventDefault(), done())}>
            <Form fields={about.items!.fields ?? []} values={editing.draft} onChange={(draft) => setEditing({ ...editing, draft })} />
            <div class="row apart">
              <button class="button main">{t("do.save")}</button>
              {editing.place < list.length && <button type="button" class="button bad" onClick={() => (store(list.filter((_, n) => n !== editing.place)), setEditing(null))}><Icon name="bin" size={18} />{t("npc.remove")}</button>}
            </div>
          </form>
        </Dialog>
      )}
    </Part>
  );
}

/** Whatever a layout does not show by hand, as plain fields. */
export function Rest({ paper, names }: { paper: Paper; names: string[] }): JSX.Element | null {
  const fields = paper.fields.filter((field) => names.includes(field.name));
  if (!fields.length) return null;
  return (
    <div class="form">
      {fields.map((about) => <FormField key={about.name} about={about} value={held(paper, about.name)} disabled={!paper.mayChange} onChange={(value) => change(paper, { [about.name]: value })} />)}
    </div>
  );
}

export const words = (name: string): string => capital(name.replaceAll("_", " "));
export const signed = (amount: number): string => (amount < 0 ? `−${Math.abs(amount)}` : `+${amount}`);

export function Flag({ paper, name, label }: { paper: Paper; name: string; label: string }): JSX.Element | null {
  const on = held(paper, name) === true;
  if (!on && !paper.mayChange) return null;
  return <button class={`button small-button ${on ? "flag-on" : "flag-off"}`} aria-pressed={on} disabled={!paper.mayChange} onClick={() => change(paper, { [name]: !on })}>{label}</button>;
}
