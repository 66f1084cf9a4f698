/** Dice as they are thrown at the table: they tumble at once, and settle on the faces that came. */

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import "./dice.css";
import { Die } from "./Die";
import type { Marks, Text } from "../state/card";
import { say, type Naming } from "../i18n/text";
import { Icon as Sign, type IconName } from "../ui/icons";
import { signOf } from "./game_icons";
import { withSides, facesIn, kindOf, namesIn, type Face, type Kind } from "./kinds";
import { movesHere } from "./motion";
import { formatDie, lookOf } from "./looks";
import { readingOf, type Reading } from "./reading";
import { is3D } from "./rolling";
import { MOST_TURNING } from "./tumble";

export { namesIn, type Face } from "./kinds";
export { useRolling } from "./rolling";
export { fatesAfter as standing } from "./fates";

export interface DiceProps {
  /** The name of each die: `d8`, `ammo d6`, `coin`. */
  readonly dice: readonly string[];
  /** The face of each; null or missing while it is unknown. */
  readonly faces?: readonly Face[] | null;
  /** Which dice lie still while the others are thrown: their numbers, or yes or no for each. */
  readonly locked?: readonly (number | boolean)[];
  /** Whether the dice are thrown now; the others lie where they are. */
  readonly fresh?: boolean;
  /** Called once all that are thrown lie still: at once where nothing moves, and also where they are taken away. */
  readonly onLand?: () => void;
  readonly game?: string;
  /** How faces are read in this roll. */
  readonly marks?: Marks | undefined;
  readonly small?: boolean;
  /** The pool as the server writes it: it has the sides of dice with a name. */
  readonly pool?: unknown;
  /** Dice that do not count: dropped, or replaced by a later throw. */
  readonly dropped?: readonly (number | boolean)[];
  /** Names the people whose dice they are. */
  readonly who?: Naming;
  /** Names of dice in this roll, by their keys. */
  readonly called?: Readonly<Record<string, Text>> | undefined;
  /** The thrower's set, if they chose one, and the hue of their colour. */
  readonly worn?: string | undefined;
  readonly hue?: number;
  /** The fate of each die, if there is one. */
  readonly tags?: readonly (DieTag | undefined)[];
}

/** The fate of a die: it stays, would be thrown again or was, counts or does not. */
export type DieTag = "stays" | "lifts" | "again" | "counts" | "dropped";

interface Shown {
  readonly called?: Text | undefined;
  readonly who?: Naming | undefined;
  readonly kind: Kind;
  readonly face: Face;
  readonly reading: Reading;
  readonly read: (face: Face) => Reading;
  readonly faces: readonly Face[] | null;
  readonly locked: boolean;
  readonly dropped: boolean;
  readonly tag?: DieTag | undefined;
}

/** As many dice are drawn one by one; of more, each kind of face is drawn once with its count. */
const MOST_DRAWN = 40;
const MANY = 14;

const marked = (list: readonly (number | boolean)[] | undefined, n: number): boolean =>
  !!list && (typeof list[0] === "boolean" ? list[n] === true : (list as readonly number[]).includes(n));

/** A handful of dice. */
export function Dice(props: DiceProps): JSX.Element {
  const game = props.game ?? "";
  const named = namesIn(props.pool);
  const names = named?.length === props.dice.length ? named : props.dice;
  const faces = facesIn(props.pool);
  const shown = names.map((name, n): Shown => {
    const plain = kindOf(name);
    const kind = withSides(plain, lookOf(plain)?.sides);
    const face = props.faces?.[n] ?? null;
    const read = (of: Face): Reading => (props.marks ? readingOf(props.marks, kind, of) : unmarked(game, kind, of));
    return {
      called: props.called?.[plain.role],
      who: props.who,
      kind,
      face,
      read,
      reading: read(face),
      faces: faces[n] ?? null,
      locked: marked(props.locked, n),
      dropped: marked(props.dropped, n),
      tag: props.tags?.[n],
    };
  });
  const size = props.small
    ? "small"
    : shown.length > MANY
      ? "many"
      : shown.length > 6
        ? "some"
        : shown.length > 4
          ? "several"
          : "few";
  const note = useLanding(!!props.fresh, props.onLand);
  if (shown.length > MOST_DRAWN) return <Counted shown={shown} />;
  const moves = !!props.fresh && movesHere();
  return (
    <ul
      class="dice"
      data-size={size}
      data-worn={props.worn || undefined}
      style={props.worn ? { "--hue": String(props.hue ?? 0) } : undefined}
      data-soon={(moves && !props.faces && is3D()) || undefined}
      role="list"
      aria-label={t("dice.list", { n: shown.length })}
    >
      {shown.map((one, n) => (
        <Lying
          key={n}
          one={one}
          thrown={moves && !one.locked}
          number={n}
          all={shown.length}
          small={size === "small"}
          worn={`${props.worn} ${props.hue}`}
          onMove={(flies) => note(n, flies)}
        />
      ))}
    </ul>
  );
}

/** Watches the dice of a handful that are in the air, and reports when none is. */
function useLanding(thrown: boolean, onLand: (() => void) | undefined): (number: number, flies: boolean) => void {
  const flying = useRef(new Set<number>());
  const latest = useRef(onLand);
  latest.current = onLand;
  const landed = (): void => latest.current?.();
  // The dice have noted themselves by now: what is inside comes first.
  useLayoutEffect(() => {
    if (!thrown) return undefined;
    if (!flying.current.size) landed();
    const unseen = (): void => void (document.hidden && landed());
    document.addEventListener("visibilitychange", unseen);
    return () => (document.removeEventListener("visibilitychange", unseen), landed());
  }, [thrown]);
  return (number, flies) => {
    if (flies) flying.current.add(number);
    else if (flying.current.delete(number) && !flying.current.size) landed();
  };
}

