// A d20-with-edges sheet: skills, edges and bonuses with how they stack, items, the turn.
import type { JSX } from "preact";
import type { Plain } from "../state/types";
import { InPlace, Stepper } from "../ui/fields";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { change, Changed, effect, Flag, held, heldList, heldNumber, Part, signed, Things, type Paper } from "./widgets";

const EDGE_DICE = [4, 6, 8, 10, 12];

export function EdgeSheet({ paper }: { paper: Paper }): JSX.Element {
  return (
    <>
      <Part title={t("sheet.edge.turn")} icon="hourglass" side={paper.mayChange && <span class="row tight"><button class="button quiet small-button" onClick={() => effect(paper, "new turn")}>{t("sheet.edge.new_turn")}</button><button class="button quiet small-button" onClick={() => effect(paper, "new round")}>{t("sheet.edge.new_round")}</button></span>}>
        <div class="row apart"><span>{t("sheet.edge.checks")}<Changed paper={paper} name="checks_made" /></span><Stepper bare label={t("sheet.edge.checks")} value={heldNumber(paper, "checks_made")} low={0} high={98} disabled={!paper.mayChange} onChange={(to) => change(paper, { checks_made: to })} /></div>
        <div class="row apart"><span>{t("sheet.edge.rerolls")}<Changed paper={paper} name="rerolls" /></span><Stepper bare label={t("sheet.edge.rerolls")} value={heldNumber(paper, "rerolls")} low={0} high={9} disabled={!paper.mayChange} onChange={(to) => change(paper, { rerolls: to })} /></div>
        <p class="row tight"><Flag paper={paper} name="turn_ended" label={t("sheet.edge.turn_ended")} /><Flag paper={paper} name="reaction_lost" label={t("sheet.edge.reaction_lost")} /></p>
      </Part>
      <Things paper={paper} name="skills" title={t("sheet.edge.skills")} icon="person" row={(skill) => <div class="row apart"><strong>{String(skill.name)}</strong><span class="big-number">{signed(Number(skill.modifier ?? 0))}</span></div>} />
      <Edges paper={paper} />
      <Bonuses paper={paper} />
      <Things paper={paper} name="items" title={t("sheet.edge.items")} icon="wrench" row={(item, set) => (
        <div class="stack close">
          <div class="row apart"><strong>{String(item.name)}</strong>{item.effect ? <span class="mono">{String(item.effect)}</span> : null}</div>
          <div class="row">{Number(item.tier ?? 0) > 0 && <span class="chip">{t("sheet.edge.tier", { n: Number(item.tier) })}</span>}{item.disabled === true && <span class="chip bad"><Icon name="warn" size={14} />{t("sheet.edge.disabled", { n: Number(item.attempts ?? 0) })}</span>}{paper.mayChange && item.disabled === true && <button class="button quiet small-button" onClick={() => set({ disabled: false, attempts: 0 })}>{t("sheet.edge.repair")}</button>}</div>
        </div>
      )} />
    </>
  );
}

/** Names of edges, each once; a lost one begins with a minus. */
export function netEdges(edges: Plain): number {
  if (typeof edges === "number") return edges;
  const names = [...new Set(edgeNames(edges).map((name) => name.trim().toLowerCase()))];
  return names.reduce((sum, name) => sum + (name.startsWith("-") ? -1 : 1), 0);
}

const edgeNames = (edges: Plain): string[] => (Array.isArray(edges) ? edges.map(String) : typeof edges === "string" ? edges.split(",").map((name) => name.trim()).filter(Boolean) : []);

function Edges({ paper }: { paper: Paper }): JSX.Element {
  const edges = held(paper, "edges");
  const net = netEdges(edges);
  const die = net ? `d${EDGE_DICE[Math.min(Math.abs(net), EDGE_DICE.length) - 1]}` : "–";
  const names = edgeNames(edges);
  return (
    <Part title={t("sheet.edge.edges")} icon="star" side={<span class="chip brass">{t("sheet.edge.net", { n: signed(net), die })}</span>}>
      <ul class="row tight">
        {names.map((name, n) => (
          <li key={n} class={`chip ${name.startsWith("-") ? "bad" : "good"}`}>{name}{paper.mayChange && <button class="chip-cross" aria-label={t("do.remove", { what: name })} onClick={() => change(paper, { edges: names.filter((_, other) => other !== n) })}><Icon name="cross" size={14} /></button>}</li>
        ))}
      </ul>
      {paper.mayChange && <InPlace key={names.length} label={t("sheet.edge.add")} placeholder={t("sheet.edge.add")} value="" most={60} onSave={(name) => name && change(paper, { edges: [...names, name] })} />}
      <Changed paper={paper} name="edges" />
    </Part>
  );
}

/** At most twice the largest single bonus counts; what is cut off is said. */
export function stacked(amounts: number[]): { sum: number; cap: number; counts: number } {
  const sum = amounts.reduce((a, b) => a + b, 0);
  const cap = 2 * Math.max(0, ...amounts);
  return { sum, cap, counts: Math.min(sum, cap) };
}

function Bonuses({ paper }: { paper: Paper }): JSX.Element {
  const all = heldList(paper, "changes");
  const stacks = (["d20", "effect"] as const).flatMap((on) => [1, -1].map((sign) => {
    const amounts = all.filter((one) => (one.on ?? "d20") === on && Number(one.amount) * sign > 0).map((one) => Math.abs(Number(one.amount)));
    return { on, sign, ...stacked(amounts), some: amounts.length };
  })).filter((stack) => stack.some);
  return (
    <>
      <Things paper={paper} name="changes" title={t("sheet.edge.bonuses")} icon="plus" row={(one) => <div class="row apart"><strong>{String(one.source)}</strong><span><span class="big-number">{signed(Number(one.amount ?? 0))}</span> <span class="small soft">{t(one.on === "effect" ? "sheet.edge.on_effect" : "sheet.edge.on_d20")}</span></span></div>} />
      {stacks.map((stack) => (
        <p key={`${stack.on}${stack.sign}`} class="small soft">{t(stack.sum > stack.counts ? "sheet.edge.stack.cut" : "sheet.edge.stack", { on: t(stack.on === "effect" ? "sheet.edge.on_effect" : "sheet.edge.on_d20"), sum: signed(stack.sign * stack.sum), counts: signed(stack.sign * stack.counts), cap: stack.cap })}</p>
      ))}
    </>
  );
}
