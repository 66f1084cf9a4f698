// Checks of acts: that an event is what was signed, and reads what its device had seen.
import type { SignedCommand, Plain } from "../net/shapes";
import type { Body } from "../state/types";
import { canonical, toText } from "./bytes";
import type { PeopleChecker } from "./people_checker";
import { isFaceOf, groupsOf } from "./pools";

/** Fields of commands that are in their events as they were signed. */
const SAME = ["roll", "index", "commitments", "asked"];
/** Fields that a repeated roll takes from the one before, with their defaults. */
const AGAIN: Record<string, Plain> = {
  by: "",
  visibility: "open",
  announce: true,
  physical: false,
  goal: "",
  policy: "",
  bound: false,
  each: false,
  away: [],
  roles: {},
  draft: null,
};
/** Commands that are about what a roll waits for, as their devices had seen it, and kinds of events that say so. */
const GOING_ON = ["roll.throw", "roll.enter", "roll.choose", "roll.take_back"];
const GOING = ["roll.started", "roll.thrown", "roll.chosen", "roll.taken_back", "roll.waiting", "roll.called"];
/** Fields by which a request says what kind of roll it is. */
const KIND = ["game", "roll"];
const WAYS = ["expression", "request", "draft"];
const OURS = "rollwright";
const TABLE = "table";

const fields = (value: unknown): Body =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Body) : {};
const same = (one: Plain | undefined, other: Plain | undefined): boolean =>
  canonical(one ?? null) === canonical(other ?? null);
const isSome = (value: Plain | undefined): boolean =>
  value !== null && typeof value === "object" ? Object.keys(value).length > 0 : !!value;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what Python takes for white space
const SPACE = /^(?:[^\S\ufeff]|[\x1c-\x1f\x85])$/;
/** A text without the space around it, as a server writes it down; each sign is looked at once. */
function bare(value: unknown): string {
  const whole = toText(value ?? "");
  let [start, end] = [0, whole.length];
  while (start < end && SPACE.test(whole[start]!)) start += 1;
  while (end > start && SPACE.test(whole[end - 1]!)) end -= 1;
  return whole.slice(start, end);
}

/** Checks that events are what was signed for them. */
export class ActChecker {
  private begun = new Map<string, Body>();
  /** The events after which rolls wait for what they wait for now. */
  private wentAt = new Map<string, number>();

  constructor(private people: PeopleChecker) {}

  /** Takes note of the beginning of a roll, which may be made again, and of how it goes on. */
  follow(seq: number, kind: string, body: Body): void {
    const name = toText(body.roll);
    if (GOING.includes(kind)) this.wentAt.set(name, seq);
    if (kind === "roll.started" && !this.begun.has(name)) this.begun.set(name, body);
  }

  /** Whether somebody may see a roll, and not another that was made in its place, of that kind. */
  mayHide(roll: unknown, kind: string): boolean {
    const before = this.begun.get(toText(roll));
    if (kind !== (before?.announce ? "roll.started" : "sealed")) return false;
    return !before || (before.visibility !== "open" && this.people.revealed.has(toText(roll)));
  }

  /** The seat that rolls; empty where that was not shown. */
  rollerOf(roll: unknown): string {
    return toText(this.begun.get(toText(roll))?.by ?? "");
  }

  /** Whether an event is something else than what was signed. */
  differs(kind: string, body: Body, call: Required<SignedCommand>): boolean {
    const command = call.command as Body;
    const what = command.do;
    if (what === "roll.start") return this.startDiffers(body, command) || this.isLate(body, call);
    if (what === "roll.repeat")
      return command.roll !== body.again || this.repeatDiffers(body) || this.isLate(body, call);
    for (const name of SAME)
      if (command[name] != null && Object.hasOwn(body, name) && !same(command[name], body[name])) return true;
    if (GOING_ON.includes(toText(what)) && (this.wentAt.get(toText(body.roll)) ?? 0) > call.seen) return true;
    if (what === "roll.choose") return command.option != null && !same(command.option, body.option);
    if (what === "witness.reveal") return command.number !== body.number || Number(body.asked) > call.seen;
    if (what === "seat.move") return moveDiffers(body, command);
    if (kind !== "roll.thrown") return false;
    return (body.how === "typed") !== (what === "roll.enter") || (what === "roll.enter" && retypes(body, command));
  }

