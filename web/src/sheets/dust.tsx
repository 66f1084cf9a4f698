// A sheet of A Thousand Miles of Dust: ratings as dots, Adrenaline, wounds, tasks under way.
import type { JSX } from "preact";
import { Stepper } from "../ui/fields";
import { t } from "../words";
import { Dots } from "./twilight2000";
import { change, Changed, heldNumber, Part, Things, Track, type Paper } from "./widgets";

const FULL = 10;

export function DustSheet({ paper }: { paper: Paper }): JSX.Element {
  const botches = heldNumber(paper, "botches");
  return (
    <>
      <Part title={t("sheet.dust.body")} icon="bolt">
        <Track paper={paper} name="adrenaline" most={FULL} label={t("sheet.dust.adrenaline")} icon="bolt" tone="brass" />
        <Track paper={paper} name="injury" most={FULL} label={t("sheet.dust.injury")} icon="heart" tone="bad" />
        <div class="row apart"><span>{t("sheet.dust.botches")}<Changed paper={paper} name="botches" /></span><Stepper bare label={t("sheet.dust.botches")} value={botches} low={0} disabled={!paper.mayChange} onChange={(to) => change(paper, { botches: to })} /></div>
      </Part>
      <Things paper={paper} name="stats" title={t("sheet.dust.stats")} icon="person" row={(stat) => <div class="row apart"><strong>{String(stat.name)}</strong><Dots value={Number(stat.rating)} most={Math.max(5, Number(stat.rating))} label={String(stat.name)} /></div>} empty={t("sheet.dust.stats.empty")} />
      <Things paper={paper} name="tasks" title={t("sheet.dust.tasks")} icon="hourglass" row={(task) => {
        const progress = Number(task.progress ?? 0), target = Number(task.target ?? 1);
        return (
          <div class="stack close">
            <div class="row apart"><strong>{String(task.name)}</strong><span class="small soft">{t("sheet.dust.turns", { n: Number(task.turns ?? 0), limit: task.limit ? String(task.limit) : "∞" })}</span></div>
            <div class="magazine" role="img" aria-label={t("sheet.track", { what: String(task.name), n: progress, most: target })}><span style={{ width: `${Math.min(100, Math.round((100 * progress) / target))}%` }} /><b>{progress}/{target}</b></div>
          </div>
        );
      }} />
    </>
  );
}
