/** GHOST/BURN: a skill with its total, the ladder of Difficulty Levels, and the Luck that is left. */

import type { JSX } from "preact";
import type { Body, Sheet } from "../../state/types";
import { t } from "../../words";
import { Choices, Numbers, Stepper, Switch } from "../controls";
import { Steps } from "../Steps";
import { listed, text, whole, type Layout, type PlaceProps, type Thing } from "./kinds";

const LADDER = [["Easy", 8], ["Moderate", 14], ["Hard", 20], ["Severe", 26]] as const;
const signed = (value: number): string => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

/** One ability, one skill bonus, and the highest of each kind of thing that helps. */
function total(sheet: Sheet | undefined, skill: Thing, ability: string): number {
  const score = listed(sheet, "abilities").find((one) => one["name"] === (ability || skill["ability"]));
  const best = (kind: string): number =>
    Math.max(0, ...listed(sheet, "items").filter((item) => (text(item["kind"]) || "gear") === kind && item["skill"] === skill["name"]).map((item) => whole(item["bonus"])));
  return whole(score?.["score"]) + whole(skill["bonus"]) + best("gear") + best("aug") + best("luck");
}

interface At extends PlaceProps {
  /** Where in the request the roll stands; nowhere for the only one. */
  readonly path?: string;
}

const inside = (path: string): ((name: string) => string) => (name) => (path ? `${path}.${name}` : name);

function Skills({ form, path = "" }: At): JSX.Element {
  const at = inside(path);
  const sheet = form.sheet.value;
  const ability = text(form.get(at("ability")));
  const options = listed(sheet, "skills").map((skill) => ({
    value: text(skill["name"]),
    label: text(skill["name"]) + (skill["favored"] ? " ★" : ""),
    note: signed(total(sheet, skill, ability)),
  }));
  const abilities = listed(sheet, "abilities").map((one) => ({ value: text(one["name"]), label: text(one["name"]), note: signed(whole(one["score"])) }));
  return (
    <>
      <Choices chips label={t("ghost.skill")} value={text(form.get(at("skill")))} options={options} wrong={form.wrongAt(at("skill"))} onSet={(name) => form.set(at("skill"), name)} />
      <Choices chips label={t("ghost.other_ability")} value={ability} options={[{ value: "", label: t("ghost.own_ability") }, ...abilities]} wrong={form.wrongAt(at("ability"))} onSet={(name) => form.set(at("ability"), name || undefined)} />
    </>
  );
}

function Bonuses({ form, path = "" }: At): JSX.Element {
  const at = inside(path);
  const kinds = ["skill", "gear", "aug"] as const;
  const first = (name: string): number => whole((form.get(at(name)) as number[] | undefined)?.[0]);
  return (
    <div class="two">
      <Stepper label={t("ghost.ability")} signed value={form.number(at("ability"), 3)} low={-20} high={20} wrong={form.wrongAt(at("ability"))} onSet={(n) => form.set(at("ability"), n)} />
      {kinds.map((kind) => (
        <Stepper label={t(`ghost.${kind}_bonus`)} signed value={first(kind)} low={-20} high={20} wrong={form.wrongAt(at(kind))} onSet={(n) => form.set(at(kind), n ? [n] : undefined)} />
      ))}
    </div>
  );
}

/** The levels from the bottom up, each with the number where it begins. */
function Ladder({ form, path = "" }: At): JSX.Element {
  const at = inside(path)("dl");
  return (
    <div class="ladder">
      <Choices label={t("ghost.dl")} value={text(form.get(at))} wrong={form.wrongAt(at)} onSet={(level) => form.set(at, level)}
        options={LADDER.map(([level, from]) => ({ value: level, label: t(`ghost.${level}`), note: t("ghost.from", { n: from }) }))} />
    </div>
  );
}

function RollPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  const gear = listed(form.sheet.value, "items").filter((item) => (text(item["kind"]) || "gear") === "gear" && item["skill"] === form.get("skill")).map((item) => whole(item["bonus"]));
  return (
    <>
      {form.fromSheet.value ? <Skills {...props} /> : <Bonuses {...props} />}
      <Ladder {...props} />
      {!form.fromSheet.value && (
        <div class="two">
          <Luck {...props} />
          <Switch label={t("ghost.favored")} value={form.get("favored") === true} onSet={(on) => form.set("favored", on || undefined)} />
        </div>
      )}
      {form.fromSheet.value && (
        <Numbers label={t("ghost.extra")} help={t("ghost.extra_help")} values={(form.get("gear") as number[] | undefined) ?? gear} offers={[1, 2, 3]} signed onSet={(list) => form.set("gear", list.length || gear.length ? list : undefined)} />
      )}
    </>
  );
}

/** The Luck that is left: the sheet knows, even where the skill is typed. */
function Luck({ form }: PlaceProps): JSX.Element {
  if (form.sheet.value) return <p class="said">{t("ghost.has", { n: luckOf(form.numbers.value) })}</p>;
  return <Stepper label={t("ghost.luck_points")} value={form.number("luck_points", 1)} low={0} high={12} wrong={form.wrongAt("luck_points")} onSet={(n) => form.set("luck_points", n)} />;
}

const luckOf = (numbers: ReadonlyMap<string, number>): number => numbers.get("luck_points") ?? 0;

/** The rolls that are still to come, and the Luck for all of them. */
function SessionPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  return (
    <>
      <Steps form={form} path="rolls" name={(n) => t("ghost.roll_n", { n })} add={t("ghost.roll_add")}>
        {(path) => (
          <>
            {form.fromSheet.value ? <Skills {...props} path={path} /> : <Bonuses {...props} path={path} />}
            <Ladder {...props} path={path} />
          </>
        )}
      </Steps>
      <Luck {...props} />
    </>
  );
}

const PLACES = {
  roll: { Place: RollPlace, fields: ["ability", "skill", "gear", "aug", "dl", "luck_points", "favored"] },
  session: { Place: SessionPlace, fields: ["rolls", "luck_points"] },
};

export const ghostburn: Layout = {
  first(roll, sheet): Body {
    const skill = text(listed(sheet, "skills")[0]?.["name"]);
    const own: Body = skill ? { skill } : { ability: 3, skill: [2] };
    const one = { ...own, dl: "Moderate" };
    return roll === "session" ? { rolls: [one, one, one] } : one;
  },
  ofSheet: (_, numbers) => ({ luck_points: luckOf(numbers) }),
  place: (roll) => (roll in PLACES ? PLACES[roll as keyof typeof PLACES] : null),
  charts: { roll: ["outcome", "result"], session: ["successes"] },
  more: { roll: ["ability"], session: ["luck_points"] },
  policies: () => [{ value: "never", label: t("ghost.never") }, { value: "always", label: t("ghost.always") }, { value: "best", label: t("panel.best_play") }],
};
