// Questions to the server over HTTP; what it refuses comes back as a Refused with its sentence.
import { addressOf } from "../app/base";
import { language } from "../words";

export class Refused extends Error {
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
export class Away extends Error {}

export interface Asked {
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
    throw new Away(String(problem));
  }
  if (got.ok) return got;
  const said = await got.json().catch(() => null);
  const error = said?.error ?? {};
  if (!error.code && got.status >= 502) throw new Away(got.statusText);
  throw new Refused(error.code ?? "internal", error.message ?? got.statusText, error.field ?? "", error);
}

export async function get<T>(path: string, { token, signal }: Asked = {}): Promise<T> {
  return (await (await answer(path, { signal }, token)).json()) as T;
}

export async function post<T>(path: string, body: unknown, { token, signal }: Asked = {}): Promise<T> {
  return (await (await answer(path, { method: "POST", body: JSON.stringify(body), signal }, token)).json()) as T;
}

export async function remove(path: string, { token }: Asked = {}): Promise<void> {
  await answer(path, { method: "DELETE" }, token);
}

export async function file(path: string, { token }: Asked = {}): Promise<Blob> {
  return (await answer(path, {}, token)).blob();
}
