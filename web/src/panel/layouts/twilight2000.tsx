/** Twilight: 2000: pick a skill or a weapon, step the dice, slide the ammo dice. */

import type { JSX } from "preact";
import type { Body } from "../../state/types";
import { Icon } from "../../ui/icons";
import { t } from "../../words";
import { Choices, Select, Slider, Stepper, Switch } from "../controls";
import { capital } from "../fields";
import type { Form, Person } from "../form";
import { Opponent, rivals } from "../Opponent";
import { Taps } from "../scale_control";
import { useWithin } from "../within";
import { listed, text, whole, type Layout, type PlaceProps, type Thing } from "./kinds";

const SKILLS: Record<string, readonly string[]> = {
  STR: ["close combat", "heavy weapons", "stamina"],
  AGL: ["driving", "ranged combat", "mobility"],
  INT: ["recon", "survival", "tech"],
  EMP: ["command", "medical aid", "persuasion"],
};
const LEVELS = ["A", "B", "C", "D"] as const;
const DICE: Record<string, string> = { A: "d12", B: "d10", C: "d8", D: "d6" };
const SHOTS = ["attack", "clear_jam", "magazine"];

const levels = (): { value: string; label: string; note: string }[] =>
  LEVELS.map((level) => ({ value: level, label: level, note: DICE[level]! }));

function Levels({ form, path = "" }: PlaceProps & { path?: string }): JSX.Element {
  const at = (name: string): string => (path ? `${path}.${name}` : name);
  return (
    <div class="two">
      <Choices label={t("t2k.attribute")} value={text(form.get(at("attribute")))} wrong={form.wrongAt(at("attribute"))} options={levels()} onSet={(level) => form.set(at("attribute"), level)} />
      <Choices label={t("t2k.skill")} value={text(form.get(at("skill")))} wrong={form.wrongAt(at("skill"))} options={[{ value: "", label: "–" }, ...levels()]} onSet={(level) => form.set(at("skill"), level || undefined)} />
    </div>
  );
}

