/** Value of an undefined variable. cloud-init prints it as a visible marker; access to a member of it is an error. */
export class Missing {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Value of an expression. Values are only data: no function is a value, and maps have no prototype. */
export type Value = string | number | boolean | null | Missing | readonly Value[] | ReadonlyMap<string, Value>;

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map;

/** Data of the machine as values; functions and the like are none. */
export const valueOf = (data: unknown): Value => {
  if (typeof data === "string" || typeof data === "number" || typeof data === "boolean") return data;
  if (Array.isArray(data)) return data.map(valueOf);
  if (typeof data !== "object" || data === null) return null;
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return new Map(given.map(([name, value]) => [name, valueOf(value)]));
};

export const isTrue = (value: Value): boolean => {
  if (value instanceof Missing) return false;
  if (isList(value)) return value.length > 0;
  return isMap(value) ? value.size > 0 : Boolean(value);
};

const quoted = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
};

const written = (value: Value): string => (typeof value === "string" ? quoted(value) : shown(value));

/** A value as Python prints it. */
export const shown = (value: Value): string => {
  if (value === null) return "None";
  if (value instanceof Missing) return `CI_MISSING_JINJA_VAR/${value.name}`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isList(value)) return `[${value.map(written).join(", ")}]`;
  if (isMap(value)) return `{${[...value].map(([name, member]) => `${quoted(name)}: ${written(member)}`).join(", ")}}`;
  return String(value);
};

const sizes = new WeakMap<object, number>();

const countOf = (value: readonly Value[] | ReadonlyMap<string, Value>): number =>
  isList(value)
    ? value.reduce<number>((sum, item) => sum + 1 + sizeOf(item), 0)
    : [...value].reduce((sum, [name, member]) => sum + 1 + name.length + sizeOf(member), 0);

/**
 * Returns the number of characters and items in a value when printed. Nested lists share parts, so each is counted once and cached.
 */
export const sizeOf = (value: Value): number => {
  if (typeof value === "string") return value.length;
  if (!isList(value) && !isMap(value)) return 1;
  const size = sizes.get(value) ?? countOf(value);
  sizes.set(value, size);
  return size;
};

export const equals = (left: Value, right: Value): boolean => {
  if (left instanceof Missing || right instanceof Missing) {
    return left instanceof Missing && right instanceof Missing && left.name === right.name;
  }
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => equals(item, right[index] ?? null));
  }
  if (isMap(left) && isMap(right)) {
    const same = ([name, member]: readonly [string, Value]): boolean =>
      right.has(name) && equals(member, right.get(name) ?? null);
    return left.size === right.size && [...left].every(same);
  }
  return typeof left === "boolean" || typeof right === "boolean" ? numeral(left) === numeral(right) : left === right;
};

const numeral = (value: Value): Value => (typeof value === "boolean" ? Number(value) : value);

/** Less than 0, 0 or more than 0, as for sorting. */
export const compared = (left: Value, right: Value): number => {
  const [a, b] = [numeral(left), numeral(right)];
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a === b ? 0 : a < b ? -1 : 1;
  throw new Error(`${shown(left)} and ${shown(right)} cannot be compared`);
};

/** Returns the items that loops, `in` and list filters iterate over. */
export const itemsOf = (value: Value): readonly Value[] => {
  if (typeof value === "string") return Array.from(value);
  if (isList(value)) return value;
  if (isMap(value)) return [...value.keys()];
  if (value instanceof Missing) return [];
  throw new Error(`${shown(value)} has no items`);
};

export const contains = (of: Value, item: Value): boolean => {
  if (of instanceof Missing) return false;
  if (isMap(of)) return typeof item === "string" && of.has(item);
  if (typeof of !== "string") return itemsOf(of).some((each) => equals(each, item));
  if (typeof item !== "string") throw new Error(`${shown(item)} is no text to look for in a text`);
  return of.includes(item);
};

export const textOf = (value: Value, what: string): string => {
  if (typeof value === "string") return value;
  throw new Error(`${what} is ${shown(value)}, which is no text`);
};

export const numberOf = (value: Value, what: string): number => {
  const number = numeral(value);
  if (typeof number === "number") return number;
  throw new Error(`${what} is ${shown(value)}, which is no number`);
};