  /** The same of a roll that is made again: it is as the one before. */
  repeatDiffers(body: Body): boolean {
    const before = this.begun.get(toText(body.again));
    if (!before) return !this.people.mayLack(body);
    for (const [name, unsaid] of Object.entries(AGAIN))
      if (!same(body[name] ?? unsaid, before[name] ?? unsaid)) return true;
    if (body.ask || body.note) return true;
    if (body.sheet !== before.sheet && (body.sheet || this.people.hasSheet(before.sheet))) return true;
    const [what, old] = [fields(body.what), fields(before.what)];
    if (!same(Object.keys(what).sort(), Object.keys(old).sort()) || what.expression !== old.expression) return true;
    if (body.draft != null || body.version !== before.version) return false;
    return withoutHouse(body) !== withoutHouse(before);
  }

  /** Whether a roll's start is not as signed. */
  private startDiffers(body: Body, command: Body): boolean {
    const what = fields(body.what);
    if (fields(command.note).seal !== fields(body.note).seal) return true;
    if ((command.ask || "") !== body.ask || body.again != null) return true;
    if ("expression" in what && body.version) return true; // which has none
    const each = command.each === true && "request" in what;
    if ((body.each ?? false) !== each || !same(body.away ?? [], (each && command.away) || [])) return true;
    if (this.secrecyDiffers(body, command)) return true;
    return this.sheetDiffers(what, body, command) || this.askedDiffers(what, body, command);
  }

  /** Whether a roll is more or less secret than was said, or asked for. */
  private secrecyDiffers(body: Body, command: Body): boolean {
    const ask = command.ask ? this.people.asks.get(toText(command.ask)) : undefined;
    if (command.ask && !ask) return false; // which is told elsewhere, or hidden from us
    const said = { visibility: command.visibility || "open", announce: command.announce !== false };
    const { visibility, announce } = ask ?? said;
    return visibility !== body.visibility || announce !== body.announce;
  }

  private sheetDiffers(what: Body, { by, sheet }: Body, command: Body): boolean {
    const meant = "expression" in what ? "" : command.sheet || (this.people.hasSheet(by) ? by : "");
    return meant !== sheet && this.people.isWhole;
  }

  /** Whether the roll itself is neither as signed nor as asked for. */
  private askedDiffers(what: Body, body: Body, command: Body): boolean {
    const ask = command.ask ? this.people.asks.get(toText(command.ask)) : undefined;
    if (command.ask && !ask) return !this.people.mayLack(body);
    const binds = !!ask && (ask.roll.policy ?? "ask") !== "ask";
    const asked = askedFor(command, ask?.roll, binds);
    const told = { physical: false, goal: "", policy: "", roles: {} };
    for (const [name, unsaid] of Object.entries(told))
      if (!same(name === "policy" ? (body[name] ?? "") : body[name], asked[name] ?? unsaid)) return true;
    if ((body.bound ?? false) !== binds) return true;
    if ("expression" in asked !== "expression" in what || this.respells(what, command, asked)) return true;
    const [said, rolled] = [fields(asked.request), fields(what.request)];
    if (KIND.some((name) => said[name] != null && !same(said[name], rolled[name]))) return true;
    const own = this.people.nameOf(body.sheet);
    const isPerson = (text: string): boolean =>
      (own !== "" && text === own) || (text.startsWith("@") && this.people.isSomebody(text.slice(1), body.by));
    return !isMeant(asked.draft ?? null, body.draft ?? null, isPerson, !!ask);
  }

