/** A Thousand Miles of Dust: two stats, a difficulty from 2 to 10, and Adrenaline to spend. */

import type { JSX } from "preact";
import type { Body } from "../../state/types";
import { t } from "../../words";
import { Choices, Slider, Stepper } from "../controls";
import type { Form, Person } from "../form";
import { Opponent, rivals } from "../Opponent";
import { Taps } from "../scale_control";
import { Steps } from "../Steps";
import { useWithin } from "../within";
import { listed, text, whole, type Layout, type PlaceProps } from "./kinds";

const DIFFICULTIES = [2, 3, 4, 5, 6, 7, 8, 9, 10];
const FULL = 10;

function Stats({ form, path = "" }: PlaceProps & { path?: string }): JSX.Element {
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  const stats = listed(form.sheet.value, "stats").map((stat) => ({ value: text(stat["name"]), label: text(stat["name"]), note: String(whole(stat["rating"])) }));
  return (
    <>
      <Choices chips label={t("dust.attribute")} value={text(form.get(at("attribute")))} options={stats} wrong={form.wrongAt(at("attribute")) || form.wrongAt(at("stats"))} onSet={(name) => form.set(at("attribute"), name)} />
      <Choices chips label={t("dust.ability")} value={text(form.get(at("ability")))} options={[{ value: "", label: t("panel.none") }, ...stats.filter((stat) => stat.value !== form.get(at("attribute")))]} wrong={form.wrongAt(at("ability"))} onSet={(name) => form.set(at("ability"), name || undefined)} />
    </>
  );
}

function Pool({ form, warm, path = "" }: PlaceProps & { path?: string }): JSX.Element {
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  return (
    <>
      <Slider label={t("dust.pool")} value={form.number(at("pool"), 5)} low={0} high={FULL} wrong={form.wrongAt(at("pool"))} onGrab={() => warm(at("pool"), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])} onSet={(n) => form.set(at("pool"), n)} />
    </>
  );
}

function Dice(props: PlaceProps & { path?: string }): JSX.Element {
  const { form, path = "" } = props;
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  return (
    <>
      {form.fromSheet.value ? <Stats {...props} /> : <Pool {...props} />}
      <Taps label={t("dust.modifier")} signed value={form.number(at("modifier"))} row={[-3, -2, -1, 0, 1, 2, 3]} low={-30} high={20} wrong={form.wrongAt(at("modifier"))} onSet={(n) => form.set(at("modifier"), n || undefined)} />
    </>
  );
}

function Difficulty({ form, path = "" }: PlaceProps & { path?: string }): JSX.Element {
  const at = path ? `${path}.difficulty` : "difficulty";
  return (
    <Taps label={t("dust.difficulty")} value={form.number(at, 6)} row={DIFFICULTIES} low={2} high={10} wrong={form.wrongAt(at)}
      words={{ 2: t("dust.trivial"), 6: t("dust.standard"), 10: t("dust.impossible") }} onSet={(n) => form.set(at, n === 6 ? undefined : n)} />
  );
}

/** What the sheet has, even where the dice are counted by hand; without a sheet, as much as is said. */
const adrenalineOf = (form: Form, path: string, otherwise: number): number =>
  form.sheet.value ? (form.numbers.value.get("adrenaline") ?? 0) : whole(form.get(path), otherwise);

/** As much Adrenaline as there is and as the table allows on one roll. */
function Spend({ form, warm, path = "" }: PlaceProps & { path?: string }): JSX.Element {
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  const has = adrenalineOf(form, at("adrenaline"), FULL);
  const most = Math.min(has, form.houseNumber("max_adrenaline_per_roll"));
  const spend = useWithin(form, at("spend"), most);
  return (
    <Slider label={t("dust.spend")} help={t("dust.spend_help", { n: has })} value={spend} low={0} high={most} wrong={form.wrongAt(at("spend"))}
      onGrab={() => warm(at("spend"), Array.from({ length: most + 1 }, (_, n) => n))} onSet={(n) => form.set(at("spend"), n || undefined)} />
  );
}

