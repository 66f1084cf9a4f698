// A Twilight: 2000 sheet: attributes with their skills, wounds, weapons with magazine and reliability.
import type { JSX } from "preact";
import type { Body } from "../state/types";
import { Stepper } from "../ui/fields";
import { Icon } from "../ui/icons";
import { t } from "../words";
import { change, Changed, effect, Flag, held, heldNumber, Part, Rest, Things, Track, words, type Paper } from "./widgets";

const DIE: Record<string, string> = { A: "D12", B: "D10", C: "D8", D: "D6" };
const SKILLS: Record<string, string[]> = {
  STR: ["close_combat", "heavy_weapons", "stamina"],
  AGL: ["driving", "mobility", "ranged_combat"],
  INT: ["recon", "survival", "tech"],
  EMP: ["command", "medical_aid", "persuasion"],
};

export function TwilightSheet({ paper }: { paper: Paper }): JSX.Element {
  return (
    <>
      <Part title={t("sheet.t2k.wounds")} icon="heart" side={<span class="row tight"><Flag paper={paper} name="incapacitated" label={t("sheet.t2k.out")} /></span>}>
        <Track paper={paper} name="damage" most={heldNumber(paper, "hit_capacity")} label={t("sheet.t2k.damage")} icon="heart" tone="bad" />
        <Track paper={paper} name="stress" most={heldNumber(paper, "stress_capacity")} label={t("sheet.t2k.stress")} icon="mind" tone="brass" />
        {held(paper, "falling") === true && <p class="notice bad small">{t("sheet.t2k.falling")}</p>}
      </Part>
      <Part title={t("sheet.t2k.attributes")} icon="person">
        <div class="attributes">
          {Object.entries(SKILLS).map(([attribute, skills]) => (
            <div class="attribute" key={attribute}>
              <Level paper={paper} name={attribute} label={attribute} big />
              {skills.map((skill) => <Level key={skill} paper={paper} name={skill} label={words(skill)} />)}
            </div>
          ))}
        </div>
      </Part>
      <Things paper={paper} name="weapons" title={t("sheet.t2k.weapons")} icon="bullet" row={(weapon, set) => <Weapon paper={paper} weapon={weapon} set={set} />} />
      <Things paper={paper} name="tools" title={t("sheet.t2k.tools")} icon="wrench" row={(tool) => <div class="row apart"><strong>{String(tool.name)}</strong><Dots value={Number(tool.reliability ?? 5)} most={Number(tool.max_reliability ?? 5)} label={t("sheet.t2k.reliability")} /></div>} />
      <Things paper={paper} name="foes" title={t("sheet.t2k.foes")} icon="skull" row={(foe) => <div class="row apart"><strong>{String(foe.name)}</strong><span>{Number(foe.damage ?? 0)}/{Number(foe.capacity ?? 1)}{foe.crits ? ` · ${t("sheet.t2k.crits", { n: Number(foe.crits) })}` : ""}</span></div>} />
      <Part title={t("sheet.t2k.round")} icon="hourglass" side={paper.mayChange && <button class="button quiet small-button" onClick={() => effect(paper, "new round")}>{t("sheet.t2k.new_round")}</button>}>
        <p class="row tight">{((held(paper, "actions_used") as string[]) ?? []).map((action, n) => <span key={n} class="chip">{t(action === "slow" ? "sheet.t2k.slow" : "sheet.t2k.fast")}</span>)}<Changed paper={paper} name="actions_used" /></p>
      </Part>
      <details class="tucked"><summary><Icon name="right" size={16} />{t("sheet.rest")}</summary><Rest paper={paper} names={["hit_capacity", "stress_capacity", "falling", "group_failures"]} /></details>
    </>
  );
}

function Level({ paper, name, label, big }: { paper: Paper; name: string; label: string; big?: boolean }): JSX.Element {
  const level = held(paper, name) as string | null;
  return (
    <label class={`level ${big ? "big" : ""}`} data-level={level ?? "none"}>
      <span class="grow">{label}</span>
      <select aria-label={label} disabled={!paper.mayChange} value={level ?? ""} onChange={(event) => change(paper, { [name]: event.currentTarget.value || null })}>
        {!big && <option value="">–</option>}
        {Object.keys(DIE).map((letter) => <option key={letter} value={letter}>{`${letter} · ${DIE[letter]}`}</option>)}
      </select>
    </label>
  );
}

export function Dots({ value, most, label }: { value: number; most: number; label: string }): JSX.Element {
  return (
    <span class="dots" role="img" aria-label={t("sheet.track", { what: label, n: value, most })}>
      {Array.from({ length: most }, (_, n) => <span key={n} class="dot" data-on={n < value || undefined} />)}
    </span>
  );
}

function Weapon({ paper, weapon, set }: { paper: Paper; weapon: Body; set: (changes: Body) => void }): JSX.Element {
  const rounds = Number(weapon.rounds ?? 30), size = Number(weapon.magazine_size ?? 30), spares = Number(weapon.spares ?? 0);
  const name = String(weapon.name);
  return (
    <div class="weapon">
      <div class="row apart"><strong>{name}</strong>{weapon.jammed === true && <span class="chip bad"><Icon name="warn" size={14} />{t("sheet.t2k.jammed")}</span>}</div>
      <div class="row apart">
        <span class="small soft">{t("sheet.t2k.reliability")}</span>
        <Dots value={Number(weapon.reliability ?? 5)} most={Number(weapon.max_reliability ?? 5)} label={t("sheet.t2k.reliability")} />
      </div>
      <div class="magazine" role="img" aria-label={t("sheet.track", { what: t("sheet.t2k.rounds"), n: rounds, most: size })}><span style={{ width: `${Math.round((100 * rounds) / Math.max(1, size))}%` }} /><b>{rounds}/{size}</b></div>
      <div class="row apart">
        <Stepper bare label={t("sheet.t2k.rounds")} value={rounds} low={0} high={size} disabled={!paper.mayChange} onChange={(to) => set({ rounds: to })} />
        {paper.mayChange && <button class="button small-button" disabled={!spares} onClick={() => effect(paper, "reload", 0, name)}><Icon name="again" size={16} />{t("sheet.t2k.reload", { n: spares })}</button>}
      </div>
    </div>
  );
}
