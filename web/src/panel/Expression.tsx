/** Dice in writing: an error is shown in its place, with what was likely meant. */

import type { JSX } from "preact";
import { useId, useRef } from "preact/hooks";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import { withAnswer, dialectTitle, DIALECTS, OURS, promptsIn, write } from "../form/dialects";
import type { Draft, FieldError } from "../form/draft";
import type { InterpretationData } from "../net/shapes";
import type { Preview } from "./preview_query";
import type { RollEditor } from "./Builder";
import { Select } from "./controls";
import { sentenceOf } from "./field_errors";
import { Hints } from "./Hints";

const BUILD = ["d4", "d6", "d8", "d10", "d12", "d20", "d%", "dF"];
const CHANGES = ["+1", "-1", "kh1", "kl1", "!"];

/** One more of a die in an expression: `2d6` and a d6 make `3d6`. */
export function withDie(text: string, die: string): string {
  const plain = text.trimEnd();
  const last = new RegExp(`(^|[^\\w])(\\d*)${die.replace("%", "%")}$`, "i").exec(plain);
  if (last) return `${plain.slice(0, last.index + last[1]!.length)}${Number(last[2] || 1) + 1}${die}`;
  return plain ? `${plain}+1${die}` : `1${die}`;
}

/** The field for an expression. */
export function Expression({ bench }: { bench: RollEditor }): JSX.Element {
  const { form } = bench;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const wrong = form.wrong.value;
  const set = (text: string): void => {
    form.expression.value = text;
    form.wrong.value = null;
  };
  /** Dice in our spelling take the place of what is written. */
  const ours = (text: string): void => {
    form.dialect.value = OURS;
    set(text);
    input.current?.focus();
  };
  return (
    <div class="expression">
      <div class="field">
        <label for={id}>{t("panel.expression")}</label>
        <input
          ref={input}
          id={id}
          class="input mono"
          value={form.expression.value}
          placeholder="4d6kh3+2"
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={!!wrong}
          aria-describedby={wrong ? `${id}w` : undefined}
          onInput={(event) => set(event.currentTarget.value)}
        />
        {wrong && <Refusal id={`${id}w`} text={form.written.value} wrong={wrong} onFix={ours} />}
        {!wrong && <Read answer={bench.asking.answer.value} onTake={ours} />}
      </div>
      <Spelling form={form} />
      {form.spelling.value === "roll20" && <Queries text={form.expression.value} onSet={set} />}
      <div class="dice-keys" role="group" aria-label={t("panel.add_dice")}>
        {BUILD.map((die) => (
          <button type="button" class="button" onClick={() => set(withDie(form.expression.value, die))}>
            {die}
          </button>
        ))}
        {CHANGES.map((change) => (
          <button type="button" class="button" onClick={() => set(form.expression.value.trimEnd() + change)}>
            {change.replace("-", "−")}
          </button>
        ))}
        <button type="button" class="button quiet" onClick={() => set("")}>
          {t("panel.clear")}
        </button>
      </div>
      <SheetNumbers
        form={form}
        onAdd={(name) => set(`${form.expression.value.trimEnd()}${form.expression.value.trim() ? "+" : ""}@${name}`)}
      />
    </div>
  );
}

/** Whose spelling it is: from then on it is this device's habit. */
function Spelling({ form }: { form: Draft }): JSX.Element {
  const now = form.spelling.value;
  const pick = (dialect: string): void => {
    form.dialect.value = dialect;
    write(dialect);
  };
  return (
    <details class="tucked">
      <summary>
        <Icon name="right" size={18} />
        {t("panel.dialect.now", { name: dialectTitle(now) })}
      </summary>
      <Select
        label={t("panel.dialect")}
        help={t("panel.dialect.help")}
        value={now}
        options={DIALECTS.map((value) => ({ value, label: dialectTitle(value) }))}
        onSet={pick}
      />
    </details>
  );
}

/** The questions that Roll20 would ask before it rolls. */
function Queries({ text, onSet }: { text: string; onSet: (text: string) => void }): JSX.Element {
  return (
    <>
      {promptsIn(text).map(({ prompt, value, options }) => (
        <label class="field query" key={prompt}>
          <span>{prompt}</span>
          {options.length ? (
            <select
              class="input"
              value={value}
              onChange={(event) => onSet(withAnswer(text, prompt, event.currentTarget.value))}
            >
              {options.map((one) => (
                <option value={one.value} selected={one.value === value}>
                  {one.label}
                </option>
              ))}
            </select>
          ) : (
            <input
              class="input"
              inputMode="numeric"
              value={value}
              onChange={(event) => onSet(withAnswer(text, prompt, event.currentTarget.value.trim() || "0"))}
            />
          )}
        </label>
      ))}
    </>
  );
}