function RollPlace(props: PlaceProps): JSX.Element {
  return (
    <>
      <Dice {...props} />
      <Difficulty {...props} />
      <Spend {...props} />
    </>
  );
}

/** The side that stands against it: somebody at the table by their stats, or a pool said by hand. */
function Defender(props: PlaceProps): JSX.Element {
  const { form } = props;
  const person = rivals(form).find((one) => form.get("defender.name") === `@${one.id}`);
  const stats = listed(person?.sheet, "stats");
  const fill = (who: Person | undefined, chosen: (string | undefined)[]): void => {
    if (!who) return form.set("defender", { pool: 4 });
    const [attribute, ability] = chosen.map((name) => listed(who.sheet, "stats").find((stat) => stat["name"] === name));
    const modifier = who === person ? form.number("defender.modifier") : -whole(who.sheet?.values["injury"]);
    form.set("defender", {
      name: `@${who.id}`, adrenaline: whole(who.sheet?.values["adrenaline"]), ...(modifier ? { modifier } : {}),
      attribute: whole(attribute?.["rating"]), attribute_name: text(attribute?.["name"]),
      ...(ability ? { ability: whole(ability["rating"]), ability_name: text(ability["name"]) } : {}),
    });
  };
  const begin = (who: Person | undefined): void => fill(who, listed(who?.sheet, "stats").slice(0, 2).map((stat) => text(stat["name"])));
  const now = [text(form.get("defender.attribute_name")), text(form.get("defender.ability_name"))];
  const chips = stats.map((stat) => ({ value: text(stat["name"]), label: text(stat["name"]), note: String(whole(stat["rating"])) }));
  return (
    <>
      <Opponent form={form} label={t("panel.against")} value={person?.id ?? ""} onPick={begin} />
      {person && stats.length > 0 ? (
        <>
          <Choices chips label={t("dust.attribute")} value={now[0]} options={chips} wrong={form.wrongAt("defender.attribute")} onSet={(name) => fill(person, [name, now[1]])} />
          <Choices chips label={t("dust.ability")} value={now[1]} options={[{ value: "", label: t("panel.none") }, ...chips.filter((stat) => stat.value !== now[0])]} wrong={form.wrongAt("defender.ability")} onSet={(name) => fill(person, [now[0], name])} />
        </>
      ) : <Pool {...props} path="defender" />}
      <SideModifier {...props} path="defender" />
    </>
  );
}

const SideModifier = ({ form, path }: PlaceProps & { path: string }): JSX.Element => (
  <Taps label={t("dust.modifier")} signed value={form.number(`${path}.modifier`)} row={[-3, -2, -1, 0, 1, 2, 3]} low={-30} high={20} wrong={form.wrongAt(`${path}.modifier`)} onSet={(n) => form.set(`${path}.modifier`, n || undefined)} />
);

function OpposingPlace(props: PlaceProps): JSX.Element {
  return (
    <>
      <fieldset class="made-group">
        <legend>{t("dust.actor")}</legend>
        <Dice {...props} path="actor" />
        <Spend {...props} path="actor" />
      </fieldset>
      <fieldset class="made-group">
        <legend>{t("dust.defender")}</legend>
        <Defender {...props} />
      </fieldset>
      <Difficulty {...props} />
    </>
  );
}

function ExtendedPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  const tasks = listed(form.sheet.value, "tasks").map((task) => text(task["name"]));
  return (
    <>
      {form.fromSheet.value && tasks.length > 0 && (
        <Choices chips label={t("dust.task")} value={text(form.get("task"))} options={[{ value: "", label: t("dust.new_task") }, ...tasks.map((name) => ({ value: name, label: name }))]}
          onSet={(name) => { form.set("task", name || undefined); form.set("target", name ? undefined : 5); }} />
      )}
      <Dice {...props} />
      <Difficulty {...props} />
      <div class="two">
        {!form.get("task") && <Stepper label={t("dust.target")} value={form.number("target", 5)} low={1} high={40} wrong={form.wrongAt("target")} onSet={(n) => form.set("target", n)} />}
        <Stepper label={t("dust.limit")} value={form.number("limit", 6)} low={1} high={20} wrong={form.wrongAt("limit")} onSet={(n) => form.set("limit", n)} />
      </div>
    </>
  );
}

