/** A roll in the address of the page, so that a link opens it with everything set. */

import { addressOf } from "../app/base";
import type { Body } from "../state/types";
import type { SavedRoll } from "../form/draft";

export interface LinkedRoll extends SavedRoll {
  readonly game: string;
  /** The table one came from, to find the way back. */
  readonly table?: string;
  /** Its goal and its policy, if not the usual ones. */
  readonly goal?: string;
  readonly policy?: string;
}

/** The roll in the address. */
export function fromAddress(search: string): LinkedRoll {
  const query = new URLSearchParams(search);
  return {
    game: query.get("game") ?? "",
    roll: query.get("roll") ?? "",
    expression: query.get("dice") ?? "",
    dialect: query.get("dialect") ?? "",
    fields: readFields(query.get("with")),
    table: /^[a-z2-7]{12}$/.exec(query.get("table") ?? "")?.[0] ?? "",
    goal: query.get("goal") ?? "",
    policy: query.get("policy") ?? "",
  };
}

function readFields(text: string | null): Body {
  try {
    const read: unknown = JSON.parse(text ?? "{}");
    return read && typeof read === "object" && !Array.isArray(read) ? (read as Body) : {};
  } catch {
    return {};
  }
}

/** The address of a roll. */
export function toAddress(path: string, linked: LinkedRoll): string {
  const query = new URLSearchParams();
  if (linked.game) query.set("game", linked.game);
  if (linked.roll) query.set("roll", linked.roll);
  if (linked.roll && Object.keys(linked.fields).length) query.set("with", JSON.stringify(linked.fields));
  if (!linked.roll && linked.expression) query.set("dice", linked.expression);
  if (!linked.roll && linked.expression && linked.dialect) query.set("dialect", linked.dialect);
  if (linked.roll && linked.goal) query.set("goal", linked.goal);
  if (linked.roll && linked.policy) query.set("policy", linked.policy);
  if (linked.table) query.set("table", linked.table);
  const text = query.toString();
  return addressOf(text ? `${path}?${text}` : path);
}
