/** For who makes a rule: which value gives a chance, what moves it most, and a map over two things. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { RequestError } from "../net/http";
import type { FindAnswer, RuleShown, SensitivityAnswer } from "../net/shapes";
import { PythonStopped } from "../python";
import type { Body } from "../state/types";
import { number, t } from "../i18n";
import { drawMap, MapOutputView, type Mapped } from "./MapOutputView";
import { Table } from "./outputs";
import { nameOf, policyOf } from "./Rules";
import type { Work } from "./work";

type Kind = "find" | "sensitivity" | "map";
/** A question about a program. */
interface Wish {
  readonly kind: Kind;
  readonly text: string;
}
type Found = { find: FindAnswer } | { sensitivity: SensitivityAnswer } | { map: Mapped };
/** An answer, what it goes through, and what it holds for. */
interface Held {
  readonly found: Found;
  readonly over: readonly string[];
  readonly of: string;
}
/** A search counts a rule many times over; who asks for one waits for it. */
const SECONDS = 60;

export function DesignTools({ work, rule }: { work: Work; rule: RuleShown }): JSX.Element {
  const where = useSignal("");
  const target = useSignal("65%");
  const over = useSignal(rule.numbers[0] ?? rule.arguments[0]!.name);
  const pair = useSignal<readonly [string, string]>([rule.numbers[0] ?? "", rule.numbers[1] ?? ""]);
  const found = useSignal<Held | null>(null);
  const problem = useSignal("");
  const wish = useSignal<Wish | null>(null);
  const common = (): Body => ({
    request: rule.request!,
    ...(where.value.trim() ? { where: where.value.trim() } : {}),
    ...(policyOf(work, rule) ? { policy: policyOf(work, rule) } : {}),
  });
  const heldOf = (names: readonly string[]): string =>
    JSON.stringify([
      work.text.value,
      policyOf(work, rule),
      { ...rule.request, ...Object.fromEntries(names.map((name) => [name, null])) },
    ]);
  const goesThrough = (kind: Kind): readonly string[] =>
    kind === "find" ? [over.value] : kind === "map" ? pair.value : [];

  const answer = async (kind: Kind, signal: AbortSignal): Promise<void> => {
    const [names, how] = [goesThrough(kind), { seconds: SECONDS, signal }];
    const of = heldOf(names);
    const come = (all: Found): void => void (signal.aborted || (found.value = { over: names, of, found: all }));
    found.value = null;
    problem.value = "";
    if (kind === "find")
      come({
        find: await work.ask<FindAnswer>(
          kind,
          { ...common(), target: target.value, over: over.value, ...tried(rule, over.value) },
          how,
        ),
      });
    else if (kind === "sensitivity") come({ sensitivity: await work.ask<SensitivityAnswer>(kind, common(), how) });
    else await drawMap(work, rule, pair.value, common(), how, (map) => come({ map }));
  };
  // A wish outlives the counting that it falls into, or before: it is asked of the rule as it is afterwards.
  useEffect(() => {
    const wanted = wish.value;
    if (!wanted || work.due.value || work.counting.value) return;
    if (wanted.text !== work.text.value) return void (wish.value = null);
    const asked = new AbortController();
    answer(wanted.kind, asked.signal)
      .then(
        () => true,
        (why: unknown) => {
          if (!asked.signal.aborted)
            problem.value =
              why instanceof RequestError
                ? why.message
                : t(`python.stopped.${why instanceof PythonStopped ? why.why : "crash"}`);
        },
      )
      .finally(() => void (asked.signal.aborted || (wish.value = null)));
    return () => asked.abort();
  }, [wish.value, work.due.value, work.counting.value, rule]);
  const want = (kind: Kind) => (): void => void (wish.value = { kind, text: work.text.value });
  const many = rule.numbers.length > 2;
  const come = found.value && "map" in found.value.found ? found.value.found.map : null;
  return (
    <div class="designing stack close">
      <Line
        label={t("bench.where")}
        help={t("bench.where_help")}
        value={where.value}
        onSet={(text) => (where.value = text)}
      />
      <div class="two">
        <Line label={t("bench.target")} value={target.value} onSet={(text) => (target.value = text)} />
        <Pick
          label={t("bench.over")}
          value={over.value}
          options={rule.arguments.map((one) => [one.name, nameOf(one)])}
          onSet={(name) => (over.value = name)}
        />
      </div>
      {many && (
        <div class="two">
          {([0, 1] as const).map((n) => (
            <Pick
              label={t(n ? "bench.down" : "bench.across")}
              value={pair.value[n]}
              options={rule.numbers
                .filter((name) => name !== pair.value[1 - n])
                .map((name) => [name, nameOf(rule.arguments.find((one) => one.name === name)!)])}
              onSet={(name) => (pair.value = n ? [pair.value[0], name] : [name, pair.value[1]])}
            />
          ))}
        </div>
      )}
      <div class="row tight">
        <button type="button" class="button main" onClick={want("find")}>
          {t("bench.find")}
        </button>
        <button type="button" class="button" onClick={want("sensitivity")}>
          {t("bench.sensitivity")}
        </button>
        {rule.numbers.length > 1 && (
          <button type="button" class="button" onClick={want("map")}>
            {t("bench.map")}
          </button>
        )}
      </div>
      {wish.value && (
        <p class="row tight small soft" role="status">
          {t("bench.counting")}{" "}
          <progress
            aria-label={t("bench.counting")}
            {...(wish.value.kind === "map" && come ? { max: come.all, value: come.come } : {})}
          />{" "}
          <button type="button" class="button quiet small" onClick={() => (wish.value = null)}>
            {t("bench.stop")}
          </button>
        </p>
      )}
      {problem.value && (
        <p class="notice bad" role="alert">
          {problem.value}
        </p>
      )}
      {found.value?.of === heldOf(found.value?.over ?? []) && <Answer found={found.value.found} name={rule.name} />}
    </div>
  );
}