/** Rolls that share one supply of Adrenaline. */
function PlanPlace(props: PlaceProps): JSX.Element {
  const { form, warm } = props;
  return (
    <>
      <Steps form={form} path="rolls" name={(n) => t("dust.plan_n", { n })} add={t("dust.plan_add")}>
        {(path) => (
          <>
            <Dice {...props} path={path} />
            <Difficulty {...props} path={path} />
            <div class="two">
              <Stepper label={t("dust.need")} value={form.number(`${path}.need`, 1)} low={1} high={20} wrong={form.wrongAt(`${path}.need`)} onSet={(n) => form.set(`${path}.need`, n === 1 ? undefined : n)} />
              <Stepper label={t("dust.worth")} value={form.number(`${path}.worth`, 1)} low={0} high={20} wrong={form.wrongAt(`${path}.worth`)} onSet={(n) => form.set(`${path}.worth`, n === 1 ? undefined : n)} />
            </div>
          </>
        )}
      </Steps>
      {form.sheet.value ? <p class="said">{t("dust.has", { n: adrenalineOf(form, "adrenaline", 0) })}</p> : (
        <Slider label={t("dust.shared")} value={form.number("adrenaline")} low={0} high={FULL} wrong={form.wrongAt("adrenaline")} onGrab={() => warm("adrenaline", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])} onSet={(n) => form.set("adrenaline", n || undefined)} />
      )}
    </>
  );
}

const STATS = ["pool", "attribute", "ability", "modifier", "attribute_name", "ability_name", "difficulty"];
const PLACES = {
  roll: { Place: RollPlace, fields: [...STATS, "spend", "adrenaline"] },
  opposing: { Place: OpposingPlace, fields: ["actor", "defender", "difficulty"] },
  extended: { Place: ExtendedPlace, fields: [...STATS, "target", "limit", "task", "adrenaline"] },
  plan: { Place: PlanPlace, fields: ["rolls", "adrenaline"] },
};

export const dust: Layout = {
  first(roll, sheet): Body {
    const [first, second] = listed(sheet, "stats");
    const hurt = whole(sheet?.values["injury"]);
    const own: Body = first ? { attribute: text(first["name"]), ...(second ? { ability: text(second["name"]) } : {}) } : { pool: 5, ...(hurt ? { modifier: -hurt } : {}) };
    if (roll === "plan") return { rolls: [own, own] };
    if (roll === "opposing") return { actor: own, defender: { pool: 4 } };
    return { ...own, ...(roll === "extended" ? { target: 5, limit: 6 } : {}) };
  },
  ofSheet(roll, numbers, fields): Body {
    const adrenaline = numbers.get("adrenaline") ?? 0;
    return roll === "opposing" ? { actor: { ...(fields["actor"] as Body), adrenaline } } : { adrenaline };
  },
  place: (roll) => (roll in PLACES ? PLACES[roll as keyof typeof PLACES] : null),
  charts: { roll: ["net", "grade"], opposing: ["margin"], extended: ["turns", "total"], plan: ["met"] },
  more: { roll: ["modifier", "pool", "spend"], opposing: ["actor.pool", "defender.pool"], extended: ["modifier", "limit", "pool"], plan: ["adrenaline"] },
  policies: (roll) => (roll === "plan" || roll === "extended" ? [{ value: "never", label: t("dust.never") }, { value: "always", label: t("dust.always") }, { value: "best", label: t("panel.best_play") }] : []),
};