/** The skills as they stand on the sheet, by attribute. */
function SheetSkills({ form }: PlaceProps): JSX.Element {
  const values = form.sheet.value?.values ?? {};
  return (
    <div class="skill-board" role="radiogroup" aria-label={t("t2k.which_skill")}>
      {Object.entries(SKILLS).map(([attribute, skills]) => (
        <div class="skill-column">
          <span class="skill-attribute">{attribute}<b>{text(values[attribute]) || "C"}</b></span>
          {skills.map((skill) => {
            const level = text(values[skill.replaceAll(" ", "_")]);
            return (
              <label class="pick" data-on={form.get("skill_name") === skill || undefined}>
                <input type="radio" name="skill" checked={form.get("skill_name") === skill} onChange={() => form.set("skill_name", skill)} />
                <span>{capital(skill)}</span>
                <b>{level || "–"}</b>
              </label>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Circumstances({ form }: PlaceProps): JSX.Element {
  return (
    <>
      <Taps label={t("t2k.modifier")} signed value={form.number("modifier")} row={[-3, -2, -1, 0, 1, 2, 3]} low={-20} high={20} wrong={form.wrongAt("modifier")} onSet={(n) => form.set("modifier", n || undefined)} />
      <Taps label={t("t2k.helpers")} help={t("t2k.helpers_help")} value={form.number("helpers")} row={[0, 1, 2, 3]} low={0} high={3} wrong={form.wrongAt("helpers")} onSet={(n) => form.set("helpers", n || undefined)} />
    </>
  );
}

function Gear({ form }: PlaceProps): JSX.Element {
  const tools = listed(form.sheet.value, "tools");
  if (!form.fromSheet.value || !tools.length) return <></>;
  const options = tools.map((tool) => ({ value: text(tool["name"]), label: text(tool["name"]), note: t("t2k.reliability_short", { n: whole(tool["reliability"], 5) }) }));
  return <Choices chips label={t("t2k.gear")} value={text(form.get("gear"))} options={[{ value: "", label: t("panel.none") }, ...options]} wrong={form.wrongAt("gear")} onSet={(name) => form.set("gear", name || undefined)} />;
}

function SkillPlace(props: PlaceProps): JSX.Element {
  return (
    <>
      {props.form.fromSheet.value ? <SheetSkills {...props} /> : <Levels {...props} />}
      <Circumstances {...props} />
      <Gear {...props} />
    </>
  );
}

/** The weapon that is picked, as the sheet has it. */
function weaponOf(form: Form): Thing | undefined {
  const weapons = listed(form.sheet.value, "weapons");
  return form.fromSheet.value ? (weapons.find((one) => one["name"] === form.get("weapon")) ?? weapons[0]) : undefined;
}

/** Why the weapon does not fire: it is jammed, or there is nothing in it. */
function silent(form: Form): "jammed" | "empty" | "" {
  const weapon = ["attack", "magazine"].includes(form.roll.value) ? weaponOf(form) : undefined;
  if (!weapon) return "";
  return weapon["jammed"] && form.roll.value === "attack" ? "jammed" : weapon["rounds"] === 0 ? "empty" : "";
}

function Weapons({ form }: PlaceProps): JSX.Element {
  const weapons = listed(form.sheet.value, "weapons");
  const clear = (): void => {
    const weapon = text(weaponOf(form)?.["name"]);
    form.pick("clear_jam");
    form.set("weapon", weapon);
  };
  const note = (weapon: Record<string, unknown>): string =>
    weapon["jammed"] ? t("t2k.jammed") : weapon["rounds"] === 0 ? t("t2k.empty") : t("t2k.rounds_left", { n: Number(weapon["rounds"] ?? 30), reliability: Number(weapon["reliability"] ?? 5) });
  return (
    <>
      <Choices chips label={t("t2k.weapon")} value={text(form.get("weapon")) || text(weapons[0]?.["name"])} wrong={form.wrongAt("weapon")}
        options={weapons.map((weapon) => ({ value: text(weapon["name"]), label: text(weapon["name"]), note: note(weapon) }))} onSet={(name) => form.set("weapon", name)} />
      {silent(form) === "jammed" && <button type="button" class="button" onClick={clear}><Icon name="wrench" size={18} />{t("roll.twilight2000.clear_jam")}</button>}
    </>
  );
}

/** The most ammo dice there may be: the rate of fire, and one fewer than the rounds. */
function mostAmmo(props: PlaceProps): number {
  const { form } = props;
  const known = weaponOf(form) ?? form.fields.value;
  const rounds = whole(known["rounds"], form.fromSheet.value ? 30 : 100);
  return Math.max(0, Math.min(whole(known["rate_of_fire"], 6), rounds - 1));
}

function AttackPlace(props: PlaceProps): JSX.Element {
  const { form, warm } = props;
  const most = mostAmmo(props);
  const ammo = useWithin(form, "ammo_dice", most);
  return (
    <>
      {form.fromSheet.value ? <Weapons {...props} /> : <Levels {...props} />}
      <Slider label={t("t2k.ammo_dice")} help={t("t2k.ammo_help", { n: most })} value={ammo} low={0} high={most} wrong={form.wrongAt("ammo_dice")}
        onGrab={() => warm("ammo_dice", Array.from({ length: most + 1 }, (_, n) => n))} onSet={(n) => form.set("ammo_dice", n || undefined)} />
      <Circumstances {...props} />
      {!form.fromSheet.value && <Gun {...props} />}
      <Targets {...props} />
    </>
  );
}

function Gun({ form }: PlaceProps): JSX.Element {
  const numbers = [["rate_of_fire", 6, 0, 12], ["rounds", 100, 1, 1000], ["reliability", 5, 1, 10]] as const;
  return (
    <div class="three">
      {numbers.map(([name, usual, low, high]) => (
        <Stepper label={t(`t2k.${name}`)} value={form.number(name, usual)} low={low} high={high} wrong={form.wrongAt(name)} onSet={(n) => form.set(name, n)} />
      ))}
    </div>
  );
}

/** Targets come from the foes of the sheet with a tap, or are named. */
function Targets({ form }: PlaceProps): JSX.Element {
  const held = (form.get("targets") as Record<string, never>[] | undefined) ?? [];
  const foes = listed(form.sheet.value, "foes");
  const names = held.map((target) => text(target["name"]));
  const toggle = (name: string, capacity: number): void => {
    const next = names.includes(name) ? held.filter((target) => target["name"] !== name) : [...held, { name, ...(capacity ? { capacity } : {}) }];
    form.set("targets", next.length ? (next as never) : undefined);
  };
  const all = [
    ...foes.map((foe) => ({ name: text(foe["name"]), capacity: Math.max(0, whole(foe["capacity"]) - whole(foe["damage"])) })),
    ...names.filter((name) => !foes.some((foe) => foe["name"] === name)).map((name) => ({ name, capacity: 0 })),
  ];
  const fresh = t("t2k.target_n", { n: names.length + 1 });
  return (
    <fieldset class="field">
      <legend class="label">{t("t2k.targets")}</legend>
      <div class="choice-chips">
        {all.map(({ name, capacity }) => (
          <label data-on={names.includes(name) || undefined}>
            <input type="checkbox" checked={names.includes(name)} onChange={() => toggle(name, capacity)} />
            <span>{name}</span>
          </label>
        ))}
        {names.length < 6 && <button type="button" class="button offer" onClick={() => toggle(fresh, 0)}>{t("t2k.add_target")}</button>}
      </div>
      {form.wrongAt("targets") && <p class="wrong" role="alert">{form.wrongAt("targets")}</p>}
    </fieldset>
  );
}

/** The other side: somebody at the table with a skill of theirs, or levels said by hand. */
function Passive(props: PlaceProps): JSX.Element {
  const { form } = props;
  const person = rivals(form).find((one) => one.id === form.roles.value["passive"]);
  const skill = text(form.get("passive.skill_name")) || "recon";
  const fill = (who: Person | undefined, name: string): void => {
    const held = who?.sheet?.values ?? {};
    const attribute = Object.keys(SKILLS).find((one) => SKILLS[one]!.includes(name))!;
    form.roles.value = who ? { passive: who.id } : {};
    form.set("passive.skill_name", who ? name : undefined);
    if (!who) return;
    form.set("passive.attribute", text(held[attribute]) || "C");
    form.set("passive.skill", text(held[name.replaceAll(" ", "_")]) || undefined);
  };
  return (
    <>
      <Opponent form={form} label={t("panel.against")} value={person?.id ?? ""} onPick={(who) => fill(who, skill)} />
      {person ? (
        <Select label={t("t2k.their_skill")} value={skill} options={Object.values(SKILLS).flat().map((name) => ({ value: name, label: capital(name) }))} onSet={(name) => fill(person, name)} />
      ) : <Levels {...props} path="passive" />}
    </>
  );
}

function OpposedPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  return (
    <>
      {form.fromSheet.value ? <SheetSkills {...props} /> : (
        <fieldset class="made-group"><legend>{t("t2k.active")}</legend><Levels {...props} path="active" /></fieldset>
      )}
      {form.fromSheet.value && <Circumstances {...props} />}
      <fieldset class="made-group">
        <legend>{t("t2k.passive")}</legend>
        <Passive {...props} />
        <Taps label={t("t2k.modifier")} signed value={form.number("passive.modifier")} row={[-3, -2, -1, 0, 1, 2, 3]} low={-20} high={20} wrong={form.wrongAt("passive.modifier")} onSet={(n) => form.set("passive.modifier", n || undefined)} />
      </fieldset>
      <Switch label={t("t2k.secret")} value={form.get("secret") === true} onSet={(on) => form.set("secret", on || undefined)} />
    </>
  );
}

function ShotPlace(props: PlaceProps): JSX.Element {
  return (
    <>
      {props.form.fromSheet.value ? <Weapons {...props} /> : <Levels {...props} />}
      <Circumstances {...props} />
    </>
  );
}

const LEVEL_FIELDS = ["attribute", "skill", "skill_name", "attribute_name", "modifier", "helpers"];
const PLACES = {
  skill: { Place: SkillPlace, fields: [...LEVEL_FIELDS, "gear", "gear_reliability"] },
  attack: { Place: AttackPlace, fields: [...LEVEL_FIELDS, "ammo_dice", "rate_of_fire", "rounds", "reliability", "weapon"] },
  opposed: { Place: OpposedPlace, fields: ["active", "passive", "secret"] },
  clear_jam: { Place: ShotPlace, fields: [...LEVEL_FIELDS, "weapon"] },
  magazine: { Place: ShotPlace, fields: [...LEVEL_FIELDS, "weapon"] },
};

export const twilight2000: Layout = {
  first(roll, sheet): Body {
    if (sheet) {
      if (SHOTS.includes(roll)) return { weapon: text(listed(sheet, "weapons")[0]?.["name"]) };
      if (roll === "opposed") return { skill_name: "recon", passive: { attribute: "C", skill: "C" } };
      return { skill_name: "recon", ...(roll === "group" ? { members: [] } : {}) };
    }
    if (roll === "opposed") return { active: { attribute: "B", skill: "C" }, passive: { attribute: "C", skill: "D" } };
    if (roll === "group") return { members: [{ name: t("panel.someone_n", { n: 1 }), attribute: "B", skill: "C" }, { name: t("panel.someone_n", { n: 2 }), attribute: "C" }] };
    return { attribute: "B", skill: "C", ...(roll === "attack" ? { ammo_dice: 2, rounds: 30 } : {}) };
  },
  wont(form): string {
    const why = silent(form);
    return why && t(`t2k.is_${why}`, { weapon: text(weaponOf(form)?.["name"]) });
  },
  place: (roll) => (roll in PLACES ? PLACES[roll as keyof typeof PLACES] : null),
  charts: { skill: ["successes"], attack: ["successes", "sixes"], opposed: ["margin"], group: ["successes"], clear_jam: ["tries"], magazine: ["attacks"] },
  more: { skill: ["modifier", "helpers"], attack: ["modifier", "helpers", "ammo_dice"], opposed: ["active.modifier", "passive.modifier"], clear_jam: ["modifier", "tries"], group: ["modifier"] },
  policies: (roll) => [
    { value: "never", label: t("t2k.never") },
    { value: roll === "opposed" ? "if-not-ahead" : "if-failed", label: t("t2k.if_failed") },
    { value: "best", label: t("panel.best_play") },
  ],
};