  /**
   * Whether other dice are written than were signed; what came in the spelling of another tool is left to the rules.
   */
  private respells(what: Body, command: Body, { expression }: Body): boolean {
    const dialect = bare(command.dialect).toLowerCase();
    const isOurs = command.expression == null || (dialect ? dialect === OURS : !this.people.dialect);
    return typeof expression === "string" && isOurs && bare(what.expression) !== bare(expression);
  }

  /** Whether a roll reads what changed after the last event that its device had seen. */
  private isLate(body: Body, { seen, command }: Required<SignedCommand>): boolean {
    const { people } = this;
    const said = command as Body;
    if (!people.isWhole) return false;
    if ((people.asks.get(toText(said.ask))?.seq ?? 0) > seen) return true;
    if ("expression" in fields(body.what))
      return said.expression != null && !said.dialect && people.changed("dialect") > seen;
    if (people.changed("house") > seen) return true;
    const before = this.begun.get(toText(body.again));
    const sheet = body.sheet || said.sheet || before?.sheet || body.by;
    return body.draft != null && [sheet, TABLE].some((one) => people.changed(`sheet ${toText(one)}`) > seen);
  }
}

/** The roll as its command gives it, over what was asked for. */
function askedFor(command: Body, held: Body | undefined, binds: boolean): Body {
  const own: Body = {};
  for (const way of WAYS) if (command[way] != null) own[way] = command[way]!;
  const isOwn = Object.keys(own).length > 0;
  const roles = isSome(command.roles) ? command.roles : fields(command.draft).roles;
  if (isSome(roles)) own.roles = roles!;
  if (command.physical === true) own.physical = true;
  for (const name of ["goal", "policy"]) if (bare(command[name])) own[name] = bare(command[name]);
  if (!held) return own;
  const kept: Body = binds ? { policy: held.policy! } : {};
  if (isOwn) return { ...own, ...kept };
  return { ...held, ...own, ...("roles" in held ? { roles: held.roles! } : {}), ...kept };
}

function withoutHouse({ what }: Body): string {
  const { request } = fields(what);
  if (request === undefined) return canonical(what ?? null);
  const { house: _, ...rest } = fields(request);
  return canonical(rest);
}

function moveDiffers(body: Body, command: Body): boolean {
  const device = fields(body.device);
  if ((command.key ?? "") !== (device.key ?? "")) return true;
  if (Object.keys(device).length && bare(command.held) !== (device.held ?? "")) return true;
  return (command.keep_old === true) !== body.keep_old || (command.seat || body.by) !== body.seat;
}

/** Whether the faces are others than those typed; faces typed by another name than the die's are left to the rules. */
function retypes(body: Body, command: Body): boolean {
  const [typed, written] = [command.faces, body.faces];
  if (!Array.isArray(typed) || !Array.isArray(written) || typed.length !== written.length) return true;
  let place = 0;
  for (const group of groupsOf(body.pool) ?? []) {
    let isFace: ((face: Plain) => boolean) | null = null;
    for (const end = place + group.count; place < end && place < typed.length; place++)
      if (!same(typed[place], written[place]) && (isFace ??= isFaceOf(group))(typed[place]!)) return true;
  }
  return false;
}

/**
 * Whether a draft is the one that was signed, with people in the place of their names; part of one that answers an
 * ask.
 */
function isMeant(
  said: Plain,
  written: Plain | undefined,
  isPerson: (text: string) => boolean,
  isPart = false,
): boolean {
  if (Array.isArray(said) && Array.isArray(written))
    return said.length === written.length && said.every((part, place) => isMeant(part, written[place], isPerson));
  if (said !== null && typeof said === "object" && written !== null && typeof written === "object") {
    const names = Object.keys(written);
    return (
      Array.isArray(said) === Array.isArray(written) &&
      (isPart || names.length === Object.keys(said).length) &&
      names.every(
        (name) =>
          Object.hasOwn(said, name) && isMeant((said as Body)[name]!, (written as Body)[name], isPerson, isPart),
      )
    );
  }
  if (typeof said === "string" && typeof written === "string" && !said.startsWith("@"))
    return said === written || isPerson(written);
  return same(said, written);
}
