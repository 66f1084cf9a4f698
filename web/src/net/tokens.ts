// Tokens are made here and kept here; the server only ever learns their hashes.
import { addressOf } from "../app/base";
import { keep, kept } from "../app/kept";
import { base64url, hex, random, utf8 } from "../fair/bytes";
import { sha256 } from "../fair/sha256";
import type { Role } from "../state/types";
import { clearOutbox } from "./outbox";

export const newToken = (): string => base64url(random(32));
export const tokenHash = (token: string): string => hex(sha256(utf8(token)));
export const newId = (): string => base64url(random(12));
export const newNonce = (): string => hex(random(32));
export const looksLikeToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** What a passphrase is sent as: it looks like every other token. */
export const passphraseToken = (text: string): string => base64url(sha256(utf8(text.trim().normalize("NFC"))));

/** The key with which this browser may open tables where not everybody may. */
export const makerKey = (): string => (typed.trim() ? passphraseToken(typed) : kept("maker", ""));

/** Keeps a key that is good; "" forgets it, and what was typed. */
export function rememberMakerKey(key: string): void {
  typed = "";
  keep("maker", key || undefined);
}

/** A passphrase as far as it is typed; it is kept, as a key, once a table was opened with it. */
export const typePassphrase = (text: string): void => void (typed = text);
let typed = "";

/** A table this browser has sat at. */
export interface Known {
  token: string;
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

export const knownTables = (): Record<string, Known> => kept("tables", {});
/** At how many tables this browser has a seat. */
export const seatsKept = (): number => Object.values(knownTables()).filter(({ token }) => token).length;
export const knownTable = (table: string): Known | undefined => knownTables()[table];

export function rememberTable(table: string, about: Partial<Known>): void {
  const all = knownTables();
  const before = all[table] ?? { token: "", seat: "", game: "", title: "", at: 0 };
  keep("tables", { ...all, [table]: { ...before, ...about, at: Date.now() } });
}

/** Who just watches goes on watching through reloads; the link opened anew asks again. */
export const rememberWatching = (table: string, token: string): void => keep(`watching.${table}`, token, { tab: true });
export const isWatching = (table: string, token: string): boolean => kept(`watching.${table}`, "", { tab: true }) === token;

export function forgetTable(table: string): void {
  const all = knownTables();
  delete all[table];
  keep("tables", all);
  clearOutbox(table);
}

/** Whether an address means the machine it is opened on. */
const isOfThisMachine = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** Whether links lead nowhere for others: the page knows its server by no address that they have. */
export const hereOnly = (address: string): boolean => !address && isOfThisMachine(location.hostname);

/** A link to a table; one made on the server's own machine names the `address` that others know it by. */
export const linkTo = (table: string, token: string, address: string): string => `${reached(address)}t/${table}#${token}`;

/** The stream overlay of a table, by the token of its link for spectators. */
export const overlayTo = (table: string, token: string, address: string): string => `${reached(address)}overlay#${table}.${token}`;

const reached = (address: string): string => (address && isOfThisMachine(location.hostname) ? address : `${location.origin}${addressOf("/")}`);
