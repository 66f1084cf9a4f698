// Forms out of the description of fields: house rules, and whatever no hand-made layout covers.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Body, FieldDescription, Plain } from "../state/types";
import { t } from "../i18n";
import { nameKept, nameSaid, ofField, worded } from "../i18n/text";
import { Field, InPlace, Stepper, Switch } from "./fields";
import { Icon } from "./icons";

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const same = (one: Plain | undefined, other: Plain | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The value of a field before any input. */
export function defaultOf(about: FieldDescription): Plain {
  if (about.default !== undefined) return about.default;
  if (about.kind === "int") return Math.max(about.low ?? 0, Math.min(0, about.high ?? 0));
  if (about.kind === "bool") return false;
  if (about.kind === "choice") return about.choices?.[0] ?? null;
  if (about.kind === "list") return [];
  if (about.kind === "value")
    return Object.fromEntries(
      (about.fields ?? []).filter((part) => part.required).map((part) => [part.name, defaultOf(part)]),
    );
  return about.optional ? null : "";
}

const labelOf = ({ name, title }: FieldDescription, within?: string): string =>
  capital(ofField("label", name, title, within));

interface FormProps {
  fields: FieldDescription[];
  values: Body;
  onChange: (values: Body) => void;
  within?: string | undefined;
  folds?: boolean;
}

/** Fields above which only the first are shown, and those with input. */
const MANY = 6;

export function Form({ fields, values, onChange, within, folds }: FormProps): JSX.Element {
  const latest = useRef(values); // two changes may come before the first of them is drawn
  latest.current = values;
  const set = (about: FieldDescription, value: Plain): void => {
    const next = { ...latest.current, [about.name]: value };
    if (!about.required && same(value, about.default)) delete next[about.name];
    onChange((latest.current = next));
  };
  const [said] = useState(() => new Set(Object.keys(values)));
  const isOdd = (about: FieldDescription, place: number): boolean =>
    !!folds && place >= MANY && !about.required && !said.has(about.name);
  const drawn = (about: FieldDescription): JSX.Element => (
    <FormField
      key={about.name}
      about={about}
      within={within}
      eager
      value={values[about.name] ?? defaultOf(about)}
      onChange={(value) => set(about, value)}
    />
  );
  const odd = fields.filter(isOdd);
  return (
    <div class="form">
      {fields.filter((about) => !odd.includes(about)).map(drawn)}
      {odd.length > 0 && (
        <details class="tucked">
          <summary>
            <Icon name="right" size={18} />
            {t("sheet.odd")}
          </summary>
          <div class="form">{odd.map(drawn)}</div>
        </details>
      )}
    </div>
  );
}

interface OneProps {
  about: FieldDescription;
  value: Plain;
  onChange: (value: Plain) => void;
  disabled?: boolean | undefined;
  within?: string | undefined;
  eager?: boolean | undefined;
}

export function FormField({ about, value, onChange, disabled, within, eager }: OneProps): JSX.Element {
  const label = labelOf(about, within);
  const help = about.help && ofField("help", about.name, about.help, within);
  if (about.readings?.length) return <Readings about={about} value={value} onChange={onChange} />;
  if (about.kind === "bool")
    return <Switch label={label} help={help} on={value === true} onChange={onChange} disabled={disabled} />;
  if (about.kind === "int" && !about.optional)
    return (
      <Stepper
        label={label}
        value={Number(value ?? 0)}
        low={about.low ?? undefined}
        high={about.high ?? undefined}
        onChange={onChange}
        disabled={disabled}
      />
    );
  if (about.kind === "choice") {
    return (
      <Field label={label} help={help}>
        {(ids) => (
          <select
            class="input"
            {...ids}
            disabled={disabled}
            value={value === null ? "" : String(value)}
            onChange={(event) => onChange(event.currentTarget.value || null)}
          >
            {(about.optional || about.choices?.includes("")) && <option value="">{t("field.none")}</option>}
            {about.choices?.filter(Boolean).map((one) => (
              <option key={one} value={one}>
                {worded(`word.${one}`, one.replaceAll("_", " "))}
              </option>
            ))}
          </select>
        )}
      </Field>
    );
  }
  if (about.kind === "value" && about.fields) {
    return (
      <fieldset class="form-value">
        <legend>{label}</legend>
        <Form fields={about.fields} values={(value ?? {}) as Body} onChange={onChange} within={about.name} />
      </fieldset>
    );
  }
  if (about.kind === "list" && about.items)
    return <ListField about={about} value={value} onChange={onChange} disabled={disabled} within={within} />;
  return (
    <Field label={label} help={help}>
      {(ids) => <Typed ids={ids} about={about} value={value} disabled={disabled} eager={eager} onChange={onChange} />}
    </Field>
  );
}

/** Text being typed stays, no matter what is redrawn around it meanwhile. */
function Typed({
  ids,
  about,
  value,
  disabled,
  eager,
  onChange,
}: Omit<OneProps, "within"> & { ids: object }): JSX.Element {
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string): void => {
    setTyped(text);
    if (eager && about.kind === "text") onChange(read(text, about));
  };
  return (
    <input
      class="input"
      {...ids}
      disabled={disabled}
      inputMode={about.kind === "int" ? "numeric" : "text"}
      maxLength={about.most ?? undefined}
      value={typed ?? shown(value, about)}
      onInput={(event) => type(event.currentTarget.value)}
      onChange={(event) => (onChange(read(event.currentTarget.value, about)), setTyped(null))}
    />
  );
}

