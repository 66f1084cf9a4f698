/** Controls made from the description of a field, for everything without a place of its own. */

import type { JSX } from "preact";
import type { FieldSchema, Plain } from "../state/types";
import { Icon } from "../ui/icons";
import { maybe, t } from "../words";
import { Choices, Numbers, Select, Stepper, Switch, Text } from "./controls";
import type { Form } from "./form";
import { valueName } from "./names";

const SKIPPED = new Set(["house", "game", "roll", "track", "locations"]);
const MOST_IN_SIGHT = 4;

/** The name of a field as players say it. */
export function fieldName(game: string, name: string, schema?: FieldSchema): string {
  const usual = capital(schema?.title ?? name.replaceAll("_", " "));
  return maybe(`request.${game}.${name}`, {}, maybe(`request.${name}`, {}, usual));
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The part of a schema that is not "or nothing". */
function inner(schema: FieldSchema): { plain: FieldSchema; optional: boolean } {
  const parts = schema.anyOf?.filter((part) => part.type !== "null") ?? [];
  const optional = !!schema.anyOf && parts.length < schema.anyOf.length;
  const plain = optional && parts.length === 1 ? { ...schema, anyOf: undefined, ...parts[0] } : schema;
  return { plain: plain as FieldSchema, optional };
}

interface MadeProps {
  readonly form: Form;
  readonly path: string;
  readonly name: string;
  readonly schema: FieldSchema;
}

/** The control of one field. */
export function Made(props: MadeProps): JSX.Element | null {
  const { form, path, name } = props;
  const { plain, optional } = inner(props.schema);
  const held = form.get(path);
  const label = fieldName(form.game?.name ?? "", name, props.schema);
  const common = { label, help: props.schema.description ?? "", wrong: form.wrongAt(path) };
  const set = (value: Plain | undefined): void => form.set(path, value);
  if (plain.enum) return <Enumerated {...common} plain={plain} optional={optional} held={held} set={set} />;
  if (plain.type === "boolean") return <Switch {...common} value={(held ?? plain.default ?? false) === true} onSet={set} />;
  if (plain.type === "integer" || isNumberOrText(plain))
    return <Whole {...common} plain={plain} optional={optional} held={held} set={set} />;
  if (plain.type === "array") return <Listed {...props} plain={plain} {...common} />;
  if (plain.type === "object" && plain.properties)
    return (
      <fieldset class="made-group">
        <legend>{label}</legend>
        {common.wrong && <p class="wrong" role="alert">{common.wrong}</p>}
        <MadeFields form={form} path={path} schema={plain} />
      </fieldset>
    );
  return <Text {...common} value={String(held ?? plain.default ?? "")} most={plain.maxLength} onSet={(text) => set(text || undefined)} />;
}

const isNumberOrText = (schema: FieldSchema): boolean => !!schema.anyOf?.some((part) => part.type === "integer");

interface ControlProps {
  readonly label: string;
  readonly help: string;
  readonly wrong: string;
  readonly plain: FieldSchema;
  readonly optional: boolean;
  readonly held: Plain | undefined;
  readonly set: (value: Plain | undefined) => void;
}

function Enumerated(props: ControlProps): JSX.Element {
  const { plain, optional, held, set } = props;
  const none = optional || plain.enum!.includes("");
  const options = plain.enum!.filter((one) => one !== "").map((value) => ({ value, label: capital(valueName(value)) }));
  const all = none ? [{ value: "", label: t("panel.none") }, ...options] : options;
  const value = String(held ?? plain.default ?? "");
  const pick = (next: string): void => set(next === "" ? undefined : next);
  if (all.length <= MOST_IN_SIGHT + 1) return <Choices {...props} value={value} options={all} onSet={pick} />;
  return <Select {...props} value={value} options={all} onSet={pick} />;
}

function Whole(props: ControlProps): JSX.Element {
  const { plain, optional, held, set } = props;
  const usual = typeof plain.default === "number" ? plain.default : null;
  if (optional && typeof held !== "number")
    return (
      <div class="field">
        <span class="label">{props.label}</span>
        <p class="help">{props.help}</p>
        <button type="button" class="button" onClick={() => set(usual ?? Math.max(plain.minimum ?? 0, 0))}>
          <Icon name="plus" size={18} />
          {t("panel.give", { label: props.label })}
        </button>
        {props.wrong && <p class="wrong" role="alert">{props.wrong}</p>}
      </div>
    );
  const low = plain.minimum;
  return (
    <div class="with-clear">
      <Stepper {...props} value={typeof held === "number" ? held : (usual ?? low ?? 0)} low={low} high={plain.maximum} signed={(low ?? 0) < 0} onSet={set} />
      {optional && (
        <button type="button" class="button quiet" onClick={() => set(undefined)}>{t("panel.leave_out")}</button>
      )}
    </div>
  );
}

function Listed(props: MadeProps & { plain: FieldSchema; label: string; help: string; wrong: string }): JSX.Element {
  const { form, path, plain } = props;
  const held = form.get(path);
  const values = Array.isArray(held) ? held : [];
  const items = plain.items ?? {};
  if (items.type === "integer")
    return (
      <Numbers {...props} values={values as number[]} most={plain.maxItems} signed={(items.minimum ?? -1) < 0}
        offers={(items.minimum ?? -1) < 0 ? [-2, -1, 1, 2, 3] : [1, 2, 3, 4, 5]} onSet={(next) => form.set(path, next.length ? next : undefined)} />
    );
  if (items.properties) return <Parts {...props} values={values} items={items} />;
  return (
    <Text {...props} value={values.join(" ")} onSet={(text) => form.set(path, text.trim() ? text.trim().split(/[\s,]+/) : undefined)} />
  );
}

/** A list of values with fields of their own: targets, members, checks of a turn. */
function Parts(props: MadeProps & { values: Plain[]; items: FieldSchema; plain: FieldSchema; label: string; help: string; wrong: string }): JSX.Element {
  const { form, path, values, items, plain, label } = props;
  const add = (): void => form.set(path, [...values, startOf(items, values.length + 1)]);
  return (
    <fieldset class="made-group">
      <legend>{label}</legend>
      <p class="help">{props.help}</p>
      {props.wrong && <p class="wrong" role="alert">{props.wrong}</p>}
      {values.map((_, n) => (
        <details class="part" open={values.length < 3}>
          <summary>{partName(values[n], label, n)}</summary>
          <MadeFields form={form} path={`${path}.${n}`} schema={items} />
          <button type="button" class="button quiet" onClick={() => form.set(path, values.filter((_, m) => m !== n))}>
            <Icon name="bin" size={18} />
            {t("panel.take_away", { value: partName(values[n], label, n) })}
          </button>
        </details>
      ))}
      {values.length < (plain.maxItems ?? 12) && (
        <button type="button" class="button" onClick={add}><Icon name="plus" size={18} />{t("panel.add_part", { label })}</button>
      )}
    </fieldset>
  );
}

function partName(value: Plain | undefined, label: string, n: number): string {
  const name = value && typeof value === "object" && !Array.isArray(value) ? value["name"] : "";
  return typeof name === "string" && name ? name : `${label} ${n + 1}`;
}

/** What a new part of a list starts with: everything that must be given. */
export function startOf(schema: FieldSchema, number: number): Plain {
  const made: Record<string, Plain> = {};
  for (const name of schema.required ?? []) {
    const about = schema.properties?.[name];
    if (!about || name === "game" || name === "roll") continue;
    const { plain } = inner(about);
    if (plain.enum) made[name] = plain.enum[Math.min(1, plain.enum.length - 1)]!;
    else if (plain.type === "integer" || isNumberOrText(plain)) made[name] = Math.max(plain.minimum ?? 0, name === "dc" ? 15 : (plain.minimum ?? 0));
    else if (plain.type === "string") made[name] = name === "name" ? `${number}` : "";
    else if (plain.type === "array") made[name] = [];
    else if (plain.type === "object") made[name] = startOf(plain, 1);
  }
  return made;
}

/** All fields of a schema, but those that have a place already. */
export function MadeFields(props: { form: Form; path?: string; schema: FieldSchema; without?: readonly string[] }): JSX.Element {
  const left = fieldsLeft(props.schema, props.without ?? []);
  return (
    <div class="made">
      {left.map(([name, schema]) => (
        <Made key={name} form={props.form} path={props.path ? `${props.path}.${name}` : name} name={name} schema={schema} />
      ))}
    </div>
  );
}

export function fieldsLeft(schema: FieldSchema, without: readonly string[]): [string, FieldSchema][] {
  return Object.entries(schema.properties ?? {}).filter(([name]) => !SKIPPED.has(name) && !without.includes(name));
}
