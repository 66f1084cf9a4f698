// The look of somebody and their dice for everybody: a colour, a symbol, a set of dice.
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { SeatView } from "../net/shapes";
import { Dice } from "../dice";
import type { Seat } from "../state/types";
import type { Table } from "../state/table";
import { Icon, isIcon } from "../ui/icons";
import { showError } from "../ui/announcer";
import { t } from "../i18n";
import { Avatar, HUES, hueOf } from "./Avatar";

type Worn = NonNullable<SeatView["look"]>;

const COLOURS = ["", ...Object.keys(HUES)] as Worn["colour"][];
const SYMBOLS: Worn["symbol"][] = [
  "",
  "star",
  "crown",
  "skull",
  "bolt",
  "heart",
  "compass",
  "flag",
  "clover",
  "wrench",
  "bullet",
  "hourglass",
  "burst",
];
const SETS: Worn["dice"][] = ["", "own", "bone", "coal", "brass", "glass"];
const PLAIN: Worn = { colour: "", symbol: "", dice: "" };

export function SeatStyle({ seat, table }: { seat: Seat; table: Table }): JSX.Element {
  // The choice that has not come back yet: a second tap adds to the first, however slow the network is.
  const chosen = useRef<Worn | null>(null);
  const [, setWaiting] = useState<Worn | null>(null);
  const look = chosen.current ?? { ...PLAIN, ...seat.look };
  const wear = (part: Partial<Worn>): void => {
    const next = (chosen.current = { ...(chosen.current ?? look), ...part });
    setWaiting(next);
    void table
      .send({ do: "seat.style", seat: seat.id, ...next })
      .catch(showError)
      .finally(() => {
        if (chosen.current === next) setWaiting((chosen.current = null));
      });
  };
  return (
    <section class="stack close look" style={{ "--hue": String(hueOf(table, seat.id)) }}>
      <h3 class="row">
        <Avatar table={table} id={seat.id} size={44} />
        {t("look.title")}
      </h3>
      <p class="small soft">{t("look.about")}</p>
      <Kinds
        kind="colour"
        all={COLOURS}
        worn={look.colour}
        onWear={(colour) => wear({ colour })}
        shown={(name) =>
          name ? <i class="swatch" style={{ "--hue": String(HUES[name as keyof typeof HUES]) }} /> : null
        }
      />
      <Kinds
        kind="symbol"
        all={SYMBOLS}
        worn={look.symbol}
        onWear={(symbol) => wear({ symbol })}
        shown={(name) => (isIcon(name) ? <Icon name={name} size={20} /> : null)}
      />
      <Kinds kind="dice" all={SETS} worn={look.dice} onWear={(dice) => wear({ dice })} shown={() => null} />
      <div class="felt-tray">
        <Dice dice={["d6", "d8", "d20"]} faces={[5, 8, 17]} worn={look.dice} hue={hueOf(table, seat.id)} />
      </div>
    </section>
  );
}

interface KindsProps<T extends string> {
  readonly kind: "colour" | "symbol" | "dice";
  readonly all: readonly T[];
  readonly worn: T;
  readonly onWear: (name: T) => void;
  /** Draws one; its word is used if that is null. */
  readonly shown: (name: T) => JSX.Element | null;
}

function Kinds<T extends string>({ kind, all, worn, onWear, shown }: KindsProps<T>): JSX.Element {
  const group = useId();
  return (
    <fieldset class="field">
      <legend class="label small">{t(`look.${kind}`)}</legend>
      <span class="seg">
        {all.map((name) => {
          const picture = shown(name);
          const word = t(`look.${kind}.${name}` as "look.colour.");
          return (
            <label key={name} title={word}>
              <input
                type="radio"
                name={group}
                checked={name === worn}
                aria-label={word}
                onChange={() => onWear(name)}
              />
              {picture ?? word}
            </label>
          );
        })}
      </span>
    </fieldset>
  );
}