/** A house rule, each of its readings in a sentence. */
function Readings({ about, value, onChange }: OneProps): JSX.Element {
  return (
    <fieldset class="readings">
      <legend>{capital(worded(`house.${about.name}`, about.title))}</legend>
      {about.help && <p class="small soft">{worded(`help.house.${about.name}`, about.help)}</p>}
      {about.readings!.map((one) => (
        <label key={JSON.stringify(one.value)} class="reading">
          <input
            type="radio"
            name={`house-${about.name}`}
            checked={same(one.value, value)}
            onChange={() => onChange(one.value)}
          />
          <span>
            {worded(`house.${about.name}.${String(one.value)}`, one.text || one.said)}
            {same(one.value, about.default) && <span class="chip">{t("field.usual")}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ListField({ about, value, onChange, disabled, within }: OneProps): JSX.Element {
  const items = about.items!;
  const list = Array.isArray(value) ? value : [];
  const set = (place: number, to: Plain): void => onChange(list.map((one, n) => (n === place ? to : one)));
  return (
    <fieldset class="form-list">
      <legend>{labelOf(about, within)}</legend>
      <ul class="stack close">
        {list.map((one, place) => (
          <li class="row" key={place}>
            <div class="grow">
              {items.kind === "text" ? (
                <InPlace
                  label={labelOf(about, within)}
                  value={shown(one, about)}
                  onSave={(to) => set(place, about.known ? nameKept(to) : to)}
                  disabled={disabled}
                />
              ) : (
                <FormField about={items} value={one} onChange={(to) => set(place, to)} disabled={disabled} />
              )}
            </div>
            {!disabled && (
              <button
                type="button"
                class="button quiet round"
                aria-label={t("do.remove", { what: formatValue(one) })}
                onClick={() => onChange(list.filter((_, n) => n !== place))}
              >
                <Icon name="cross" size={18} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {!disabled && list.length < (about.most ?? Infinity) && (
        <button type="button" class="button quiet" onClick={() => onChange([...list, defaultOf(items)])}>
          <Icon name="plus" size={18} />
          {t("do.add")}
        </button>
      )}
    </fieldset>
  );
}

export const formatValue = (value: Plain): string =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? String(value.name ?? value.source ?? "")
    : String(value ?? "");

/** A name of the game is read in words, and words typed are kept as its name. */
const shown = (value: Plain, { known }: FieldDescription): string =>
  known ? nameSaid(written(value)) : written(value);

const written = (value: Plain): string =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

function read(text: string, about: FieldDescription): Plain {
  if (!text.trim() && about.optional) return null;
  if (about.kind === "int") return Number.isNaN(parseInt(text, 10)) ? null : parseInt(text, 10);
  if (about.kind === "text" || about.kind === "fraction") return about.known ? nameKept(text) : text;
  try {
    return JSON.parse(text) as Plain;
  } catch {
    return text;
  }
}
