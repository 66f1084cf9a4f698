// A roll as plain text, to be pasted into a chat.
import { dieSaid } from "../dice/looks";
import type { EffectDone, Roll } from "../state/types";
import type { Table } from "../state/table";
import { t } from "../words";
import { verdictOf } from "./verdict";
import { whoActs, whoRolls } from "./who";

export function rollText(roll: Roll, table: Table): string {
  const lines = [`${whoRolls(roll, table)} – ${table.said(roll.title)}${roll.note ? ` (${roll.note})` : ""}`];
  for (const entry of roll.entries) {
    if (entry.taken) continue;
    if (entry.kind === "thrown") lines.push(`  ${entry.dice.map((die, n) => `${dieSaid(die)}: ${String(entry.faces[n])}`).join(", ")}${entry.how === "typed" ? ` [${t("roll.typed")}]` : ""}`);
    else if (entry.kind === "chosen") lines.push(`  ${t("roll.chose", { name: whoActs(entry.by, roll, table), what: table.said(entry.said) })}`);
  }
  if (roll.after?.step === "done") {
    const verdict = verdictOf(roll, table);
    if (verdict) lines.push([verdict.text, verdict.more, verdict.paid].filter(Boolean).join(" · "));
    lines.push(table.said(roll.after.told));
    const effects = roll.after.effects.filter((one) => !one.quiet && one.said).map((one) => doneSaid(one, table));
    if (effects.length) lines.push(`→ ${effects.join("; ")}`);
  }
  if (roll.after?.step === "stopped") lines.push(table.said(roll.after.why));
  return lines.join("\n");
}

/** An effect, and that it was not done where the game's own code or the sheet did not let it. */
export const doneSaid = (one: EffectDone, table: Table): string => (one.why ? t("effect.not_done", { what: table.said(one.said), why: table.said(one.why) }) : table.said(one.said));
