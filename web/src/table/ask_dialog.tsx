// The referee asks people to roll something.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Body, Described, Visibility } from "../state/types";
import type { Table } from "../state/table";
import { Dialog } from "../ui/dialog";
import { Field, Segments, Switch } from "../ui/fields";
import { capital, Form, usual } from "../ui/forms";
import { Icon } from "../ui/icons";
import { tellProblem } from "../ui/live";
import { locale, t } from "../words";

/** What a referee says when asking; the rest comes from each character's sheet. */
const SAID: Record<string, Record<string, string[]>> = {
  twilight2000: { skill: ["skill_name", "modifier"] },
  dust: { roll: ["attribute", "ability", "difficulty", "modifier", "kind"] },
  kleptonomicon: { test: ["score_name", "advantages", "disadvantages"] },
  edge20: { check: ["skill", "dc", "advantages", "disadvantages"] },
  ghostburn: { roll: ["skill", "ability", "dl"] },
};
/** Fields that a sheet knows by name, though a request holds their number. */
const BY_NAME: Record<string, string[]> = { dust: ["attribute", "ability"], ghostburn: ["skill", "ability"], edge20: ["skill"], kleptonomicon: ["score_name"] };

/** What a roll cannot do without, beside what the game itself requires: one of each row. */
const NEEDED: Record<string, string[][]> = { twilight2000: [["skill_name"]], dust: [["attribute", "ability"]], ghostburn: [["skill"]] };

export function AskDialog({ table, onClose }: { table: Table; onClose: () => void }): JSX.Element {
  const game = table.game.value;
  const players = table.here.value.filter((seat) => seat.role === "player");
  const [who, setWho] = useState<string[]>([]);
  const said = game ? (SAID[game.name] ?? { [game.default_roll]: game.rolls[game.default_roll].fields.slice(0, 4).map((field) => field.name) }) : {};
  const kinds = Object.keys(said);
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [values, setValues] = useState<Body>({});
  const [expression, setExpression] = useState("");
  const [note, setNote] = useState("");
  const [visibility, setVisibility] = useState<Visibility>("open");
  const fields = (said[kind] ?? []).flatMap((name) => {
    const about = game?.rolls[kind]?.fields.find((field) => field.name === name);
    return about ? [askedField(about, game!.name, table)] : [];
  });
  const missing = kind ? (NEEDED[game!.name] ?? []).find((names) => !names.some((name) => values[name])) : undefined;
  const needed = missing && new Intl.ListFormat(locale(), { type: "disjunction" }).format(fields.filter((field) => missing.includes(field.name)).map((field) => capital(field.title)));
  const ask = (event: Event): void => {
    event.preventDefault();
    // What is required is said also where it is left as it stands.
    const required = Object.fromEntries(fields.filter((field) => field.required && field.kind !== "text").map((field) => [field.name, usual(field)]));
    const roll = kind ? { from_sheet: { roll: kind, ...required, ...values } } : { expression };
    table.send({ do: "ask.make", who: who.length ? who : "all", ...roll, note: note.trim(), visibility }).then(onClose, tellProblem);
  };
  const kindsSeen: Visibility[] = ["open", "private", "blind"];
  return (
    <Dialog title={t("ask.title")} onClose={onClose}>
      <form class="stack" onSubmit={ask}>
        <fieldset class="field">
          <legend class="label">{t("ask.who")}</legend>
          <Switch label={t("ask.everybody")} on={!who.length} onChange={(on) => setWho(on ? [] : players.map((seat) => seat.id))} />
          {who.length > 0 && players.map((seat) => <Switch key={seat.id} label={table.nameOf(seat.id)} on={who.includes(seat.id)} onChange={(on) => setWho(on ? [...who, seat.id] : who.filter((one) => one !== seat.id))} />)}
        </fieldset>
        {kinds.length > 0 && (
          <Segments label={t("ask.what")} value={kind} onChange={setKind} options={[...kinds.map((value) => ({ value, label: game!.rolls[value].title })), { value: "", label: t("ask.expression") }]} />
        )}
        {kind ? <Form fields={fields} values={values} onChange={setValues} /> : (
          <Field label={t("ask.expression")}>{(about) => <input {...about} class="input mono" value={expression} placeholder="2d6+3" onInput={(event) => setExpression(event.currentTarget.value)} />}</Field>
        )}
        <Field label={t("ask.note")}>{(about) => <input {...about} class="input" maxLength={200} value={note} onInput={(event) => setNote(event.currentTarget.value)} />}</Field>
        <Segments label={t("visibility.label")} value={visibility} onChange={setVisibility} options={kindsSeen.map((value) => ({ value, label: t(`visibility.${value}`) }))} />
        {needed && <p class="small soft row tight" id="ask-needs"><Icon name="info" size={16} />{t("ask.needs", { what: needed })}</p>}
        <button class="button main big" disabled={!!needed || (!kind && !expression.trim())} aria-describedby={needed ? "ask-needs" : undefined}><Icon name="bell" />{t("ask.send")}</button>
      </form>
    </Dialog>
  );
}

/** A field that is named here and looked up on each sheet: a choice of all names there are. */
function askedField(about: Described, game: string, table: Table): Described {
  if (!BY_NAME[game]?.includes(about.name)) return about;
  const names = new Set<string>();
  for (const sheet of table.sheets.value) {
    for (const list of ["stats", "skills", "abilities", "modifiers"]) {
      if (about.name === "ability" && list === "skills") continue;
      if (about.name === "skill" && list === "abilities") continue;
      for (const one of (sheet.values[list] ?? []) as Body[]) if (typeof one.name === "string") names.add(one.name);
    }
  }
  const optional = !(about.name === "skill" || about.name === "score_name");
  if (!names.size) return { ...about, kind: "text", optional, default: "" };
  return { ...about, kind: "choice", choices: [...names], optional: true, default: null };
}
