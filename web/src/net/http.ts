// Questions to the server over HTTP; what it refuses comes back as a Refused with its sentence.
import { addressOf } from "../app/base";
import { language } from "../i18n";

export class RequestError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field = "",
    readonly more: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** No answer at all: the network or the server is away. */
export class OfflineError extends Error {}

export interface RequestOptions {
  token?: string;
  signal?: AbortSignal;
}

async function answer(path: string, init: RequestInit, token?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Accept-Language", language.value);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (init.body) headers.set("Content-Type", "application/json");
  let got: Response;
  try {
    got = await fetch(addressOf(`/api/v1${path}`), { ...init, headers, credentials: "omit", cache: "no-store" });
  } catch (problem) {
    if ((problem as Error).name === "AbortError") throw problem;
    throw new OfflineError(String(problem));
  }
  if (got.ok) return got;
  const said = await got.json().catch(() => null);
  const error = said?.error ?? {};
  if (!error.code && got.status >= 502) throw new OfflineError(got.statusText);
  throw new RequestError(error.code ?? "internal", error.message ?? got.statusText, error.field ?? "", error);
}

export async function get<T>(path: string, { token, signal }: RequestOptions = {}): Promise<T> {
  return (await (await answer(path, { signal }, token)).json()) as T;
}

export async function post<T>(path: string, body: unknown, { token, signal }: RequestOptions = {}): Promise<T> {
  return (await (await answer(path, { method: "POST", body: JSON.stringify(body), signal }, token)).json()) as T;
}

export async function remove(path: string, { token }: RequestOptions = {}): Promise<void> {
  await answer(path, { method: "DELETE" }, token);
}

export async function file(path: string, { token }: RequestOptions = {}): Promise<Blob> {
  return (await answer(path, {}, token)).blob();
}
