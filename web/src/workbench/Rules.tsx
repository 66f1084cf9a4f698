/** The rules of a program: their arguments as sliders, and what can be asked of each beside its odds. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { ArgumentShown, ProgramAnswer, RuleShown } from "../net/shapes";
import type { Plain } from "../state/types";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import type { Work } from "./work";

const Designing = lazy(async () => (await import("./DesignTools")).DesignTools);
const Throwing = lazy(async () => (await import("./ThrowTool")).ThrowTool);

/** The rules that something can be done with. */
export const rulesOf = (answer: ProgramAnswer): RuleShown[] =>
  answer.rules.filter((rule) => rule.arguments.length || rule.request);

type Open = "" | "design" | "throw";

export function Rule({ work, rule }: { work: Work; rule: RuleShown }): JSX.Element {
  const open = useSignal<Open>("");
  const toggle = (what: Open): void => void (open.value = open.value === what ? "" : what);
  return (
    <section class="rule-shown" aria-label={rule.name}>
      <h2 class="output-name">{rule.name}</h2>
      {rule.told && <p class="soft">{rule.told}</p>}
      <div class="rule-arguments">
        {rule.arguments.map((one) => (
          <Argument key={one.name} about={one} onSet={(value) => work.set(rule.name, one.name, value)} />
        ))}
      </div>
      {rule.chooses && rule.policies.length > 0 && <Policy work={work} rule={rule} />}
      {rule.missing.length > 0 && <p class="soft small">{t("bench.missing")}</p>}
      {rule.needs && <p class="notice small">{rule.needs}</p>}
      {rule.request && (
        <div class="row tight">
          <button type="button" class="button" aria-expanded={open.value === "throw"} onClick={() => toggle("throw")}>
            <Icon name="die" size={18} />
            {t("bench.throw")}
          </button>
          {rule.arguments.length > 0 && (
            <button
              type="button"
              class="button"
              aria-expanded={open.value === "design"}
              onClick={() => toggle("design")}
            >
              <Icon name="compass" size={18} />
              {t("bench.design")}
            </button>
          )}
        </div>
      )}
      {open.value === "throw" && <Throwing work={work} rule={rule} />}
      {open.value === "design" && <Designing work={work} rule={rule} />}
    </section>
  );
}

const BEST = "best";

/** How choices are made: as somebody said, else by best play where what is best is known. */
export const policyOf = (work: Work, rule: RuleShown): string =>
  rule.chooses ? (work.policies.value[rule.name] ?? (rule.needs ? "" : BEST)) : "";

function Policy({ work, rule }: { work: Work; rule: RuleShown }): JSX.Element {
  const id = useId();
  const set = (name: string): void => void (work.policies.value = { ...work.policies.value, [rule.name]: name });
  return (
    <div class="field">
      <label for={id}>{t("bench.policy")}</label>
      <select id={id} class="input" value={policyOf(work, rule)} onChange={(event) => set(event.currentTarget.value)}>
        {policyOf(work, rule) === "" && <option value="">–</option>}
        {rule.policies.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

export const nameOf = ({ title, name }: Pick<ArgumentShown, "title" | "name">): string => title || name;

/** A slider where values have an order, a list where they are words, a field where anything goes. */
function Argument({ about, onSet }: { about: ArgumentShown; onSet: (value: Plain) => void }): JSX.Element {
  const id = useId();
  const { values, value } = about;
  const numbers = values.length > 1 && values.every((one) => typeof one === "number");
  const at = value === undefined ? -1 : values.indexOf(value);
  return (
    <div class="field argument">
      <label for={id}>
        {nameOf(about)}
        {numbers && <output for={id}> {String(value ?? "–")}</output>}
      </label>
      {numbers ? (
        <input
          id={id}
          type="range"
          min={0}
          max={values.length - 1}
          value={Math.max(at, 0)}
          aria-valuetext={String(value ?? "")}
          onInput={(event) => onSet(values[Number(event.currentTarget.value)]!)}
        />
      ) : values.length ? (
        <select
          id={id}
          class="input"
          value={String(at)}
          onChange={(event) => onSet(values[Number(event.currentTarget.value)]!)}
        >
          {at < 0 && <option value="-1" />}
          {values.map((one, n) => (
            <option value={String(n)}>{String(one)}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="input"
          placeholder={about.kind === "dice" ? "2d6+d8" : undefined}
          value={value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)}
          onChange={(event) => onSet(typed(event.currentTarget.value))}
        />
      )}
    </div>
  );
}

/** A number where it is one, else as it was typed. */
function typed(text: string): Plain {
  return /^[-−]?\d+$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : text;
}
