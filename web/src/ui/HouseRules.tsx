// House rules: what differs from the book first, all others a line each that opens, and a search through them.
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { Body, FieldDescription, GameFacts, Plain } from "../state/types";
import { t } from "../i18n";
import { say, worded } from "../i18n/text";
import { capital, FormField, defaultOf } from "./forms";
import { Icon } from "./icons";
import "../sheets/words";

/** So many rules are found by looking. */
const FEW = 6;

const same = (one: Plain | undefined, other: Plain | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
const titleOf = (rule: FieldDescription): string => capital(worded(`house.${rule.name}`, rule.title));
const readingsOf = (rule: FieldDescription): { value: Plain; text: string }[] =>
  (rule.readings ?? []).map((one) => ({
    value: one.value,
    text: worded(`house.${rule.name}.${String(one.value)}`, one.text || one.said),
  }));

/** How a rule is read at this table, in its own words. */
const readAs = (rule: FieldDescription, value: Plain): string =>
  readingsOf(rule).find((one) => same(one.value, value))?.text ??
  (typeof value === "boolean" ? t(value ? "verdict.yes" : "verdict.no") : String(value ?? t("field.none")));

/** Everything that can be read of a rule. */
const wholeText = (rule: FieldDescription): string =>
  [titleOf(rule), worded(`help.house.${rule.name}`, rule.help ?? ""), ...readingsOf(rule).map((one) => one.text)]
    .join(" ")
    .toLowerCase();

/** Rules in the words of their game, where another game is in front, or none. */
function inWordsOf({ words = {} }: Pick<GameFacts, "words">, rule: FieldDescription): FieldDescription {
  const said = (id: string, otherwise: string): string => (id in words ? say([id], undefined, words) : otherwise);
  const { name, title, help = "", readings } = rule;
  return {
    ...rule,
    title: said(`house.${name}`, title),
    help: said(`help.house.${name}`, help),
    ...(readings
      ? {
          readings: readings.map((one) => ({
            ...one,
            text: said(`house.${name}.${String(one.value)}`, one.text || one.said),
          })),
        }
      : {}),
  };
}

interface HouseRulesProps {
  fields: FieldDescription[];
  values: Body;
  onChange: (values: Body) => void;
  of?: Pick<GameFacts, "words">;
}

export function HouseRules({ fields: bare, values, onChange, of }: HouseRulesProps): JSX.Element {
  const fields = of ? bare.map((rule) => inWordsOf(of, rule)) : bare;
  const id = useId();
  const [sought, setSought] = useState("");
  // Rules that differ when it is opened stay in their places while they are changed.
  const [differs] = useState(
    () =>
      new Set(
        fields.filter((rule) => !same(values[rule.name] ?? defaultOf(rule), defaultOf(rule))).map((rule) => rule.name),
      ),
  );
  const latest = useRef(values); // two changes may come before the first of them is drawn
  latest.current = values;
  const set = (rule: FieldDescription, value: Plain): void => {
    const next = { ...latest.current, [rule.name]: value };
    if (!rule.required && same(value, rule.default)) delete next[rule.name];
    onChange((latest.current = next));
  };
  const ruleValue = (rule: FieldDescription): Plain => values[rule.name] ?? defaultOf(rule);
  const whole = (rule: FieldDescription): JSX.Element => (
    <FormField key={rule.name} about={rule} eager value={ruleValue(rule)} onChange={(value) => set(rule, value)} />
  );
  const line = (rule: FieldDescription): JSX.Element => (
    <details key={rule.name} class="tucked rule" data-changed={!same(ruleValue(rule), defaultOf(rule)) || undefined}>
      <summary>
        <Icon name="right" size={16} />
        <span>
          <strong>{titleOf(rule)}</strong> <small>{readAs(rule, ruleValue(rule))}</small>
        </span>
      </summary>
      {whole(rule)}
    </details>
  );
  const found = sought.trim() ? fields.filter((rule) => wholeText(rule).includes(sought.trim().toLowerCase())) : null;
  const rest = fields.filter((rule) => !differs.has(rule.name));
  return (
    <div class="form house-list">
      {fields.length > FEW && (
        <>
          <label class="unseen" for={id}>
            {t("house.search")}
          </label>
          <input
            id={id}
            type="search"
            class="input"
            placeholder={t("house.search")}
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        </>
      )}
      {found ? (
        found.length ? (
          found.map(whole)
        ) : (
          <p class="soft" role="status">
            {t("house.not_found")}
          </p>
        )
      ) : (
        <>
          {differs.size > 0 ? (
            <h3>{t("house.differs")}</h3>
          ) : (
            <p class="soft row tight">
              <Icon name="check" size={18} />
              {t("house.as_book")}
            </p>
          )}
          {fields.filter((rule) => differs.has(rule.name)).map(whole)}
          {differs.size > 0 && rest.length > 0 && <h3>{t("house.rest")}</h3>}
          <div class="rules">{rest.map(line)}</div>
        </>
      )}
    </div>
  );
}
