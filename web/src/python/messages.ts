// The messages between the page, the box and the worker.

/** The parts of Python: compiled once, given to every worker. */
export interface Parts {
  readonly wasm: WebAssembly.Module;
  readonly stdlib: ArrayBuffer;
  readonly library: ArrayBuffer;
}

export interface Question {
  readonly is: "ask";
  readonly id: number;
  readonly kind: string;
  readonly question: string;
  readonly language: string;
}
export type ToWorker = ({ readonly is: "parts" } & Parts) | Question;

export type FromWorker =
  | { readonly is: "ready" }
  | { readonly is: "failed"; readonly why: string }
  | { readonly is: "answer"; readonly id: number; readonly text: string; readonly bytes: number }
  | { readonly is: "crashed"; readonly id: number; readonly why: string };

/** `end` ends the worker and goes on with another; `spare` has one ready for that. */
export type ToBox =
  | {
      readonly is: "files";
      readonly script: ArrayBuffer;
      readonly wasm: ArrayBuffer;
      readonly stdlib: ArrayBuffer;
      readonly library: ArrayBuffer;
    }
  | { readonly is: "end" }
  | { readonly is: "spare" }
  | Question;
export type FromBox = FromWorker;
