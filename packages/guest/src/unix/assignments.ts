import type { Declared } from "./builtin.ts";
import type { Expander } from "./expand.ts";
import { keyFor, setValue } from "./parameters.ts";
import type { Session } from "./session.ts";
import { arrayOf, emptyMap, scalarOf, type Value, withElement, withWords } from "./shell-array.ts";
import type { ArrayElement, Assignment, Word } from "./syntax.ts";

const cleared = (before: Value | undefined): Value =>
  typeof before === "object" && before.isAssociative ? emptyMap : arrayOf([]);

const elementBefore = (before: Value | undefined, key: string): string | undefined =>
  typeof before === "object" ? before.entries.get(key) : key === "0" ? before : undefined;

/** An array with elements added. */
const elements = async (
  given: readonly ArrayElement[],
  before: Value | undefined,
  expander: Expander,
): Promise<Value> => {
  let array: Value = before ?? arrayOf([]);
  for (const { index, word } of given) {
    if (index === undefined) array = withWords(array, await expander.fields([word]));
    else array = withElement(array, await expander.text(index), await expander.text(word));
  }
  return array;
};

/** Values before a command, by name. With `isAll` they are all there is of the command, and are set in its shell. */
export const assignedBy = async (
  assignments: readonly Assignment[],
  session: Session,
  expander: Expander,
  isAll: boolean,
): Promise<ReadonlyMap<string, Value>> => {
  const assigned = new Map<string, Value>();
  for (const { index, isAppending, isArray, name, value } of assignments) {
    const before = assigned.get(name) ?? session.variables.get(name);
    if (isArray) {
      const array = await elements(value as readonly ArrayElement[], isAppending ? before : cleared(before), expander);
      if (isAll) session.set(name, array);
      assigned.set(name, array);
      continue;
    }
    const key = index === undefined ? undefined : await expander.text(index);
    const given = await expander.text(value as Word);
    const old = key === undefined ? before : elementBefore(before, keyFor(name, key, session));
    const text = isAppending ? `${scalarOf(old) ?? ""}${session.integers.has(name) ? "+" : ""}${given}` : given;
    if (isAll) setValue(name, key, text, session);
    assigned.set(name, text);
  }
  return assigned;
};

/** Arguments of `declare` and the like. */
export const declaredBy = async (
  assignments: readonly Assignment[],
  expander: Expander,
): Promise<readonly Declared[]> => {
  const declared: Declared[] = [];
  for (const { isAppending, isArray, name, value } of assignments) {
    const array = (before: Value | undefined): Promise<Value> =>
      elements(value as readonly ArrayElement[], before, expander);
    declared.push({ name, isAppending, value: isArray ? array : await expander.text(value as Word) });
  }
  return declared;
};
