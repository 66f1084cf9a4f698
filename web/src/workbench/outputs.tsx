/** The output of a program: by its kind, with its picture, its table and its files. */
import type { ComponentChildren, JSX } from "preact";
import { Bars, HeatMap, Lines } from "../charts";
import type {
  AdviceOutput,
  CompareOutput,
  Distribution,
  DistributionDrawn,
  FieldCompared,
  Joint as JointShape,
  OddsOutput,
  OddsRow,
  ProblemShown,
  ProgramAnswer,
  SweepOutput,
  TableOutput,
} from "../net/shapes";
import { percent } from "../charts/scales";
import { Icon } from "../ui/icons";
import { lazy } from "../ui/lazy";
import { t } from "../i18n";
import { copyPng, savePng, saveText } from "./saving";
import type { View } from "./share";

export type Output = ProgramAnswer["outputs"][number];

const Rolled = lazy(async () => (await import("./RollOutputView")).RollOutputView);

/** One output. */
export function OutputView({ output, view }: { output: Output; view: View }): JSX.Element {
  return (
    <section class="output" data-kind={output.kind} aria-label={output.name}>
      <h2 class="output-name">{output.name}</h2>
      <Inside output={output} view={view} />
    </section>
  );
}

function Inside({ output, view }: { output: Output; view: View }): JSX.Element {
  switch (output.kind) {
    case "odds":
      return <Odds output={output} view={view} />;
    case "compare":
      return <Beside output={output} />;
    case "sweep":
      return <Swept output={output} />;
    case "advice":
      return <Advice output={output} />;
    case "roll":
      return <Rolled output={output} />;
    case "table":
      return (
        <Files name={output.name} csv={output.csv}>
          <Table {...output} />
        </Files>
      );
    case "number":
      return (
        <p class="output-number">
          <b>{output.said}</b>
          {output.chance && <span> {output.chance}</span>}
          {output.exact !== output.said && <span class="soft"> {output.exact}</span>}
        </p>
      );
    default:
      return <pre class="output-text">{output.text}</pre>;
  }
}

interface ProblemProps {
  readonly problem: ProblemShown;
  /** Leads to its line. */
  readonly onGo?: ((line: number, column: number) => void) | undefined;
  /** Takes a program of AnyDice to where it is worked out. */
  readonly onAnydice?: (() => void) | undefined;
}

/** An error and its line, in a sentence. */
export function Problem({ problem, onGo, onAnydice }: ProblemProps): JSX.Element {
  const line = t("bench.line", { n: problem.line });
  return (
    <div class={`notice problem ${problem.code === "anydice" ? "" : "bad"}`} role="status">
      <Icon name={problem.code === "anydice" ? "send" : "warn"} size={20} />
      <div>
        <p>
          {onGo ? (
            <button type="button" class="as-link" onClick={() => onGo(problem.line, problem.column)}>
              {line}
            </button>
          ) : (
            <b>{line}</b>
          )}{" "}
          {problem.message}
        </p>
        {problem.code === "anydice" && onAnydice && (
          <div class="row">
            <button type="button" class="button" onClick={onAnydice}>
              <Icon name="send" size={18} />
              {t("bench.anydice")}
            </button>
          </div>
        )}
        {problem.suggestions.length > 0 && (
          <p class="small">{t("bench.would_do", { what: problem.suggestions.join(", ") })}</p>
        )}
        {problem.traceback && (
          <details>
            <summary class="small">{t("bench.traceback")}</summary>
            <pre class="output-text" tabIndex={0}>
              {problem.traceback}
            </pre>
          </details>
        )}
      </div>
    </div>
  );
}

/** The printed output of a program. */
export function PrintedText({ printed }: { printed: ProgramAnswer["printed"] }): JSX.Element | null {
  if (!printed.text) return null;
  return (
    <section class="output">
      <h2 class="output-name">{t("bench.printed")}</h2>
      <pre class="output-text" tabIndex={0}>
        {printed.text}
      </pre>
      {printed.left_out > 0 && <p class="small soft">{t("bench.left_out", { n: printed.left_out })}</p>}
    </section>
  );
}

/** The files to save: the picture, its pixels, the numbers. */
export function Files({
  name,
  svg,
  csv,
  children,
}: {
  name: string;
  svg?: string | undefined;
  csv: string;
  children?: ComponentChildren;
}): JSX.Element {
  const button = (label: string, run: () => unknown, icon: "download" | "copy" = "download"): JSX.Element => (
    <button
      type="button"
      class="button quiet small"
      aria-label={t("bench.save_as", { what: label, name })}
      onClick={() => void run()}
    >
      <Icon name={icon} size={16} />
      {label}
    </button>
  );
  return (
    <>
      {children}
      <div class="row tight output-files">
        {svg && button("SVG", () => saveText(svg, name, "svg"))}
        {svg && button("PNG", () => savePng(svg, name))}
        {button("CSV", () => saveText(csv, name, "csv"))}
        {svg && button(t("bench.copy_image"), () => copyPng(svg, name), "copy")}
      </div>
    </>
  );
}

/** Longer numbers fill a table with digits that nobody reads; the file has them. */
const MOST_DIGITS = 15;

const shareOf = (row: OddsRow, view: View): number => (view === "each" ? row : (row[view] ?? row)).share;

function Odds({ output, view }: { output: OddsOutput; view: View }): JSX.Element {
  return (
    <>
      {output.fields.map((field) => (
        <Field key={field.name} field={field} view={view} name={output.name} />
      ))}
      {output.joint && <Together joint={output.joint} name={output.name} />}
      {output.remarks.map((remark) => (
        <p class="notice small">{remark.said}</p>
      ))}
    </>
  );
}

