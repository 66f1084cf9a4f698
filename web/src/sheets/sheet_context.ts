// Everything that the widgets of a sheet work on.
import type { Start, Text, Widget, WidgetOf } from "../state/card";
import type { Plain } from "../state/types";
import type { SheetModel } from "./sheet_model";

/** The sheet, or one thing of a list on it. */
export interface SheetContext {
  readonly paper: SheetModel;
  readonly say: (text: Text | undefined) => string;
  /** Writes values of the sheet, or of the thing. */
  readonly set: (path: string | undefined, value: Plain) => void;
  /** The name of the list item that has it. */
  readonly inside?: string;
  /** The heading above it, which need not be repeated. */
  readonly title?: string;
  /** The chance of a roll, where the sheet is played with; nothing where its fields are changed. */
  readonly chance?: (start: Start) => string | undefined;
}

export interface Props<Name extends Widget["widget"]> {
  readonly desk: SheetContext;
  readonly widget: WidgetOf<Name>;
}

/** Whether one may roll from here. */
export const mayRoll = ({ paper }: SheetContext): boolean => paper.mayChange && paper.table.isPlaying.value;

/** The kinds of rolls that widgets begin. */
export const rollKindsIn = (all: readonly Widget[]): string[] =>
  all.flatMap((widget) => [
    ...(widget.begins ? [widget.begins.roll] : []),
    ...(widget.widget === "group" ? rollKindsIn(widget.show ?? []) : []),
    ...(widget.widget === "things"
      ? (widget.rows ?? []).flatMap((row) => [...(row.begins ? [row.begins.roll] : []), ...rollKindsIn(row.show ?? [])])
      : []),
  ]);
