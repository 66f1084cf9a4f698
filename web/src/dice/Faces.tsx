/** Faces read off real dice: one tap a die. */

import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { facesOf, facesOn, groupsOf } from "../fair/pools";
import type { Marks, Text } from "../state/card";
import type { Plain } from "../state/types";
import { Icon } from "../ui/icons";
import { t } from "../i18n";
import "../i18n/choosing";
import { kindOf } from "./kinds";
import { titleOfDie } from "./looks";
import { readingOf } from "./reading";

export interface FacesProps {
  readonly dice: readonly string[];
  /** Names of dice in this roll, by their keys. */
  readonly called?: Readonly<Record<string, Text>> | undefined;
  /** Returns the name of a person in a die's name. */
  readonly who?: (ref: string) => string;
  readonly pool: Plain;
  /** Changes when other dice are asked for. */
  readonly round: number;
  /** How faces are read, where they are symbols. */
  readonly marks?: Marks | null;
  /** Whose dice they are, where they are not one's own. */
  readonly whose?: string;
  readonly onEnter: (faces: Plain[]) => void;
  /** Let the server throw instead. */
  readonly onVirtual: () => void;
}

const MOST_BUTTONS = 20;

/** Fields for the faces of real dice, die by die. */
export function Faces({ dice, called, who, pool, round, marks, whose, onEnter, onVirtual }: FacesProps): JSX.Element {
  const said = (n: number, face: Plain): string =>
    (typeof face === "string" && marks && readingOf(marks, kindOf(dice[n]!), face).said) || String(face);
  const named = (die: string): string => titleOfDie(die, called, who);
  const shapes = (groupsOf(pool) ?? []).flatMap((group) => Array<typeof group>(group.count).fill(group));
  // Faces belong to the dice they were read off: when others are asked for, none is there from the first picture on.
  const [read, setRead] = useState<{ round: number; faces: Plain[] }>({ round, faces: [] });
  const faces = read.round === round ? read.faces : [];
  const setFaces = (next: Plain[]): void => setRead({ round, faces: next });
  const ready = useRef<HTMLButtonElement>(null);
  const at = faces.length;
  const put = (face: Plain): void => {
    setFaces([...faces, face]);
    if (at + 1 === shapes.length) requestAnimationFrame(() => ready.current?.focus());
  };
  return (
    <div class="decision faces" role="group" aria-label={t("faces.label")}>
      <p class="decision-ask">
        <Icon name="hand" size={20} />
        <strong>{whose ? t("faces.theirs", { name: whose }) : t("faces.title")}</strong>
      </p>
      <ol class="row tight">
        {dice.map((die, n) => (
          <li key={n} class={`chip ${n === at ? "brass" : ""}`}>
            {named(die)}
            {n < at ? `: ${said(n, faces[n]!)}` : ""}
          </li>
        ))}
      </ol>
      {at < shapes.length && (
        <>
          <p class="small">{t("faces.which", { die: named(dice[at]!), n: at + 1, all: shapes.length })}</p>
          {facesOn(shapes[at]!) <= MOST_BUTTONS ? (
            <div class="face-buttons">
              {facesOf(shapes[at]!).map((face) => (
                <button type="button" key={String(face)} class="button" onClick={() => put(face)}>
                  {said(at, face)}
                </button>
              ))}
            </div>
          ) : (
            <form
              class="row"
              onSubmit={(event) => {
                event.preventDefault();
                const input = event.currentTarget.elements[0] as HTMLInputElement;
                if (input.value) put(Number(input.value));
                input.value = "";
              }}
            >
              <input class="input grow" inputMode="numeric" aria-label={named(dice[at]!)} />
              <button class="button">{t("do.add")}</button>
            </form>
          )}
        </>
      )}
      <div class="row">
        {at > 0 && (
          <button type="button" class="button quiet" onClick={() => setFaces(faces.slice(0, -1))}>
            <Icon name="undo" size={18} />
            {t("faces.last")}
          </button>
        )}
        <button
          type="button"
          class="button main"
          ref={ready}
          disabled={at < shapes.length}
          onClick={() => onEnter(faces)}
        >
          <Icon name="check" size={18} />
          {t("faces.enter")}
        </button>
        <button type="button" class="button quiet" onClick={onVirtual}>
          <Icon name="die" size={18} />
          {whose ? t("throw.for_them", { name: whose }) : t("faces.virtual")}
        </button>
      </div>
    </div>
  );
}
