/** Which game: all of them in sight, and plain dice first. */

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { games } from "../state/games";
import { t } from "../i18n";

/** A row of games. */
export function GamePicker({ value, onPick }: { value: string; onPick: (name: string) => void }): JSX.Element {
  const all = [{ name: "", title: t("justroll.dice") }, ...(games.value ?? [])];
  const row = useRef<HTMLFieldSetElement>(null);
  useEffect(
    () => row.current?.querySelector("[data-on]")?.scrollIntoView({ block: "nearest", inline: "center" }),
    [games.value],
  );
  return (
    <fieldset class="game-picker" ref={row}>
      <legend class="unseen">{t("justroll.game")}</legend>
      <div class="choice-chips">
        {all.map((game) => (
          <label data-on={game.name === value || undefined}>
            <input type="radio" name="game" checked={game.name === value} onChange={() => onPick(game.name)} />
            <span>{game.title.split(" (")[0]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
