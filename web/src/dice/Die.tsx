/** One die: its body, its number or icon, and how it comes to rest. */

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Lain, Painted } from "../dice3d";
import { Icon } from "./Icon";
import { lookOf } from "./looks";
import { shapeFor, type Face, type Kind } from "./kinds";
import { NUMBER_SIZE, PIPS } from "./marks";
import { PLAIN, type Reading } from "./reading";
import { layDown, roll, solids } from "./rolling";
import { atRest, solidOf } from "./solids";
import { fly, shake } from "./tumble";

export interface DieProps {
  readonly kind: Kind;
  readonly face: Face;
  readonly reading: Reading;
  /** Whether it is thrown now: it turns until its face is known. */
  readonly thrown: boolean;
  /** Whether it only shakes: one of very many. */
  readonly shaken?: boolean;
  readonly delay: number;
  /** All faces of the die, where they are not 1, 2, 3 and so on. */
  readonly faces?: readonly Face[] | null;
  /** How any face of this die is read, for the sides that were not thrown. */
  readonly read?: (face: Face) => Reading;
  /** Screen-reader text. */
  readonly label: string;
  /** Whether it is drawn as a small symbol, never as a solid. */
  readonly small?: boolean;
  /** The thrower's chosen set: the die is redrawn when it changes. */
  readonly worn?: string;
  /** Called when the die begins to move and when it has stopped. */
  readonly onMove?: (moves: boolean) => void;
}

/** The picture of one die, 100 by 100. */
export function Die(props: DieProps): JSX.Element {
  const shape = shapeFor(props.kind, props.face);
  const picture = useRef<HTMLSpanElement>(null);
  const lying = useRef<HTMLCanvasElement>(null);
  const place = useRef<SVGGElement>(null);
  const flight = useRef<ReturnType<typeof fly> | null>(null);
  const solid = props.shaken ? undefined : solidOf(shape);
  const [flying, setFlying] = useState<"" | "turned" | "rolled" | "shaken">(
    !props.thrown ? "" : solid ? "turned" : "shaken",
  );
  const waits = props.thrown && props.face === null;
  // Read while drawing, so that dice are redrawn when solids arrive, or their colours change.
  const drawing = props.small ? 0 : solids.value;
  const asked = (): Lain => ({
    place: picture.current!,
    kind: props.kind,
    face: props.face,
    faces: props.faces ?? null,
    paint: painter(props, shape),
  });

  useLayoutEffect(() => {
    const land = (): void => {
      setFlying("");
      props.onMove?.(false);
    };
    const rolled = props.thrown && !waits && !props.shaken ? roll({ ...asked(), landed: land }) : null;
    if (!props.thrown) {
      setFlying("");
      props.onMove?.(false);
      return undefined;
    }
    setFlying(rolled ? "rolled" : solid ? "turned" : "shaken");
    props.onMove?.(true);
    flight.current = rolled ?? (solid ? fly(place.current!, solid, props.delay, land) : shake(props.delay, land));
    return () => flight.current?.stop();
  }, [props.thrown, shape]);

  useLayoutEffect(() => {
    if (!waits) flight.current?.settle();
  }, [waits, props.thrown, shape]);

  // A die that has rolled stays the die that rolled: its own picture lies where the flat one would.
  useLayoutEffect(() => {
    const lies = !flying && drawing && props.face !== null ? layDown(asked(), lying.current!) : "flat";
    if (lies !== "later") picture.current!.toggleAttribute("data-solid", lies === "solid");
  }, [flying, drawing, shape, props.label, props.worn]);

  return (
    <span ref={picture} class="die-picture" data-flying={flying || undefined}>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: no key reaches a canvas */}
      {drawing > 0 && <canvas ref={lying} class="die-solid" aria-hidden="true" />}
      <svg class="die-drawing" viewBox="0 0 100 100" role="img" aria-label={props.label} focusable="false">
        <ellipse class="die-shadow" cx="50" cy="93" rx="30" ry="5" />
        <g ref={place} />
        <g visibility={flying && flying !== "shaken" ? "hidden" : undefined} class={flying ? "" : "die-lying"}>
          <Body shape={shape} />
          {props.face !== null && !flying && <FaceOf {...props} shape={shape} />}
        </g>
      </svg>
    </span>
  );
}

