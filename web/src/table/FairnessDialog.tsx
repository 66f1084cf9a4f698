// Why one can trust a roll, step by step, checked in this very browser.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { verifyThrow, isFair, type ThrowCheck } from "../fair/verify_throw";
import { headWords } from "../fair/head_words";
import { Ask, Going } from "../fair/ReplayProgress";
import { rollAsTranscript, useReplay } from "../fair/replay";
import type { Roll, ThrowEntry } from "../state/types";
import type { Table } from "../state/table";
import { addressOf } from "../app/base";
import { follow } from "../app/routes";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/icons";
import { bring, t } from "../i18n";
import { en_checking } from "../i18n/en_checking";

bring(en_checking);

export function FairnessDialog({
  roll,
  table,
  onClose,
}: {
  roll: Roll;
  table: Table;
  onClose: () => void;
}): JSX.Element {
  const throws = roll.entries.filter((entry): entry is ThrowEntry => entry.kind === "thrown");
  const good = useMemo(() => isFair(roll, table), [roll]);
  return (
    <Dialog title={t("fair.title")} onClose={onClose}>
      <p>{t(throws.some(({ fair }) => fair) ? (good ? "fair.lead" : "fair.lead.bad") : "fair.lead.typed")}</p>
      <Rules roll={roll} table={table} />
      {throws.map((entry, n) =>
        entry.fair ? (
          <OneThrow key={entry.seq} entry={entry} roll={roll} table={table} number={n + 1} />
        ) : (
          <p key={entry.seq} class="notice">
            <Icon name="hand" />
            {t("fair.typed.about", { n: n + 1 })}
          </p>
        ),
      )}
      <HeadComparison table={table} />
      <p class="small soft">{t("fair.limits")}</p>
      <a class="button" href={addressOf(`/verify#${table.id}`)} onClick={follow}>
        <Icon name="seal" size={18} />
        {t("fair.whole")}
      </a>
    </Dialog>
  );
}

/** Whether the rules were followed: the browser's own Python says so, once somebody asks. */
function Rules({ roll, table }: { roll: Roll; table: Table }): JSX.Element {
  const replay = useReplay();
  const state = replay.state.value;
  const saved = rollAsTranscript(roll, table);
  useEffect(() => replay.forget(), [roll]);
  if (state.at === "going")
    return (
      <div class="notice">
        <Icon name="hourglass" />
        <div class="grow">
          <Going replay={replay} />
        </div>
      </div>
    );
  if (state.at === "found" && state.answer.true !== null) {
    const { true: good, problem = "" } = state.answer;
    return (
      <p class={`notice ${good ? "" : "bad"}`} role="status">
        <Icon name={good ? "seal" : "warn"} />
        {t(good ? "fair.rules.good" : "fair.rules.bad")} {problem}
      </p>
    );
  }
  const why =
    state.at === "found"
      ? t("verify.nothere", { games: String(roll.what?.request?.game ?? "") })
      : state.at === "failed"
        ? state.why
        : "";
  return (
    <div class="notice">
      <Icon name="info" />
      <div class="stack close">
        <p>
          {t("fair.rules")} {why}
        </p>
        {saved && (
          <div class="row">
            <Ask onAsk={() => void replay.begin({ transcript: saved })} />
          </div>
        )}
      </div>
    </div>
  );
}

/** The head in words: who reads them out and hears others has been shown the same log. */
export function HeadComparison({ table }: { table: Table }): JSX.Element {
  void table.head.value;
  const { seq, hash } = table.last;
  return (
    <p class="small compared">
      {t("fair.compare", { n: seq })} <strong class="spoken">{headWords(hash)}</strong>
    </p>
  );
}

interface Step {
  good: boolean | null;
  text: string;
}

/** Who called for the dice, and whether that can be proven. */
function callStep({ entry, caller, held, signed, forged }: ThrowCheck, table: Table): Step {
  const name = table.nameOf(entry.by);
  if (forged) return { good: false, text: t("fair.step.call.forged") };
  if (signed === false) return { good: false, text: t("fair.step.call.bad", { name }) };
  if (caller === "unsigned" || caller === "far" || caller === "held")
    return { good: null, text: t(`fair.step.call.${caller}`, { name, bot: held }) };
  return { good: true, text: t(caller === "you" ? "fair.step.call.you" : "fair.step.call", { name }) };
}

function witnessStep({ entry, witness, mine }: ThrowCheck, table: Table): Step {
  if (!witness) return { good: null, text: t("fair.step.nowitness", { name: table.nameOf(entry.by) }) };
  return {
    good: true,
    text: mine ? t("fair.step.witness.you") : t("fair.step.witness", { name: table.nameOf(witness) }),
  };
}

function stepsOf(checked: ThrowCheck, table: Table): Step[] {
  const { entry, key, closed, between, silent, faces, body } = checked;
  return [
    {
      good: key,
      text: t(closed ? "fair.step.key.closed" : key === null ? "fair.step.key.far" : "fair.step.key"),
    },
    callStep(checked, table),
    ...(between ? [{ good: null, text: t("fair.step.between", { n: between }) }] : []),
    ...silent.map((seat) => ({ good: null, text: t("fair.step.silent", { name: table.nameOf(seat) }) })),
    witnessStep(checked, table),
    ...(faces === null
      ? []
      : [{ good: faces, text: t("fair.step.faces", { faces: entry.faces.map(String).join(", ") }) }]),
    { good: body, text: t("fair.step.body", { n: entry.seq }) },
  ];
}

function OneThrow({
  entry,
  roll,
  table,
  number,
}: {
  entry: ThrowEntry;
  roll: Roll;
  table: Table;
  number: number;
}): JSX.Element {
  const checked = useMemo(() => verifyThrow(entry, roll, table), [entry]);
  const steps = stepsOf(checked, table);
  const { numbers } = checked;
  return (
    <section class="fair-throw">
      <h3>{t("fair.throw", { n: number })}</h3>
      <ol class="stack close">
        {steps.map((step) => (
          <li key={step.text} class="row fair-step" data-good={step.good === null ? "unknown" : step.good}>
            <Icon name={step.good === null ? "info" : step.good ? "check" : "cross"} size={20} />
            <span class="grow">{step.text}</span>
          </li>
        ))}
      </ol>
      <details class="tucked">
        <summary>
          <Icon name="right" size={16} />
          {t("fair.numbers")}
        </summary>
        <dl class="numbers mono small">
          <dt>{t("fair.key")}</dt>
          <dd>{numbers.key || "–"}</dd>
          <dt>{t("fair.number")}</dt>
          <dd>{numbers.number || "–"}</dd>
          {checked.witness && (
            <>
              <dt>{t("fair.witness", { name: table.nameOf(checked.witness) })}</dt>
              <dd>{numbers.witness}</dd>
            </>
          )}
        </dl>
      </details>
    </section>
  );
}

export { isFair };
