// Why one can trust a roll, step by step, checked in this very browser.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { kept } from "../app/kept";
import { canonical, hex } from "../fair/bytes";
import { digestOf } from "../fair/chain";
import { between, due, given } from "../fair/own";
import { Ask, Going } from "../fair/Replaying";
import { savedRoll, useReplay } from "../fair/replay";
import { commitment, redraw, witnessCommitment } from "../fair/stream";
import type { Roll, Thrown } from "../state/types";
import type { Table } from "../state/table";
import { addressOf } from "../app/base";
import { follow } from "../app/routes";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { bring, t } from "../words";
import { en_checking } from "../words/en_checking";

bring(en_checking);

interface Checked {
  entry: Thrown; body: boolean; key: boolean | null; faces: boolean; witness: boolean | null; mine: boolean;
  /** Whether our own number was used; null for a throw that this browser did not send. */
  number: boolean | null;
  /** Events we may not see that came in between our last look and our throw. */
  between: number;
}

async function checkThrow(entry: Thrown, roll: Roll, table: Table): Promise<Checked> {
  const event = table.event(entry.seq)!;
  const fair = entry.fair!;
  const body = (await digestOf(event.salt!, event.body)) === event.digest;
  const promise = promiseOf(entry, table);
  const key = promise === null ? null : promise === hex(await commitment(fair.key));
  const drawn = await redraw({ table: table.id, roll: roll.id, index: entry.index, fair, pool: entry.pool });
  const own = !!fair.witness && kept<string[]>(`witness.${table.id}`, []).includes(fair.witness.nonce);
  const witness = fair.witness ? own || (await wasOffered(fair.witness.nonce, table)) : null;
  return { entry, body, key, faces: canonical(drawn) === canonical(entry.faces), witness, mine: own, ...(await checkOwn(entry, table)) };
}

/** Whether a throw of ours was made with the number that this browser gave to it. */
async function checkOwn({ seq, by, fair }: Thrown, table: Table): Promise<Pick<Checked, "number" | "between">> {
  if (by === table.me.value?.seat) await table.throwing;
  const one = given(table.id).findLast(({ first, last, hash }) => seq >= first && seq <= last && table.event(last)?.hash === hash);
  if (!one) return { number: null, between: 0 };
  const events = table.known();
  return { number: (await due([one], events)).get(seq) === fair!.nonce, between: between(one, events) };
}

/** What was published about a key before its throw; null where that lies further back than is loaded. */
function promiseOf(entry: Thrown, table: Table): string | null {
  const last = table.known().findLast((event) => event.seq < entry.seq && typeof event.open.next === "string");
  const fits = last && (last.kind === "table.imported" || Number(last.open.number ?? 0) === entry.fair!.number - 1);
  return fits ? String(last.open.next) : null;
}

/** Whether a witness had promised its number before; null where that lies further back than is loaded. */
async function wasOffered(nonce: string, table: Table): Promise<true | null> {
  const promise = hex(await witnessCommitment(nonce));
  return table.known().some((event) => event.kind === "witness.offered" && (event.body?.commitments as string[] | undefined)?.includes(promise)) || null;
}

const holds = (one: Checked): boolean => one.body && one.key !== false && one.faces && one.number !== false;

export async function isFair(roll: Roll, table: Table): Promise<boolean> {
  const throws = roll.entries.filter((entry): entry is Thrown => entry.kind === "thrown" && !!entry.fair);
  try {
    const checked = await Promise.all(throws.map((entry) => checkThrow(entry, roll, table)));
    return checked.every(holds);
  } catch {
    return false;
  }
}

