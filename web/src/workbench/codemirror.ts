// The editor: CodeMirror in a root of its own, so that its styles need no leave of the page's policy.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completeFromList,
  type Completion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, temporarilySetTabFocusMode } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  LanguageSupport,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, Prec, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  readonly message: string;
}
export interface Editor {
  set(text: string): void;
  mark(problems: readonly Problem[]): void;
  complete(words: readonly Completion[]): void;
  goTo(line: number, column: number): void;
  focus(): void;
  end(): void;
}

// The page's own colours, which change with its theme.
const LOOK = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", height: "100%", fontSize: "var(--code-size, 0.95rem)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { tabSize: "4", caretColor: "var(--ink)", padding: "0.6rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--ink-soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "0.4rem",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--awful)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--awful)" },
});
const COLOURS = syntaxHighlighting(
  HighlightStyle.define([
    {
      tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword, tags.operatorKeyword],
      color: "var(--secret)",
      fontWeight: "600",
    },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--mixed)" },
    { tag: [tags.comment], color: "var(--ink-soft)", fontStyle: "italic" },
    {
      tag: [
        tags.function(tags.variableName),
        tags.function(tags.definition(tags.variableName)),
        tags.definition(tags.className),
        tags.meta,
      ],
      color: "var(--accent)",
      fontWeight: "600",
    },
  ]),
);

/** A place in the text, wherever a stranger says it is. */
function place(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.max(1, Math.min(Math.trunc(line) || 1, doc.lines)));
  return Math.min(at.from + Math.max(0, Math.trunc(column) || 0), at.to);
}

function diagnostic(doc: Text, problem: Problem): Diagnostic {
  const from = place(doc, problem.line, problem.column);
  return {
    from,
    to: Math.max(from, place(doc, problem.end_line, problem.end_column)),
    severity: "error",
    message: String(problem.message),
  };
}

export interface Mounting {
  readonly text: string;
  readonly label: string;
  readonly help: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void /** Pixels above that something lies over. */;
  readonly covered?: () => number;
}

export function mount(host: HTMLElement, { text, label, help, onChange, onRun, covered = () => 0 }: Mounting): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.replaceChildren(parent);
  const known = new Compartment();
  const words = (all: readonly Completion[]) =>
    autocompletion({ override: [completeFromList(all)], icons: false, activateOnTypingDelay: 250 });
  let taking = false;
  const view = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        // Escape lets Tab leave, whether a list was open or not.
        Prec.highest(
          keymap.of([{ key: "Escape", run: (one) => (closeCompletion(one), temporarilySetTabFocusMode(one)) }]),
        ),
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        indentUnit.of("    "),
        new LanguageSupport(pythonLanguage),
        COLOURS,
        LOOK,
        known.of(words([])),
        EditorView.lineWrapping,
        EditorView.scrollMargins.of(() => ({ top: covered() })),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-description": help,
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
        }),
        keymap.of([
          { key: "Mod-Enter", run: () => (onRun(), true) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of(
          (update) => void (update.docChanged && !taking && onChange(update.state.doc.toString())),
        ),
      ],
    }),
  });
  return {
    set: (next) => {
      if (next === view.state.doc.toString()) return;
      taking = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      taking = false;
    },
    mark: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((one) => diagnostic(view.state.doc, one)),
        ),
      ),
    complete: (all) => view.dispatch({ effects: known.reconfigure(words(all)) }),
    goTo: (line, column) => {
      view.dispatch({ selection: { anchor: place(view.state.doc, line, column) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    end: () => view.destroy(),
  };
}
