/** The parts of every chart: a name, a picture that can be read value by value, and a table. */

import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { useSignal } from "@preact/signals";

export interface Readable {
  /** The text at this place: "3 successes: 12 %". */
  readonly said: string;
}

export interface ChartProps {
  readonly title: string;
  readonly note?: string;
  /** How wide it is drawn before its place on the page is known, and how narrow it may become. */
  readonly width: number;
  readonly least: number;
  readonly height: number;
  /** The places that can be read one after the other, with the arrow keys or a finger. */
  readonly places: readonly Readable[];
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** Draws the picture; `place` is the one that is being read, or -1. */
  readonly draw: (place: number, width: number) => ComponentChildren;
  /** Which series is which, between the title and the picture. */
  readonly legend?: ComponentChildren;
  /** Whether its title is above it already: then the note takes its place. */
  readonly untitled?: boolean | undefined;
  /** Small charts beside a control have their table, but no note. */
  readonly bare?: boolean;
}

/** A picture of numbers that is also a table. */
export function Chart(props: ChartProps): JSX.Element {
  const id = useId();
  const place = useSignal(-1);
  const frame = useRef<HTMLDivElement>(null);
  const room = useSignal(props.width);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (frame.current?.clientWidth) room.value = frame.current.clientWidth;
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(frame.current!);
    return () => watch.disconnect();
  }, []);
  const width = Math.max(room.value, props.least);
  const last = props.places.length - 1;
  const at = Math.min(place.value, last);
  const move = (event: Event): void => {
    place.value = Number((event.currentTarget as HTMLInputElement).value);
  };
  return (
    <figure class="chart" data-bare={props.bare || undefined}>
      <figcaption class="chart-title">
        <span>
          {props.untitled ? (
            <>
              <span class="unseen">{props.title}</span>
              <span class="chart-note">{props.note}</span>
            </>
          ) : (
            props.title
          )}
        </span>
        <span class="chart-value" aria-hidden="true">
          {at >= 0 ? props.places[at]!.said : ""}
        </span>
      </figcaption>
      {!props.bare && !props.untitled && props.note && <p class="chart-note">{props.note}</p>}
      {props.legend}
      <div class="chart-picture" ref={frame}>
        <div class="chart-wide" style={`width:${width}px`}>
          <svg viewBox={`0 0 ${width} ${props.height}`} role="img" aria-labelledby={`${id}t ${id}d`}>
            <title id={`${id}t`}>{props.title}</title>
            <desc id={`${id}d`}>
              {props.places
                .slice(0, 60)
                .map((one) => one.said)
                .join("; ")}
            </desc>
            {props.draw(at, width)}
          </svg>
          {last > 0 && (
            <input
              class="chart-reader"
              type="range"
              min={0}
              max={last}
              value={Math.max(at, 0)}
              aria-label={t("charts.read", { title: props.title })}
              aria-valuetext={props.places[Math.max(at, 0)]?.said}
              onInput={move}
              onFocus={() => (place.value = Math.max(place.value, 0))}
              onBlur={() => (place.value = -1)}
            />
          )}
        </div>
      </div>
      <Table {...props.table} title={props.title} />
    </figure>
  );
}

function Table(props: { title: string; head: readonly string[]; rows: readonly (readonly string[])[] }): JSX.Element {
  return (
    <details class="chart-table">
      <summary>{t("charts.table")}</summary>
      <div class="chart-scroll" tabIndex={0} role="region" aria-label={props.title}>
        <table class="plain">
          <caption class="unseen">{props.title}</caption>
          <thead>
            <tr>
              {props.head.map((name, n) => (
                <th scope="col" class={n ? "n" : ""}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.rows.map(([name, ...cells]) => (
              <tr>
                <th scope="row">{name}</th>
                {cells.map((cell) => (
                  <td class="n">{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