/** The values to try are those of its slider; dice without bounds have no end. */
function tried(rule: RuleShown, name: string): Body {
  const values = rule.arguments.find((one) => one.name === name)?.values ?? [];
  return values.length ? { values: [...values] } : {};
}

function Answer({ found, name }: { found: Found; name: string }): JSX.Element {
  if ("map" in found) return <MapOutputView map={found.map} name={name} />;
  if ("find" in found) {
    const { said, rows, over, measure } = found.find;
    return (
      <>
        <p role="status">{said}</p>
        <Table
          name={measure.title}
          head={[over.title, measure.title]}
          rows={rows.map((row) => [row.said, row.worth.said])}
        />
      </>
    );
  }
  const { rows, measure, now, unit } = found.sensitivity;
  return (
    <>
      <p role="status">
        {measure.title}: {now.said}
      </p>
      <Table
        name={measure.title}
        head={[t("bench.argument"), t("bench.now"), t("bench.moves", { unit })]}
        rows={rows.map((row) => [
          row.title,
          row.said,
          number(now.chance ? row.most.number * 100 : row.most.number, now.chance ? 1 : 2),
        ])}
      />
    </>
  );
}

function Line({
  label,
  help,
  value,
  onSet,
}: {
  label: string;
  help?: string;
  value: string;
  onSet: (text: string) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        value={value}
        aria-describedby={help ? `${id}h` : undefined}
        onInput={(event) => onSet(event.currentTarget.value)}
      />
      {help && (
        <span class="help" id={`${id}h`}>
          {help}
        </span>
      )}
    </div>
  );
}

function Pick({
  label,
  value,
  options,
  onSet,
}: {
  label: string;
  value: string;
  options: (readonly [string, string])[];
  onSet: (value: string) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} class="input" value={value} onChange={(event) => onSet(event.currentTarget.value)}>
        {options.map(([name, title]) => (
          <option value={name}>{title}</option>
        ))}
      </select>
    </div>
  );
}
