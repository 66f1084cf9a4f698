/**
 * A map over two arguments of a rule: counted a few cells at a time, so that what has come is seen and nothing waits
 * for all of it.
 */
import type { JSX } from "preact";
import { HeatMap } from "../charts";
import type { CurveAnswer, GridAnswer, RuleShown, WorthData } from "../net/shapes";
import type { PythonCall } from "../python";
import type { Body, Plain } from "../state/types";
import { Files } from "./outputs";
import type { Work } from "./work";

/** Most values of a map, along each side. */
const MOST = 12;
/** Cells that are asked for at once: few enough that a letter typed meanwhile is answered soon. */
const PART = 4;
/** Longer numbers are sent as they are said; nobody sees the difference in a picture. */
const MOST_DIGITS = 2_000;

export interface Mapped {
  readonly title: string;
  readonly across: string;
  readonly down: string;
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  /** Row by row; null where nothing has come yet, or the rule refuses it. */
  readonly cells: readonly (readonly (WorthData | null)[])[];
  readonly come: number;
  readonly all: number;
  /** Once all of it is there. */
  readonly files: GridAnswer | null;
}

/** Counts a map; `show` is called whenever there is more of it. */
export async function drawMap(
  work: Work,
  rule: RuleShown,
  [across, down]: readonly [string, string],
  about: Body,
  how: PythonCall,
  show: (map: Mapped) => void,
): Promise<void> {
  const [columns, rows] = [valuesOf(rule, across), valuesOf(rule, down)];
  const cells: (WorthData | null)[][] = rows.map(() => columns.map(() => null));
  let map: Mapped = {
    title: "",
    across,
    down,
    columns: columns.map(String),
    rows: rows.map(String),
    cells,
    come: 0,
    all: columns.length * rows.length,
    files: null,
  };
  for (const [x, column] of columns.entries())
    for (let y = 0; y < rows.length; y += PART) {
      const part = rows.slice(y, y + PART);
      const vary = [
        { field: across, values: [column] },
        { field: down, values: part },
      ];
      const found = await work.ask<CurveAnswer>("map", { ...about, vary }, how);
      for (const [n, cell] of found.cells.entries()) cells[y + n]![x] = cell.chance ?? null;
      show(
        (map = {
          ...map,
          title: found.measure.title,
          cells: cells.map((row) => [...row]),
          come: map.come + part.length,
        }),
      );
    }
  const files = await work.ask<GridAnswer>(
    "grid",
    {
      title: map.title,
      across,
      down,
      columns: map.columns,
      rows: map.rows,
      cells: cells.flat().map(exactly),
      chance: isChance(map),
    },
    how,
  );
  show({ ...map, files });
}

const exactly = (cell: WorthData | null): string =>
  !cell ? "" : cell.exact.length < MOST_DIGITS ? cell.exact : String(cell.number);
const isChance = ({ cells }: Mapped): boolean => cells.flat().some((cell) => cell?.chance);

/**
 * As many values as there is room for, with the one that is set: those beside it, or of many more every so often one.
 */
function valuesOf(rule: RuleShown, name: string): Plain[] {
  const { values = [], value } = rule.arguments.find((one) => one.name === name) ?? {};
  const at = Math.max(value === undefined ? -1 : values.indexOf(value), 0);
  const step = Math.ceil(values.length / MOST);
  if (step > 2) return values.filter((_, n) => n % step === at % step);
  const start = Math.max(0, Math.min(at - MOST / 2, values.length - MOST));
  return values.slice(start, start + MOST);
}

export function MapOutputView({ map, name }: { map: Mapped; name: string }): JSX.Element {
  const drawn = (
    <HeatMap
      title={map.title}
      across={map.across}
      acrossLabels={map.columns}
      down={map.down}
      downLabels={map.rows}
      cells={map.cells.map((row) => row.map((cell) => cell?.number ?? null))}
      chance={isChance(map)}
    />
  );
  return map.files ? (
    <Files name={`${name}: ${map.title}`} svg={map.files.svg} csv={map.files.csv}>
      {drawn}
    </Files>
  ) : (
    drawn
  );
}
