import type { CapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";

/** A field that another owner keeps. */
export interface KeptField {
  /** As the server names it, such as `.spec.ports[port=80].name`. */
  readonly field: string;
  /** The field manager. */
  readonly owner: string;
}

/** The fields that an apply was refused for because others own them and have another value there; none for any other failure. */
export const conflictsIn = ({ details }: Pick<CapstanError, "details">): readonly KeptField[] => {
  const causes = (details["causes"] ?? []) as readonly Readonly<Record<string, string | undefined>>[];
  return causes
    .filter(({ reason }) => reason === "FieldManagerConflict")
    .map(({ field = "", message = "" }) => ({ field, owner: /"([^"]*)"/.exec(message)?.[1] ?? message }));
};

/** `[a="x",b=1]` at the beginning of a path. */
const selector = /^\[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\]/;
const pair = /([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]+)/g;

const isChosen = (item: unknown, index: number, within: string): boolean => {
  if (/^\d+$/.test(within)) return Number(within) === index;
  if (within.startsWith("=")) return JSON.stringify(item) === within.slice(1);
  if (typeof item !== "object" || item === null) return false;
  const values = item as Readonly<Record<string, unknown>>;
  return [...within.matchAll(pair)].every(([, key = "", value]) => JSON.stringify(values[key]) === value);
};

/** The members of a value that may be the first step of the path: names hold dots too, so there may be several. */
const stepsInto = (value: unknown, path: string): readonly (readonly [key: string, rest: string])[] => {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const [text, within] = selector.exec(path) ?? [];
    if (text === undefined || within === undefined) return [];
    return value.flatMap((item: unknown, index) =>
      isChosen(item, index, within) ? [[String(index), path.slice(text.length)] as const] : [],
    );
  }
  return Object.keys(value)
    .filter((key) => path.startsWith(`.${key}`) && /^(?:$|[.[])/.test(path.slice(key.length + 1)))
    .map((key) => [key, path.slice(key.length + 1)] as const);
};

/** The value without what the path leads to; `undefined` when that is the value itself; the same value when it leads nowhere. */
const without = (value: unknown, path: string): unknown => {
  if (path === "") return undefined;
  for (const [key, rest] of stepsInto(value, path)) {
    const before = (value as Readonly<Record<string, unknown>>)[key];
    const after = without(before, rest);
    if (after === before) continue;
    if (Array.isArray(value)) {
      const index = Number(key);
      return after === undefined ? value.toSpliced(index, 1) : value.with(index, after);
    }
    const { [key]: _, ...others } = value as Readonly<Record<string, unknown>>;
    return after === undefined ? others : { ...(value as object), [key]: after };
  }
  return value;
};

/** The object without fields, as the server names them; the same object when it has none of them. */
export const withoutFields = (object: KubeObject, fields: readonly string[]): KubeObject =>
  fields.reduce<KubeObject>((rest, field) => without(rest, field) as KubeObject, object);
