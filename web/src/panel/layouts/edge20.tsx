/** d20 with edges: a DC, advantage or not, edges with the die they make, bonuses that stack so far. */

import type { JSX } from "preact";
import type { Body, Plain } from "../../state/types";
import { Icon } from "../../ui/icons";
import { t } from "../../words";
import { Choices, Numbers, Stepper, Switch } from "../controls";
import { Taps } from "../scale_control";
import { Steps } from "../Steps";
import { listed, text, whole, type Layout, type PlaceProps } from "./kinds";

const MOST_SHARED = 3;
const edgeDie = (edges: number): string => (edges ? `d${Math.min(12, 2 + 2 * Math.abs(edges))}` : "");
const signed = (value: number): string => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

interface At extends PlaceProps {
  /** Where in the request the check stands; nowhere for the only one. */
  readonly path?: string;
}

const inside = (path: string): ((name: string) => string) => (name) => (path ? `${path}.${name}` : name);

function Skills({ form, path = "" }: At): JSX.Element {
  const at = inside(path)("skill");
  const skills = listed(form.sheet.value, "skills").map((skill) => ({ value: text(skill["name"]), label: text(skill["name"]), note: signed(whole(skill["modifier"])) }));
  if (!skills.length) return <></>;
  return <Choices chips label={t("edge.skill")} value={text(form.get(at))} options={skills} wrong={form.wrongAt(at)} onSet={(name) => form.set(at, name)} />;
}

function Items({ form, path = "" }: At): JSX.Element {
  const at = inside(path)("item");
  const items = listed(form.sheet.value, "items").filter((item) => !item["disabled"] || form.roll.value === "repair");
  if (!form.fromSheet.value || !items.length) return <></>;
  const options = items.map((item) => ({ value: text(item["name"]), label: text(item["name"]), note: text(item["effect"]) }));
  const none = form.roll.value === "repair" ? [] : [{ value: "", label: t("panel.none"), note: "" }];
  return <Choices chips label={t("edge.item")} value={text(form.get(at))} options={[...none, ...options]} wrong={form.wrongAt(at)} onSet={(name) => form.set(at, name || undefined)} />;
}

function Favour({ form, path = "" }: At): JSX.Element {
  const at = inside(path);
  const net = form.number(at("advantages")) - form.number(at("disadvantages"));
  const now = net > 0 ? "up" : net < 0 ? "down" : "none";
  const set = (way: string): void => {
    form.set(at("advantages"), way === "up" ? 1 : undefined);
    form.set(at("disadvantages"), way === "down" ? 1 : undefined);
  };
  return (
    <Choices label={t("edge.favour")} value={now} wrong={form.wrongAt(at("advantages"))} onSet={set}
      options={[{ value: "down", label: t("edge.disadvantage") }, { value: "none", label: t("edge.neither") }, { value: "up", label: t("edge.advantage") }]} />
  );
}

/** Edges by name count once each; a lost one begins with a minus. */
function edgesOf(value: Plain | undefined): number {
  if (!Array.isArray(value)) return whole(value);
  return [...new Set(value.map((name) => text(name).trim().toLowerCase()))].reduce((net, name) => net + (name.startsWith("-") ? -1 : 1), 0);
}

function Edges({ form, path = "" }: At): JSX.Element {
  const at = inside(path)("edges");
  const own = form.fromSheet.value ? edgesOf(form.sheet.value?.values["edges"]) : 0;
  const edges = form.get(at) === undefined ? own : edgesOf(form.get(at));
  const words = Object.fromEntries([-3, -2, -1, 1, 2, 3, 4, 5].map((n) => [n, `${n < 0 ? "−" : "+"}${edgeDie(n)}`]));
  return <Taps label={t("edge.edges")} help={t("edge.edges_help")} signed value={edges} row={[-2, -1, 0, 1, 2, 3]} low={-5} high={5} words={words} wrong={form.wrongAt(at)} onSet={(n) => form.set(at, n)} />;
}

/** Together at most twice the largest counts. */
function stacked(values: readonly number[]): number {
  return Math.min(values.reduce((a, b) => a + b, 0), 2 * Math.max(0, ...values));
}

function Changes({ form }: PlaceProps): JSX.Element {
  const held = form.fromSheet.value ? listed(form.sheet.value, "changes").filter((one) => (text(one["on"]) || "d20") === "d20").map((one) => whole(one["amount"])) : [];
  const own: Record<string, number[]> = { bonuses: held.filter((amount) => amount > 0), penalties: held.filter((amount) => amount < 0).map((amount) => -amount) };
  // What is tapped here comes on top of what the sheet gives.
  const numbers = (name: string): number[] => (form.get(name) as number[] | undefined) ?? own[name]!;
  const set = (name: string, list: number[]): void => form.set(name, list.length || own[name]!.length ? list : undefined);
  const note = (values: readonly number[]): string =>
    values.length > 1 ? t("edge.stacked", { sum: values.reduce((a, b) => a + b, 0), counts: stacked(values) }) : "";
  return (
    <div class="two">
      <Numbers label={t("edge.bonuses")} help={note(numbers("bonuses"))} values={numbers("bonuses")} offers={[1, 2, 3, 4]} signed wrong={form.wrongAt("bonuses")} onSet={(list) => set("bonuses", list)} />
      <Numbers label={t("edge.penalties")} help={note(numbers("penalties"))} values={numbers("penalties")} offers={[1, 2, 3, 4]} wrong={form.wrongAt("penalties")} onSet={(list) => set("penalties", list)} />
    </div>
  );
}

