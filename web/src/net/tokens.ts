// Tokens and keys are made here and kept here; the server only ever learns their hashes and the public keys.
import { addressOf } from "../app/base";
import { writeStored, readStored } from "../app/storage";
import { base64url, hex, random, utf8 } from "../fair/bytes";
import type { Role } from "../state/types";
import { clearOutbox } from "./outbox";

export const newToken = (): string => base64url(random(32));
export const newId = (): string => base64url(random(12));
export const newNonce = (): string => hex(random(32));
export const looksLikeToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** The seed of a key, written as tokens are. */
export const newSeed = newToken;

export async function tokenHash(token: string): Promise<string> {
  const { sha256 } = await import("../fair/hashing");
  return hex(sha256(utf8(token)));
}

export async function tokenHashes(tokens: Record<string, string>): Promise<Record<string, string>> {
  const all = Object.entries(tokens).map(async ([name, token]) => [name, await tokenHash(token)] as const);
  return Object.fromEntries(await Promise.all(all));
}

/** The public key of a seed, as the server gets it. */
export async function publicKey(seed: string): Promise<string> {
  return (await import("../fair/signing")).publicKey(seed);
}

/** The token of a passphrase: it looks like every other token. */
async function passphraseToken(text: string): Promise<string> {
  const { sha256 } = await import("../fair/hashing");
  return base64url(sha256(utf8(text.trim().normalize("NFC"))));
}

/** The key with which this browser may open tables where not everybody may. */
export const makerKey = async (): Promise<string> => (typed.trim() ? passphraseToken(typed) : readStored("maker", ""));
export const hasMakerKey = (): boolean => !!(typed.trim() || readStored("maker", ""));

/** Keeps a key that is good; "" forgets it, and what was typed. */
export function rememberMakerKey(key: string): void {
  typed = "";
  writeStored("maker", key || undefined);
}

/** A passphrase as far as it is typed; it is kept, as a key, once a table was opened with it. */
export const typePassphrase = (text: string): void => void (typed = text);
let typed = "";

/** A table this browser has sat at. */
export interface KnownTable {
  token: string;
  /** The seed of the key that this browser signs with there; none where it signs nothing. */
  seed?: string | undefined;
  seat: string;
  game: string;
  title: string;
  /** When this browser was last there. */
  at: number;
  /** Which session it was, and as whom one plays. */
  session?: number;
  /** The session that has ended, as long as nothing was rolled since. */
  over?: number;
  as?: string;
  /** Link tokens this browser made, to be copied again. */
  links?: Partial<Record<Role, string>>;
}

export const knownTables = (): Record<string, KnownTable> => readStored("tables", {});
/** At how many tables this browser has a seat. */
export const countSeats = (): number => Object.values(knownTables()).filter(({ token }) => token).length;
export const knownTable = (table: string): KnownTable | undefined => knownTables()[table];

export function rememberTable(table: string, about: Partial<KnownTable>): void {
  const all = knownTables();
  const before = all[table] ?? { token: "", seat: "", game: "", title: "", at: 0 };
  writeStored("tables", { ...all, [table]: { ...before, ...about, at: Date.now() } });
}

/** Watchers stay watchers through reloads; a newly opened link asks again. */
export const rememberWatching = (table: string, token: string): void =>
  writeStored(`watching.${table}`, token, { tab: true });
export const isWatching = (table: string, token: string): boolean =>
  readStored(`watching.${table}`, "", { tab: true }) === token;

export function forgetTable(table: string): void {
  const all = knownTables();
  delete all[table];
  writeStored("tables", all);
  clearOutbox(table);
  for (const name of OF_A_DEVICE) writeStored(`${name}.${table}`, undefined);
}

/** What is remembered of a device beside its token (see device.ts). */
const OF_A_DEVICE = ["device", "head", "offers", "answered", "protests"];

/** Whether an address means the machine it is opened on. */
const isOfThisMachine = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** Whether links lead nowhere for others: the page knows its server by no address that they have. */
export const hereOnly = (address: string): boolean => !address && isOfThisMachine(location.hostname);

/** The secrets in the fragment of a link: a token, and the seed of a key if the link moves a seat. */
export function parseHandover(fragment: string): { token: string; seed?: string } {
  const [token = "", seed = ""] = fragment.split(".");
  return looksLikeToken(seed) ? { token, seed } : { token };
}

/** A link to a table; one made on the server's own machine names the `address` that others know it by. */
export const linkTo = (table: string, token: string, address: string): string =>
  `${reached(address)}t/${table}#${token}`;

/** The stream overlay of a table, by the token of its link for spectators. */
export const overlayTo = (table: string, token: string, address: string): string =>
  `${reached(address)}overlay#${table}.${token}`;

const reached = (address: string): string =>
  address && isOfThisMachine(location.hostname) ? address : `${location.origin}${addressOf("/")}`;
