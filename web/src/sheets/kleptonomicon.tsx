// A sheet of The Kleptonomicon: Modifiers, Advantages and what ends them, side effects.
import type { JSX } from "preact";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { effect, heldList, held, Part, signed, Things, Changed, type Paper } from "./widgets";

export function KleptoSheet({ paper }: { paper: Paper }): JSX.Element {
  const all = heldList(paper, "circumstances");
  const count = (kind: string): number => all.filter((one) => (one.kind ?? "advantage") === kind).reduce((sum, one) => sum + Number(one.count ?? 1), 0);
  const notes = (held(paper, "notes") as string[]) ?? [];
  return (
    <>
      <Things paper={paper} name="modifiers" title={t("sheet.klep.modifiers")} icon="person" row={(one) => <div class="row apart"><strong>{String(one.name)}</strong><span class="big-number">{one.dice ? `${String(one.dice)} ` : ""}{signed(Number(one.value ?? 0))}</span></div>} />
      <Things paper={paper} name="circumstances" title={t("sheet.klep.circumstances")} icon="star" row={(one) => {
        const good = (one.kind ?? "advantage") === "advantage";
        const tests = (one.tests ?? []) as string[];
        return (
          <div class="stack close">
            <div class="row"><span class={`chip ${good ? "good" : "bad"}`}>{t(good ? "sheet.klep.advantage" : "sheet.klep.disadvantage")} × {Number(one.count ?? 1)}</span><strong>{String(one.source)}</strong></div>
            <p class="small soft">{tests.length ? tests.join(", ") : t("sheet.klep.all_tests")}{one.ends ? ` · ${t("sheet.klep.until", { end: String(one.ends) })}` : ""}</p>
            {paper.mayChange && <div><button class="button quiet small-button" onClick={() => effect(paper, "end", String(one.source))}><Icon name="check" size={16} />{t("sheet.klep.end")}</button></div>}
          </div>
        );
      }} />
      {all.length > 0 && <p class="small soft">{t("sheet.klep.net", { up: count("advantage"), down: count("disadvantage") })}</p>}
      <Part title={t("sheet.klep.notes")} icon="speech" side={<Changed paper={paper} name="notes" />}>
        {!notes.length && <p class="small soft">{t("sheet.empty")}</p>}
        <ul class="things">
          {notes.map((note, n) => (
            <li key={n} class="thing"><span class="grow">{note}</span>{paper.mayChange && <button class="button quiet small-button" aria-label={t("do.remove", { what: note })} onClick={() => effect(paper, "cross_out", note)}><Icon name="check" size={18} /></button>}</li>
          ))}
        </ul>
      </Part>
    </>
  );
}
