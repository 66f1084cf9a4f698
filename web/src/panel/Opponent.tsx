/** Who stands on the other side of a roll: somebody at the table, by their sheet, or anybody else. */

import type { JSX } from "preact";
import { t } from "../words";
import { Choices } from "./controls";
import type { Form, Person } from "./form";

/** The others at the table whose sheets can be read. */
export const rivals = (form: Form): Person[] => form.people.value.filter((person) => person.sheet && person.id !== form.sheet.value?.id);

export function Opponent({ form, label, value, onPick }: { form: Form; label: string; value: string; onPick: (person: Person | undefined) => void }): JSX.Element {
  const people = rivals(form);
  if (!people.length) return <></>;
  const options = people.map((person) => ({ value: person.id, label: person.name }));
  return <Choices chips label={label} value={value} options={[{ value: "", label: t("panel.anybody") }, ...options]} onSet={(id) => onPick(people.find((person) => person.id === id))} />;
}