/** A face of a roll that came without marks: by a sign of the game, or plainly. */
function unmarked(game: string, kind: Kind, face: Face): Reading {
  const plain = readingOf(undefined, kind, face);
  return !game || face === null || plain.symbols.length ? plain : signOf(game, kind, face);
}

function Lying(props: {
  one: Shown;
  thrown: boolean;
  number: number;
  all: number;
  small: boolean;
  worn: string;
  onMove: (flies: boolean) => void;
}): JSX.Element {
  const { one, thrown, number, all } = props;
  const turning = thrown && all <= MOST_TURNING;
  const [moves, setMoves] = useState(thrown);
  const move = (flies: boolean): void => {
    setMoves(flies);
    props.onMove(flies);
  };
  return (
    <li
      class="die"
      data-shape={one.kind.shape}
      data-role={one.kind.role.split(" ")[0] || undefined}
      data-set={lookOf(one.kind)?.set}
      data-tone={moves || one.dropped ? "plain" : one.reading.tone}
      data-tag={one.tag}
      data-locked={one.locked || undefined}
      data-dropped={one.dropped || undefined}
      data-thrown={thrown || undefined}
    >
      <Die
        {...one}
        label={describeDie(moves ? { ...one, face: null } : one)}
        thrown={thrown}
        shaken={!turning}
        small={props.small}
        worn={props.worn}
        delay={Math.min(number * 22, 260)}
        onMove={move}
      />
      <span class="die-name" aria-hidden="true">
        {one.locked && !one.tag && <Lock />}
        <span class="die-word">{shortName(one)}</span>
      </span>
      {one.reading.written && (
        <span class="die-tag die-says" aria-hidden="true">
          {one.reading.said}
        </span>
      )}
      {one.tag && (
        <span class="die-tag" aria-hidden="true">
          <Sign name={SIGNS[one.tag]} size={13} />
          {t(`dice.tag.${one.tag}`)}
        </span>
      )}
    </li>
  );
}

const SIGNS: Record<DieTag, IconName> = {
  stays: "lock",
  lifts: "again",
  again: "again",
  counts: "check",
  dropped: "cross",
};

function Lock(): JSX.Element {
  return (
    <svg class="die-lock" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" />
      <rect x="3" y="7" width="10" height="7" rx="1.5" />
    </svg>
  );
}

/** A heap too large to draw: one picture for each face, with how many show it. */
function Counted({ shown }: { shown: readonly Shown[] }): JSX.Element {
  const heaps = new Map<string, { one: Shown; count: number }>();
  for (const one of shown) {
    const key = `${one.kind.name}|${one.face}`;
    const heap = heaps.get(key);
    if (heap) heap.count += 1;
    else heaps.set(key, { one, count: 1 });
  }
  const sorted = [...heaps.values()].sort((a, b) => Number(b.one.face) - Number(a.one.face));
  return (
    <ul class="dice" data-size="many" role="list" aria-label={t("dice.list", { n: shown.length })}>
      {sorted.slice(0, MOST_DRAWN).map(({ one, count }) => (
        <li class="die" data-shape={one.kind.shape} data-tone={one.reading.tone}>
          <Die {...one} label={t("dice.heap", { n: count, die: describeDie(one) })} thrown={false} small delay={0} />
          <span class="die-name" aria-hidden="true">{`× ${count}`}</span>
        </li>
      ))}
    </ul>
  );
}

function shortName({ kind, who, called }: Pick<Shown, "kind" | "who"> & Pick<Partial<Shown>, "called">): string {
  if (called) return say(called, who);
  const label = lookOf(kind)?.label;
  if (label) return say(label, who);
  if (kind.shape === "coin") return t("dice.coin");
  if (kind.shape === "fate") return t("dice.fate");
  if (kind.shape === "card") return say(kind.role, who);
  return say(kind.role, who) || formatDie(kind.name);
}

/** Screen-reader text: "d8 shows 6, success". */
export function describeDie(
  one: Pick<Shown, "who" | "kind" | "face" | "reading" | "locked" | "dropped"> & Pick<Partial<Shown>, "tag" | "called">,
): string {
  const die = shortName(one);
  if (one.face === null) return t("dice.thrown", { die });
  const symbols = typeof one.face === "string" && one.kind.drawn && one.reading.said;
  const parts = [t("dice.shows", { die, face: symbols || saidFace(one) })];
  if (one.reading.said && !symbols && !one.dropped) parts.push(one.reading.said);
  if (one.locked) parts.push(t("dice.locked"));
  if (one.dropped) parts.push(t("dice.dropped"));
  if (one.tag && !one.locked && !one.dropped) parts.push(t(`dice.tag.${one.tag}`));
  return parts.join(", ");
}

function saidFace(one: Pick<Shown, "kind" | "face">): string {
  if (one.face === "won") return t("dice.won");
  if (one.face === "lost") return t("dice.lost");
  if (one.kind.shape === "fate" && one.face === 0) return t("dice.blank");
  return String(one.face);
}