export function FairnessDialog({ roll, table, onClose }: { roll: Roll; table: Table; onClose: () => void }): JSX.Element {
  const throws = roll.entries.filter((entry): entry is Thrown => entry.kind === "thrown");
  const [good, setGood] = useState(true);
  useEffect(() => void isFair(roll, table).then(setGood), [roll]);
  return (
    <Dialog title={t("fair.title")} onClose={onClose}>
      <p>{t(throws.some(({ fair }) => fair) ? (good ? "fair.lead" : "fair.lead.bad") : "fair.lead.typed")}</p>
      <Rules roll={roll} table={table} />
      {throws.map((entry, n) => (entry.fair ? <OneThrow key={entry.seq} entry={entry} roll={roll} table={table} number={n + 1} /> : <p key={entry.seq} class="notice"><Icon name="hand" />{t("fair.typed.about", { n: n + 1 })}</p>))}
      <p class="small soft">{t("fair.limits")}</p>
      <a class="button" href={addressOf(`/verify#${table.id}`)} onClick={follow}><Icon name="seal" size={18} />{t("fair.whole")}</a>
    </Dialog>
  );
}

/** Whether the rules were followed: the browser's own Python says so, once somebody asks. */
function Rules({ roll, table }: { roll: Roll; table: Table }): JSX.Element {
  const replay = useReplay();
  const state = replay.state.value;
  const saved = savedRoll(roll, table);
  useEffect(() => replay.forget(), [roll]);
  if (state.at === "going") return <div class="notice"><Icon name="hourglass" /><div class="grow"><Going replay={replay} /></div></div>;
  if (state.at === "found" && state.answer.true !== null) {
    const { true: good, problem = "" } = state.answer;
    return <p class={`notice ${good ? "" : "bad"}`} role="status"><Icon name={good ? "seal" : "warn"} />{t(good ? "fair.rules.good" : "fair.rules.bad")} {problem}</p>;
  }
  const why = state.at === "found" ? t("verify.nothere", { games: String(roll.what?.request?.["game"] ?? "") }) : state.at === "failed" ? state.why : "";
  return (
    <div class="notice"><Icon name="info" /><div class="stack close"><p>{t("fair.rules")} {why}</p>{saved && <div class="row"><Ask onAsk={() => void replay.begin({ transcript: saved })} /></div>}</div></div>
  );
}

function rollerText({ entry, number }: Checked, table: Table): string {
  if (number !== null) return t(number ? "fair.step.roller.you" : "fair.step.roller.other");
  return t(entry.fair!.nonce ? "fair.step.roller" : "fair.step.noroller", { name: table.nameOf(entry.by) });
}

function OneThrow({ entry, roll, table, number }: { entry: Thrown; roll: Roll; table: Table; number: number }): JSX.Element {
  const [checked, setChecked] = useState<Checked | null>(null);
  useEffect(() => void checkThrow(entry, roll, table).then(setChecked), [entry]);
  const fair = entry.fair!;
  const steps: { good: boolean | null; text: string }[] = checked
    ? [
        { good: checked.key, text: checked.key === null ? t("fair.step.key.far") : t("fair.step.key", { n: fair.number }) },
        { good: checked.number, text: rollerText(checked, table) },
        ...(checked.between ? [{ good: null, text: t("fair.step.between", { n: checked.between }) }] : []),
        { good: checked.witness, text: !fair.witness ? t("fair.step.nowitness") : checked.mine ? t("fair.step.witness.you") : t("fair.step.witness", { name: table.nameOf(fair.witness.seat) }) },
        { good: checked.faces, text: t("fair.step.faces", { faces: entry.faces.map(String).join(", ") }) },
        { good: checked.body, text: t("fair.step.body", { n: entry.seq }) },
      ]
    : [];
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
        {!checked && <li class="skeleton" />}
      </ol>
      <details class="tucked">
        <summary><Icon name="right" size={16} />{t("fair.numbers")}</summary>
        <dl class="numbers mono small">
          <dt>{t("fair.key")}</dt><dd>{fair.key}</dd>
          <dt>{t("fair.nonce")}</dt><dd>{fair.nonce || "–"}</dd>
          {fair.witness && <><dt>{t("fair.witness", { name: table.nameOf(fair.witness.seat) })}</dt><dd>{fair.witness.nonce}</dd></>}
        </dl>
      </details>
    </section>
  );
}
