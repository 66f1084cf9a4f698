/** The Kleptonomicon: a Modifier by name, Advantages against Disadvantages, at most four dice. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Body, Sheet } from "../../state/types";
import { t } from "../../words";
import { Choices, Stepper, Switch } from "../controls";
import { Made } from "../fields";
import type { Person } from "../form";
import { Taps } from "../scale_control";
import { listed, text, whole, type Layout, type PlaceProps } from "./kinds";

const MOST_EXTRA = 3;

const note = (value: number): string => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

function Modifiers({ form }: PlaceProps): JSX.Element {
  const known = listed(form.sheet.value, "modifiers");
  const options = known.map((one) => ({ value: text(one["name"]), label: text(one["name"]), note: text(one["dice"]) || note(whole(one["value"])) }));
  return (
    <Choices chips label={t("klep.score")} value={text(form.get("score_name"))} options={[{ value: "", label: t("klep.plain") }, ...options]} wrong={form.wrongAt("score_name")}
      onSet={(name) => form.set("score_name", name || undefined)} />
  );
}

/** How many the sheet gives by itself, for the Modifier that is picked. */
function onSheet(props: PlaceProps, kind: string): number {
  if (!props.form.fromSheet.value) return 0;
  return given(props.form.sheet.value, kind, text(props.form.get("score_name")));
}

/** How many Advantages or Disadvantages a sheet gives to Tests with a Modifier. */
function given(sheet: Sheet | undefined, kind: string, name: string): number {
  return listed(sheet, "circumstances")
    .filter((one) => text(one["kind"]) === kind || (kind === "advantage" && !one["kind"]))
    .filter((one) => !(one["tests"] as string[] | undefined)?.length || (one["tests"] as string[]).includes(name))
    .reduce((sum, one) => sum + whole(one["count"], 1), 0);
}

function Favour(props: PlaceProps & { path?: string }): JSX.Element {
  const { form, path = "" } = props;
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  const helped = form.number(at("advantages"), path ? 0 : onSheet(props, "advantage"));
  const hindered = form.number(at("disadvantages"), path ? 0 : onSheet(props, "disadvantage"));
  const left = Math.max(-MOST_EXTRA, Math.min(MOST_EXTRA, helped - hindered));
  const said = left > 0 ? t("klep.highest", { n: left + 1 }) : left < 0 ? t("klep.lowest", { n: 1 - left }) : t("klep.one_die");
  return (
    <div class="favour">
      <div class="two">
        <Stepper label={t("klep.advantages")} value={helped} low={0} high={20} wrong={form.wrongAt(at("advantages"))} onSet={(n) => form.set(at("advantages"), n)} />
        <Stepper label={t("klep.disadvantages")} value={hindered} low={0} high={20} wrong={form.wrongAt(at("disadvantages"))} onSet={(n) => form.set(at("disadvantages"), n)} />
      </div>
      <p class="said">{said}</p>
    </div>
  );
}

function Modifier({ form, path = "" }: PlaceProps & { path?: string }): JSX.Element {
  const at = path ? `${path}.modifier` : "modifier";
  return <Taps label={t("klep.modifier")} signed value={form.number(at)} row={[-3, -2, -1, 0, 1, 2, 3]} low={-30} high={30} wrong={form.wrongAt(at)} onSet={(n) => form.set(at, n)} />;
}

function TestPlace(props: PlaceProps): JSX.Element {
  return (
    <>
      {props.form.fromSheet.value ? <Modifiers {...props} /> : <Modifier {...props} />}
      <Favour {...props} />
    </>
  );
}

/** Somebody at the table as a rule knows them, with what their sheet gives to a Modifier. */
function playerOf(person: Person, score?: string): Body {
  const own = listed(person.sheet, "modifiers");
  const used = own.find((one) => text(one["name"]) === score) ?? (score === undefined ? own[0] : undefined);
  const name = text(used?.["name"]);
  const held = { modifier: whole(used?.["value"]), advantages: given(person.sheet, "advantage", name), disadvantages: given(person.sheet, "disadvantage", name) };
  return { name: `@${person.id}`, ...held };
}

/** Which of their Modifiers somebody else uses, and what helps and hinders them. */
function Somebody(props: PlaceProps & { path: string; person: Person | undefined }): JSX.Element {
  const { form, path, person } = props;
  const own = listed(person?.sheet, "modifiers").filter((one) => !one["dice"]);
  const [score, setScore] = useState(text(own[0]?.["name"]));
  const pick = (name: string): void => {
    setScore(name);
    form.set(path, playerOf(person!, name));
  };
  return (
    <>
      {own.length > 0 ? (
        <Choices chips label={t("klep.score")} value={score} options={[{ value: "", label: t("klep.plain") }, ...own.map((one) => ({ value: text(one["name"]), label: text(one["name"]), note: note(whole(one["value"])) }))]} onSet={pick} />
      ) : <Modifier {...props} />}
      <Favour {...props} />
    </>
  );
}

