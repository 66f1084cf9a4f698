/** Several builds or systems beside each other. */

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Compared, percent } from "../charts";
import { ask } from "../net/queries";
import type { ShownField, Worth } from "../panel/preview_query";
import { capital } from "../panel/names";
import { outcomeName, formatWorth } from "../panel/names";
import { rowsOf } from "../panel/Odds";
import { onlyOdds, problemOf, fieldErrorOf } from "../panel/field_errors";
import { Icon } from "../ui/icons";
import { writeStored, readStored } from "../app/storage";
import type { Body } from "../state/types";
import { cardOf, type RollEditor } from "../panel/Builder";
import { Text } from "../panel/controls";
import { t } from "../i18n";
import { buildsOf, nameOf, type Build } from "./suggestions";

interface Answer {
  readonly rolls: readonly {
    readonly name: string;
    readonly chance: Worth | null;
    readonly fields: readonly ShownField[];
  }[];
  readonly duels: readonly {
    readonly first: string;
    readonly second: string;
    readonly greater: { number: number };
    readonly less: { number: number };
  }[];
}

const MOST = 8;

/** The list of builds, and what they come to. */
export function Compare({ bench }: { bench: RollEditor }): JSX.Element {
  const { form } = bench;
  const store = `explore.builds.${form.game?.name ?? ""}.${form.roll.value}`;
  const builds = useSignal<readonly Build[]>(readStored<readonly Build[]>(store, []));
  // The first draft of a roll comes with its form; builds are changes of that.
  const known = bench.question.value !== null;
  useEffect(() => {
    if (known && !builds.value.length) builds.value = buildsOf(bench);
  }, [known]);
  const answer = useSignal<Answer | null>(null);
  const problem = useSignal("");
  const dice = useSignal("");
  const set = (next: readonly Build[]): void => {
    builds.value = next.slice(-MOST);
    writeStored(store, builds.value);
  };
  const add = (question: Body, name: string): void => {
    const taken = builds.value.some((one) => one.name === name);
    set([...builds.value, { name: taken ? `${name} (${builds.value.length + 1})` : name, question }]);
  };
  useEffect(() => {
    if (builds.value.length < 2) {
      answer.value = null;
      return undefined;
    }
    let current = true;
    ask<Answer>("compare", { rolls: builds.value.map(({ name, question }) => ({ ...trimmed(question), name })) }).then(
      (found) => current && ((answer.value = found), (problem.value = "")),
      (refused: Error) =>
        current &&
        ((answer.value = null),
        (problem.value = onlyOdds(refused) ? t("panel.too_much_here") : problemOf(fieldErrorOf(refused)!).said)),
    );
    return () => {
      current = false;
    };
  }, [builds.value]);
  const question = bench.question.value;
  return (
    <div class="compare">
      <ul class="builds" aria-label={t("explore.builds")}>
        {builds.value.map((build, n) => (
          <li class={`series-${n % 6}`}>
            <input
              class="input"
              aria-label={t("explore.build_name")}
              value={build.name}
              maxLength={60}
              onChange={(event) =>
                set(
                  builds.value.map((one, m) =>
                    m === n ? { ...one, name: event.currentTarget.value || one.name } : one,
                  ),
                )
              }
            />
            <button
              type="button"
              class="button quiet round"
              aria-label={t("panel.take_away", { value: build.name })}
              onClick={() => set(builds.value.filter((_, m) => m !== n))}
            >
              <Icon name="bin" size={18} />
            </button>
          </li>
        ))}
      </ul>
      <div class="row">
        <button
          type="button"
          class="button"
          disabled={!question || builds.value.length >= MOST}
          onClick={() => add(question!, nameOf(bench) || t("explore.build"))}
        >
          <Icon name="plus" size={18} />
          {t("explore.add_this")}
        </button>
        <form
          class="row grow"
          onSubmit={(event) => {
            event.preventDefault();
            if (dice.value.trim()) add({ expression: dice.value.trim() }, dice.value.trim());
            dice.value = "";
          }}
        >
          <Text
            label={t("explore.add_dice")}
            value={dice.value}
            placeholder="3d6+1"
            onSet={(text) => (dice.value = text)}
          />
          <button class="button" type="submit" disabled={builds.value.length >= MOST}>
            {t("explore.add")}
          </button>
        </form>
      </div>
      {problem.value && (
        <p class="notice bad" role="alert">
          {problem.value}
        </p>
      )}
      {answer.value && <Found answer={answer.value} first={cardOf(form).drawn ?? []} />}
    </div>
  );
}

/** The fields that a comparison may have: the roll, and how decisions are made. */
function trimmed(question: Body): Body {
  return Object.fromEntries(
    ["expression", "request", "draft", "game", "house", "policy"].flatMap((name) =>
      question[name] ? [[name, question[name]]] : [],
    ),
  );
}

function Found({ answer, first }: { answer: Answer; first: readonly string[] }): JSX.Element {
  const atLeast = useSignal(false);
  const names = answer.rolls[0]!.fields.map((field) => field.name).filter((name) =>
    answer.rolls.every((roll) => roll.fields.some((field) => field.name === name && field.kind === "number")),
  );
  const wanted = useSignal("");
  const name = [wanted.value, ...first, ...names].find((one) => names.includes(one));
  const field = (roll: Answer["rolls"][number]): ShownField | undefined => roll.fields.find((one) => one.name === name);
  const title = outcomeName(name ?? "", capital((name ?? "").replaceAll("_", " ")));
  return (
    <>
      <Chances answer={answer} />
      {name !== undefined && (
        <>
          <div class="row">
            {names.length > 1 && (
              <label class="row small">
                {t("explore.shows")}
                <select class="input" value={name} onChange={(event) => (wanted.value = event.currentTarget.value)}>
                  {names.map((one) => (
                    <option value={one}>{outcomeName(one, capital(one.replaceAll("_", " ")))}</option>
                  ))}
                </select>
              </label>
            )}
            <label class="switch">
              <input
                type="checkbox"
                checked={atLeast.value}
                onChange={(event) => (atLeast.value = event.currentTarget.checked)}
              />
              <span>{t("explore.at_least")}</span>
            </label>
          </div>
          <Compared
            title={title}
            of={title}
            atLeast={atLeast.value}
            rolls={answer.rolls.map((roll) => ({ name: roll.name, rows: rowsOf(field(roll)!) }))}
          />
        </>
      )}
      {name === undefined && <p class="soft">{t("explore.no_common")}</p>}
      {answer.duels.length > 0 && (
        <details class="tucked">
          <summary>
            <Icon name="right" size={18} />
            {t("explore.duels")}
          </summary>
          <ul class="duels">
            {answer.duels.map((duel) => (
              <li>
                {t("explore.duel", {
                  first: duel.first,
                  second: duel.second,
                  more: percent(duel.greater.number),
                  less: percent(duel.less.number),
                })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Chances({ answer }: { answer: Answer }): JSX.Element {
  const worths = answer.rolls.flatMap((roll) => (roll.chance?.goal ? [roll.chance] : []));
  if (!worths.length) return <></>;
  const most = Math.max(...worths.map((worth) => (worth.chance ? 1 : worth.number)), 0.0001);
  return (
    <ul class="compare-chances">
      {answer.rolls.map((roll, n) => (
        <li class={`series-${n % 6}`}>
          <span>{roll.name}</span>
          {roll.chance?.goal && <b>{formatWorth(roll.chance)}</b>}
          {roll.chance?.goal && (
            <span class="compare-bar" aria-hidden="true">
              <span style={`width:${(roll.chance.number / most) * 100}%`} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