/** What is rolled, and against what. */
function Against(props: At): JSX.Element {
  const { form, path = "" } = props;
  const at = inside(path);
  return (
    <>
      {form.fromSheet.value ? <Skills {...props} /> : <Stepper label={t("edge.modifier")} signed value={form.number(at("modifier"))} low={-999} high={999} wrong={form.wrongAt(at("modifier"))} onSet={(n) => form.set(at("modifier"), n)} />}
      <Taps label={t("edge.dc")} value={form.number(at("dc"), 15)} row={[10, 15, 20, 25, 30]} low={-99} high={199} wrong={form.wrongAt(at("dc"))} onSet={(n) => form.set(at("dc"), n)} />
      <Favour {...props} />
    </>
  );
}

/** The check this would be, by what the sheet has counted. */
const nextCheck = (numbers: ReadonlyMap<string, number>): number => (numbers.get("checks_made") ?? 0) + 1;

/** Several checks, in order or as one likes. */
function TurnPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  return (
    <>
      <Steps form={form} path="checks" name={(n) => t("edge.check_n", { n })} add={t("edge.check_add")}>
        {(path) => (
          <>
            <Against {...props} path={path} />
            <details class="tucked">
              <summary><Icon name="right" size={18} />{t("panel.more_fields")}</summary>
              <div class="made"><Edges {...props} path={path} /><Items {...props} path={path} /></div>
            </details>
          </>
        )}
      </Steps>
      <div class="two">
        <Stepper label={t("edge.rerolls")} value={form.number("rerolls", form.fromSheet.value ? Math.min(MOST_SHARED, form.numbers.value.get("rerolls") ?? 0) : 0)} low={0} high={MOST_SHARED} wrong={form.wrongAt("rerolls")} onSet={(n) => form.set("rerolls", n)} />
        <Switch label={t("edge.any_order")} value={form.get("any_order") === true} wrong={form.wrongAt("any_order")} onSet={(on) => form.set("any_order", on || undefined)} />
      </div>
    </>
  );
}

function CheckPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  const nth = form.number("nth_check", form.sheet.value ? nextCheck(form.numbers.value) : 1);
  return (
    <>
      <Against {...props} />
      <Edges {...props} />
      <Items {...props} />
      <Changes {...props} />
      <Taps label={t("edge.nth")} help={t("edge.nth_help", { n: 5 * (nth - 1) })} value={nth} row={[1, 2, 3, 4]} low={1} high={99} wrong={form.wrongAt("nth_check") || form.wrongAt("turn_ended")} onSet={(n) => form.set("nth_check", n)} />
    </>
  );
}

function RepairPlace(props: PlaceProps): JSX.Element {
  const { form } = props;
  return (
    <>
      {form.fromSheet.value ? <><Items {...props} /><Skills {...props} /></> : (
        <div class="two">
          <Stepper label={t("edge.tier")} value={form.number("tier", 1)} low={0} high={99} wrong={form.wrongAt("tier")} onSet={(n) => form.set("tier", n)} />
          <Stepper label={t("edge.modifier")} signed value={form.number("modifier")} low={-499} high={499} wrong={form.wrongAt("modifier")} onSet={(n) => form.set("modifier", n)} />
        </div>
      )}
      <Favour {...props} />
      <Edges {...props} />
    </>
  );
}

const CHECK = ["skill", "modifier", "dc", "advantages", "disadvantages", "edges", "item", "bonuses", "penalties", "nth_check", "turn_ended"];
const PLACES = {
  check: { Place: CheckPlace, fields: CHECK },
  turn: { Place: TurnPlace, fields: ["checks", "any_order", "rerolls"] },
  repair: { Place: RepairPlace, fields: ["item", "skill", "tier", "modifier", "advantages", "disadvantages", "edges"] },
};

export const edge20: Layout = {
  first(roll, sheet): Body {
    const skill = text(listed(sheet, "skills")[0]?.["name"]);
    if (roll === "turn") return { checks: [{ dc: 15, ...(skill ? { skill } : { modifier: 5 }) }, { dc: 15, ...(skill ? { skill } : { modifier: 5 }) }] };
    if (roll === "repair") {
      const broken = listed(sheet, "items").find((item) => item["disabled"]);
      return broken ? { item: text(broken["name"]) } : sheet ? {} : { tier: 1, modifier: 5 };
    }
    return { dc: 15, ...(skill ? { skill } : sheet ? {} : { modifier: 5 }) };
  },
  ofSheet(roll, numbers, fields): Body {
    return roll === "check" && fields["nth_check"] === undefined && nextCheck(numbers) > 1 ? { nth_check: nextCheck(numbers) } : {};
  },
  place: (roll) => (roll in PLACES ? PLACES[roll as keyof typeof PLACES] : null),
  charts: { check: ["tier", "margin"], turn: ["successes"], repair: ["attempts"] },
  more: { check: ["modifier", "edges", "advantages"], turn: ["rerolls"], repair: ["modifier", "edges"] },
  policies: (roll) => (roll === "turn" ? [{ value: "if-failed", label: t("edge.whole_plan") }, { value: "stop-if-failed", label: t("edge.stop_if_failed") }, { value: "best", label: t("panel.best_play") }] : []),
};