function Body({ shape }: { shape: string }): JSX.Element {
  const lying = atRest(shape);
  if (lying)
    return (
      <g>
        <path class="die-body" d={lying.view.outline} />
        {lying.view.facets.map((facet) => (
          <path
            class="die-facet"
            d={facet.path}
            fill={facet.light > 0 ? "#fff" : "#000"}
            fill-opacity={Math.min(0.55, Math.abs(facet.light) * 0.42).toFixed(2)}
          />
        ))}
      </g>
    );
  if (shape === "coin")
    return (
      <g>
        <ellipse class="die-body" cx="50" cy="54" rx="40" ry="40" />
        <circle class="die-body" cx="50" cy="49" r="40" />
        <circle class="die-rim" cx="50" cy="49" r="33" stroke-dasharray="2.2 3" />
        <path class="die-shine" d="M20 40A32 32 0 0 1 60 18L34 62A32 32 0 0 1 20 40Z" />
      </g>
    );
  if (shape === "fate")
    return (
      <g>
        <rect class="die-body" x="12" y="12" width="76" height="76" rx="15" />
        <rect class="die-shine" x="17" y="17" width="66" height="66" rx="11" />
      </g>
    );
  if (shape === "round")
    return (
      <g>
        <circle class="die-body" cx="50" cy="50" r="41" />
        <circle class="die-rim" cx="50" cy="50" r="34" />
        <circle class="die-shine" cx="44" cy="42" r="26" />
      </g>
    );
  return (
    <g>
      <rect class="die-body die-card" x="14" y="6" width="72" height="88" rx="9" />
      <rect class="die-rim" x="20" y="12" width="60" height="76" rx="5" />
    </g>
  );
}

/** A plain die has pips, unless the game's dice have numerals. */
const hasPips = (shape: string, face: Face, kind: Kind): boolean =>
  shape === "d6" && !!PIPS[Number(face)] && !kind.role && !lookOf(kind)?.numerals;

/** A 6 and a 9 that could be taken for each other get a dot. */
const written = (face: Face, kind: Kind): string =>
  `${face}${(face === 6 || face === 9) && kind.sides !== null && kind.sides > 8 ? "." : ""}`;

/** How the sides of a die that rolls are painted: as the page draws them. */
function painter({ kind, read }: DieProps, shape: string): (label: string) => Painted {
  return (label) => {
    const face = shape === "d100" || Number.isNaN(Number(label)) ? label : Number(label);
    const { symbols, alone } = read?.(face) ?? PLAIN;
    if (!symbols.length && hasPips(shape, face, kind)) return { text: label, pips: Number(label) };
    return { text: shape === "fate" ? "" : written(face, kind), icons: symbols, alone };
  };
}

function FaceOf(props: DieProps & { shape: string }): JSX.Element {
  const { face, kind, reading, shape } = props;
  const [x, y] = atRest(shape)?.at ?? [50, 50];
  const size = NUMBER_SIZE[shape] ?? 30;
  const { symbols } = reading;
  if (reading.alone) return <Row symbols={symbols} x={x} y={y} size={size * (symbols.length > 1 ? 0.8 : 1.25)} />;
  if (shape === "fate") return <g />;
  if (hasPips(shape, face, kind) && !symbols.length) return <Pips face={Number(face)} x={x} y={y} />;
  const text = written(face, kind);
  const fitted = text.length > 2 ? (size * 2.1) / text.length : size;
  const most = shape === "card" || shape === "coin" ? Math.min(26, 84 / text.length) : fitted;
  return (
    <g>
      <text class="die-number" x={x} y={symbols.length ? y - size * 0.16 : y} font-size={most} dy="0.35em">
        {text}
      </text>
      {symbols.length > 0 && (
        <Row symbols={symbols} x={x} y={y + size * 0.58} size={size * (symbols.length > 2 ? 0.44 : 0.62)} />
      )}
    </g>
  );
}

/** Symbols side by side. */
function Row({ symbols, x, y, size }: { symbols: readonly string[]; x: number; y: number; size: number }): JSX.Element {
  return (
    <g>
      {symbols.map((name, n) => (
        <Icon name={name} x={x + (n - (symbols.length - 1) / 2) * 1.24 * size} y={y} size={size} />
      ))}
    </g>
  );
}

/** Pips lie on the front face of the cube, which is turned a little. */
function Pips({ face, x, y }: { face: number; x: number; y: number }): JSX.Element {
  return (
    <g transform={`translate(${x} ${y}) matrix(0.94 -0.11 0 0.94 0 0)`}>
      {PIPS[face]!.map(([px, py]) => (
        <circle class="die-pip" cx={px * 14.5} cy={py * 14.5} r="5" />
      ))}
    </g>
  );
}
