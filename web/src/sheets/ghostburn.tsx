// A GHOST/BURN sheet: abilities, skills with their whole bonus, Luck, conditions.
import type { JSX } from "preact";
import { InPlace } from "../ui/fields";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { effect, heldList, heldNumber, Part, Rest, signed, Things, Track, Changed, type Paper } from "./widgets";

export function GhostSheet({ paper }: { paper: Paper }): JSX.Element {
  const abilities = heldList(paper, "abilities");
  const items = heldList(paper, "items");
  const conditions = heldList(paper, "conditions");
  const luck = heldNumber(paper, "luck_points");
  return (
    <>
      <Part title={t("sheet.ghost.luck")} icon="clover">
        <Track paper={paper} name="luck_points" most={Math.max(1, luck)} label={t("sheet.ghost.luck")} icon="clover" tone="good" />
        <p class="small soft">{t("table.session", { n: heldNumber(paper, "session") })}</p>
      </Part>
      <Part title={t("sheet.ghost.conditions")} icon="bolt" side={<Changed paper={paper} name="conditions" />}>
        {!conditions.length && <p class="small soft">{t("sheet.empty")}</p>}
        <ul class="row tight">
          {conditions.map((one, n) => <li key={n} class="chip brass">{one.who ? `${String(one.who)}: ` : ""}{String(one.name)}{paper.mayChange && <button class="chip-cross" aria-label={t("do.remove", { what: String(one.name) })} onClick={() => effect(paper, "condition-ends", String(one.name), String(one.who ?? ""))}><Icon name="cross" size={14} /></button>}</li>)}
        </ul>
        {paper.mayChange && <InPlace key={conditions.length} label={t("sheet.ghost.condition")} placeholder={t("sheet.ghost.condition")} value="" most={40} onSave={(name) => name && effect(paper, "condition", name)} />}
      </Part>
      <Things paper={paper} name="abilities" title={t("sheet.ghost.abilities")} icon="person" row={(one) => <div class="row apart"><strong>{String(one.name)}</strong><span class="big-number">{signed(Number(one.score ?? 0))}</span></div>} />
      <Things paper={paper} name="skills" title={t("sheet.ghost.skills")} icon="star" row={(skill) => {
        const score = Number(abilities.find((one) => one.name === skill.ability)?.score ?? 0);
        const gear = items.filter((item) => item.skill === skill.name);
        const parts = [`${String(skill.ability)} ${signed(score)}`, ...(skill.bonus !== null && skill.bonus !== undefined ? [`${t("sheet.ghost.skill")} ${signed(Number(skill.bonus))}`] : []), ...gear.map((item) => `${String(item.name)} ${signed(Number(item.bonus))}`)];
        return (
          <div class="stack close">
            <div class="row apart"><strong>{String(skill.name)}</strong>{skill.favored === true && <span class="chip brass"><Icon name="star" size={14} />{t("sheet.ghost.favored")}</span>}</div>
            <p class="small soft">{parts.join(" · ")}</p>
          </div>
        );
      }} />
      <Things paper={paper} name="items" title={t("sheet.ghost.items")} icon="wrench" row={(item) => <div class="row apart"><span><strong>{String(item.name)}</strong> <span class="small soft">{String(item.skill)}</span></span><span><span class="chip">{String(item.kind ?? "gear")}</span> <span class="big-number">{signed(Number(item.bonus ?? 0))}</span></span></div>} />
      <details class="tucked"><summary><Icon name="right" size={16} />{t("sheet.rest")}</summary><Rest paper={paper} names={["session"]} /></details>
    </>
  );
}