/** The people at the table, each in or out; the rest of a group is named by hand elsewhere. */
function GroupPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  const people = form.people.value;
  const schema = form.schema.value?.properties ?? {};
  if (!people.length) return <>{GROUP.map((name) => schema[name] && <Made key={name} form={form} path={name} name={name} schema={schema[name]} />)}</>;
  const members = (form.get("members") as Body[] | undefined) ?? [];
  const at = (person: Person): number => members.findIndex((member) => member["name"] === `@${person.id}`);
  const turn = (person: Person, on: boolean): void => {
    const next = on ? [...members, playerOf(person)] : members.filter((member) => member["name"] !== `@${person.id}`);
    form.set("members", next);
  };
  return (
    <>
      <fieldset class="field">
        <legend class="label">{t("klep.who")}</legend>
        {people.map((person) => <Switch key={person.id} label={person.name} value={at(person) >= 0} onSet={(on) => turn(person, on)} />)}
        {form.wrongAt("members") && <p class="wrong" role="alert">{form.wrongAt("members")}</p>}
      </fieldset>
      {members.map((member, n) => {
        const person = people.find((one) => member["name"] === `@${one.id}`);
        return (
          <fieldset class="made-group" key={text(member["name"])}>
            <legend>{person?.name ?? text(member["name"])}</legend>
            <Somebody {...props} path={`members.${n}`} person={person} />
          </fieldset>
        );
      })}
      <Stepper label={t("klep.goal")} value={form.number("goal", 7)} low={-30} high={42} wrong={form.wrongAt("goal")} onSet={(n) => form.set("goal", n)} />
      <Switch label={t("klep.each")} help={t("klep.each_help")} value={form.get("read") === "scores"} onSet={(on) => form.set("read", on ? "scores" : undefined)} />
    </>
  );
}

/** Who stands on the other side: somebody at the table, or a rival of the referee's. */
function Against({ form }: PlaceProps): JSX.Element {
  const me = form.sheet.value?.id;
  const others = form.people.value.filter((person) => person.id !== me);
  const name = text(form.get("second.name"));
  const set = (id: string): void => {
    const person = others.find((one) => `@${one.id}` === id);
    form.set("second", person ? playerOf(person) : { name: t("klep.rival") });
  };
  if (!others.length) return <></>;
  return <Choices chips label={t("klep.against")} value={name.startsWith("@") ? name : ""} options={[{ value: "", label: t("klep.rival") }, ...others.map((one) => ({ value: `@${one.id}`, label: one.name }))]} onSet={set} />;
}

function ContestPlace(props: PlaceProps): JSX.Element {
  const sides = props.form.fromSheet.value ? (["second"] as const) : (["first", "second"] as const);
  const rival = props.form.people.value.find((one) => props.form.get("second.name") === `@${one.id}`);
  return (
    <>
      {props.form.fromSheet.value && <Modifiers {...props} />}
      {sides.map((side) => (
        <fieldset class="made-group">
          <legend>{t(`klep.${side}`)}</legend>
          {side === "second" && <Against {...props} />}
          {side === "second" && rival ? <Somebody key={rival.id} {...props} path="second" person={rival} /> : (
            <>
              <Modifier {...props} path={side} />
              <Favour {...props} path={side} />
            </>
          )}
        </fieldset>
      ))}
    </>
  );
}

const GROUP = ["members", "goal", "read"];
const MOST_COUNTED = 3;

const PLACES = {
  test: { Place: TestPlace, fields: ["score_name", "modifier", "advantages", "disadvantages"] },
  contest: { Place: ContestPlace, fields: ["first", "second"] },
  group: { Place: GroupPlace, fields: GROUP },
};

export const kleptonomicon: Layout = {
  first(roll, sheet, people = []): Body {
    if (roll === "group" && people.length) {
      const players = people.filter((person) => person.player).slice(0, 12);
      return { members: players.map((person) => playerOf(person)), goal: 7, ...(players.length <= MOST_COUNTED ? { read: "scores" } : {}) };
    }
    if (roll === "group") return { members: [1, 2].slice(sheet ? 1 : 0).map((n) => ({ name: t("panel.someone_n", { n }), modifier: 0 })), goal: 7 };
    const name = text(listed(sheet, "modifiers")[0]?.["name"]);
    if (roll === "contest") return { second: { name: t("klep.rival") }, ...(name ? { score_name: name } : {}) };
    return name ? { score_name: name } : {};
  },
  place: (roll) => (roll in PLACES ? PLACES[roll as keyof typeof PLACES] : null),
  charts: { test: ["score", "band"], contest: ["winner"], group: ["reached"] },
  more: { test: ["modifier", "advantages"], contest: ["first.modifier", "first.advantages", "second.advantages"], group: ["goal"] },
  policies: (roll) => (roll === "group" ? [{ value: "never", label: t("klep.never") }, { value: "lowest-first", label: t("klep.lowest_first") }, { value: "best", label: t("panel.best_play") }] : []),
};