function Field({ field, view, name }: { field: DistributionDrawn; view: View; name: string }): JSX.Element {
  const ordered = field.rows.some((row) => row.at_least);
  const rows = field.rows.map((row) => ({ label: row.label, share: shareOf(row, view) }));
  const exact = field.total.length <= MOST_DIGITS;
  const table = {
    head: [
      field.title,
      t("charts.chance"),
      ...(ordered ? [t("bench.at_least"), t("bench.at_most")] : []),
      ...(exact ? [t("bench.of_total", { total: field.total })] : []),
    ],
    rows: field.rows.map((row) => [
      row.label,
      row.said,
      ...(ordered ? [row.at_least?.said ?? "", row.at_most?.said ?? ""] : []),
      ...(exact ? [row.weight] : []),
    ]),
  };
  return (
    <Files name={field.name ? `${name} ${field.title}` : name} svg={field.svg} csv={field.csv}>
      <Bars
        title={field.name ? field.title : name}
        untitled={!field.name}
        rows={rows}
        of={field.title}
        note={field.summary}
        table={table}
      />
      <Cut said={field.cut} />
    </Files>
  );
}

const Cut = ({ said }: { said: string }): JSX.Element => (said ? <p class="notice small">{said}</p> : <></>);

function Together({ joint, name }: { joint: JointShape; name: string }): JSX.Element {
  const title = t("bench.together", { one: joint.down, other: joint.across });
  return (
    <Files name={`${name} ${title}`} svg={joint.svg} csv={joint.csv}>
      <HeatMap
        title={title}
        across={joint.across}
        acrossLabels={joint.columns}
        down={joint.down}
        downLabels={joint.rows}
        cells={joint.cells.map((row) => row.map((cell) => cell.share))}
        chance
      />
    </Files>
  );
}

function Beside({ output }: { output: CompareOutput }): JSX.Element {
  return (
    <>
      {output.fields.map((field) => (
        <FieldBeside key={field.name} field={field} name={output.name} />
      ))}
    </>
  );
}

function FieldBeside({ field, name }: { field: FieldCompared; name: string }): JSX.Element {
  const series = field.rolls.map((roll: Distribution, n) => ({
    name: roll.name,
    values: field.shares.map((row) => row[n]?.share ?? null),
  }));
  return (
    <Files name={field.name ? `${name} ${field.title}` : name} svg={field.svg} csv={field.csv}>
      <Lines
        title={field.name ? field.title : name}
        untitled={!field.name}
        along={field.title}
        labels={field.labels}
        series={series}
        chance
      />
      <ul class="summaries">
        {field.rolls.map((roll) => (
          <li>
            <b>{roll.name}</b> <span class="soft">{roll.summary}</span>
          </li>
        ))}
      </ul>
      {field.duels.length > 0 && (
        <ul class="summaries" aria-label={t("explore.duels")}>
          {field.duels.map((duel) => (
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
      )}
    </Files>
  );
}

const said = (value: unknown): string => String(value).replace(/^-/, "−");

function Swept({ output }: { output: SweepOutput }): JSX.Element {
  const [first, second] = output.axes;
  const chance = output.cells.some((cell) => cell.worth.chance);
  const across = first!.values.map(said);
  const worth = (n: number): number | null => output.cells[n]?.worth.number ?? null;
  const depth = second?.values.length ?? 1;
  return (
    <Files name={output.name} svg={output.svg} csv={output.csv}>
      {second ? (
        <HeatMap
          title={output.title}
          untitled={output.title === output.name}
          across={first!.field}
          acrossLabels={across}
          down={second.field}
          downLabels={second.values.map(said)}
          cells={second.values.map((_, y) => across.map((_, x) => worth(x * depth + y)))}
          chance={chance}
        />
      ) : (
        <Lines
          title={output.title}
          untitled={output.title === output.name}
          along={first!.field}
          labels={across}
          series={[{ name: output.title, values: across.map((_, x) => worth(x)) }]}
          chance={chance}
        />
      )}
      <Cut said={output.cut} />
    </Files>
  );
}

/** Best play: what it is worth, what each option is, and what to do when. */
function Advice({ output }: { output: AdviceOutput }): JSX.Element {
  const who = output.calls.some((call) => call.who);
  return (
    <Files name={output.name} csv={output.csv}>
      <p class="output-number">
        <b>{output.value.said}</b> <span class="soft">{t("bench.best_play")}</span>
      </p>
      {output.plan && <p>{output.plan}</p>}
      {output.options.length > 0 && (
        <ul class="options-shown">
          {output.options.map((option) => (
            <li data-best={option.best || undefined}>
              {option.best && <Icon name="star" size={16} />}
              <span class="grow">{option.said}</span>
              <b>{option.value.said}</b>
            </li>
          ))}
        </ul>
      )}
      {output.calls.length > 0 && (
        <Table
          name={t("bench.calls")}
          head={[...(who ? [t("bench.who")] : []), t("bench.situation"), t("bench.do_then"), t("bench.how_often")]}
          rows={output.calls.map((call) => [
            ...(who ? [call.who ?? ""] : []),
            call.situation,
            call.best_call,
            call.chance,
          ])}
        />
      )}
      <Cut said={output.cut} />
    </Files>
  );
}

export function Table({ name, head, rows }: Pick<TableOutput, "name" | "head" | "rows">): JSX.Element {
  return (
    <div class="chart-scroll" tabIndex={0} role="region" aria-label={name}>
      <table class="plain">
        <thead>
          <tr>
            {head.map((one) => (
              <th scope="col">{one}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