/** The reading of the dice: in our spelling, with other likely meanings a tap away. */
function Read({ answer, onTake }: { answer: Preview | null; onTake: (text: string) => void }): JSX.Element {
  const made = answer?.translation;
  return (
    <>
      {made && made.changes.length > 0 && (
        <details class="tucked small">
          <summary>
            <Icon name="right" size={16} />
            {t("panel.read_as", { name: made.title })} <span class="mono">{made.expression}</span>
          </summary>
          <ul>
            {made.changes.map((one) => (
              <li>
                <span class="mono">
                  {one.before} → {one.after || "–"}
                </span>{" "}
                {one.why}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Readings readings={answer?.readings ?? []} onTake={onTake} />
      <Hints remarks={answer?.remarks ?? []} onTake={onTake} />
    </>
  );
}

/** The meanings of dice in other tools. */
function Readings({
  readings,
  onTake,
}: {
  readings: readonly InterpretationData[];
  onTake: (text: string) => void;
}): JSX.Element {
  if (!readings.length) return <></>;
  return (
    <ul class="readings">
      {readings
        .slice(0, MOST_READ)
        .filter(({ expression }) => expression.length <= MOST_FIX)
        .map((one) => (
          <li class="row tight">
            <span class="small soft">{t("panel.reads", { name: one.title })}</span>
            <button type="button" class="button mono" onClick={() => onTake(one.expression)}>
              {one.expression}
            </button>
          </li>
        ))}
    </ul>
  );
}

/** The numbers of the sheet, each a tap away. */
function SheetNumbers({ form, onAdd }: { form: Draft; onAdd: (name: string) => void }): JSX.Element {
  const numbers = [...form.numbers.value];
  if (!numbers.length) return <></>;
  return (
    <details class="tucked">
      <summary>
        <Icon name="right" size={18} />
        {t("panel.sheet_numbers")}
      </summary>
      <div class="number-chips">
        {numbers.map(([name, value]) => (
          <button type="button" class="button offer" onClick={() => onAdd(name)}>
            <span class="mono">@{name}</span>
            <b>{value}</b>
          </button>
        ))}
      </div>
    </details>
  );
}

const MOST_READ = 3;
const MOST_AROUND = 24;
const MOST_FIX = 60;

/** The wrong part with a little context: a long line is not written out again. */
function around(text: string, start: number, end: number): [string, string, string] {
  const marked = text.slice(start, end);
  const short =
    marked.length > 2 * MOST_AROUND ? `${marked.slice(0, MOST_AROUND)}…${marked.slice(-MOST_AROUND)}` : marked;
  const from = Math.max(0, start - MOST_AROUND);
  const to = Math.min(text.length, end + MOST_AROUND);
  return [(from ? "…" : "") + text.slice(from, start), short, text.slice(end, to) + (to < text.length ? "…" : "")];
}

/** The error: the place, the sentence, and the fix to tap. */
export function Refusal(props: {
  id: string;
  text: string;
  wrong: FieldError;
  onFix: (text: string) => void;
}): JSX.Element {
  const { text, wrong } = props;
  const { start, end } = wrong;
  const placed = start !== undefined && end !== undefined;
  const [before, marked, after] = placed ? around(text, start, Math.max(end, start + 1)) : ["", "", ""];
  return (
    <div class="refusal" id={props.id} role="alert">
      {placed && (
        <p class="mono refusal-place">
          <span>{before}</span>
          <mark>{marked || " "}</mark>
          <span>{after}</span>
        </p>
      )}
      <p class="wrong">{sentenceOf(wrong.message)}</p>
      {!!wrong.suggestions?.length && (
        <p class="row tight">
          <span class="small soft">{t("panel.did_you_mean")}</span>
          {wrong.suggestions
            .filter((fix) => fix.length <= MOST_FIX)
            .slice(0, 3)
            .map((fix) => (
              <button type="button" class="button mono" onClick={() => props.onFix(fix)}>
                {fix}
              </button>
            ))}
        </p>
      )}
      <Readings readings={wrong.readings ?? []} onTake={props.onFix} />
    </div>
  );
}
