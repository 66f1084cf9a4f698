// Rules played again by the library itself, in this browser: no host is asked whether it was honest.
import { useEffect, useMemo } from "preact/hooks";
import { signal, type ReadonlySignal } from "@preact/signals";
import { RequestError } from "../net/http";
import type { VerifyAnswer } from "../net/shapes";
import { askPython, PythonStopped } from "../python";
import type { ChoiceEntry, Roll, ThrowEntry } from "../state/types";
import type { Table } from "../state/table";
import { t } from "../i18n";

/** Seconds for replaying a long campaign in Python; a reader who does not want to wait can stop it. */
const SECONDS = 600;
const FORMAT = 2;

export type ReplayState =
  | { readonly at: "idle" | "going" | "declined" }
  | { readonly at: "failed"; readonly why: string }
  | { readonly at: "found"; readonly answer: VerifyAnswer };

export interface ReplayRun {
  readonly state: ReadonlySignal<ReplayState>;
  /** Have it replayed; what was being replayed before is let go. */
  readonly begin: (question: object) => Promise<ReplayState>;
  /** Once more, what was declined or failed. */
  readonly again: () => void;
  readonly decline: () => void;
  readonly forget: () => void;
}

function replaying(): ReplayRun {
  const state = signal<ReplayState>({ at: "idle" });
  let asked = new AbortController();
  let last: object = {};
  const leave = (at: "idle" | "declined"): void => (asked.abort(), void (state.value = { at }));
  const begin = async (question: object): Promise<ReplayState> => {
    asked.abort();
    const mine = (asked = new AbortController());
    last = question;
    state.value = { at: "going" };
    const found = await askPython<VerifyAnswer>("verify", question, { signal: mine.signal, seconds: SECONDS }).then(
      (answer): ReplayState => ({ at: "found", answer }),
      (why: unknown): ReplayState => ({ at: "failed", why: reason(why) }),
    );
    if (mine.signal.aborted) return { at: "declined" };
    return (state.value = found);
  };
  return { state, begin, again: () => void begin(last), decline: () => leave("declined"), forget: () => leave("idle") };
}

function reason(why: unknown): string {
  if (why instanceof RequestError) return why.message;
  return t(why instanceof PythonStopped && why.why === "unreachable" ? "replay.unreachable" : "replay.stopped");
}

export function useReplay(): ReplayRun {
  const made = useMemo(replaying, []);
  useEffect(() => made.forget, []);
  return made;
}

/** A roll of a table as it would have been saved; null where part of it is hidden or lies further back. */
export function rollAsTranscript(roll: Roll, table: Table): object | null {
  const started = table.known().find(({ body }) => body?.roll === roll.id && body.what)?.body;
  const entries = roll.entries.filter(({ taken }) => !taken);
  if (!started || !roll.what || entries.some(({ kind }) => kind === "veiled") || roll.after?.step === "stopped")
    return null;
  const answers = (entries as (ThrowEntry | ChoiceEntry)[]).map((one) =>
    one.kind === "thrown" ? { faces: one.faces, how: one.how } : { option: one.option },
  );
  return {
    format: FORMAT,
    ...roll.what,
    version: started.version,
    answers,
    ...(roll.after?.step === "done" ? { outcome: roll.after.outcome } : {}),
  };
}
