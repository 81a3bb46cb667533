import { isJsonObject } from "@capstan/schema";
import type { Role, Source } from "./node-input.ts";

/** One setting: a field of a spec, and the key of config.yaml it becomes. Without a value there is no key. */
export interface Row {
  /** Path of the field: `agent.`, `server.` or `cluster.` and its name. */
  readonly from: string;
  readonly key: string;
  /** Workers do not have it. */
  readonly only?: "servers";
  /** Converts the value that is written; without it, the value is written unchanged. */
  readonly write?: (value: unknown, source: Source) => unknown;
  /** True if `false` differs from unset. */
  readonly evenFalse?: true;
}

/** The value at a path; `undefined` where it ends. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), value);

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** The settings of a role, by key. */
export const configOf = (
  rows: readonly Row[],
  { role, source }: { readonly role: Role; readonly source: Source },
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    rows
      .filter(({ only }) => only === undefined || role !== "agent")
      .map(({ evenFalse, from, key, write }) => {
        const value = valueAt(source, from);
        const written = write === undefined ? value : write(value, source);
        return [key, isEmpty(written) && !(evenFalse === true && written === false) ? undefined : written] as const;
      })
      .filter(([, value]) => value !== undefined),
  );

/** Fields with names that keys spell the same way: `nodeLabels` of `agent` as `node-label`. */
export const rows = (
  section: string,
  keys: Readonly<Record<string, string>>,
  more: Pick<Row, "only"> = {},
): readonly Row[] => Object.entries(keys).map(([field, key]) => ({ from: `${section}.${field}`, key, ...more }));

/** A map as a sorted list; entries without a name are left out. */
const pairs =
  (separator: string) =>
  (value: unknown): readonly string[] =>
    Object.entries(isJsonObject(value) ? value : {})
      .filter(([name]) => name !== "")
      .map(([name, of]) => `${name}${separator}${String(of)}`)
      .toSorted();

const componentKeys = {
  extraArgs: { key: "arg" },
  overrideImage: { key: "image" },
  extraMounts: { key: "extra-mount", write: pairs(":") },
  extraEnv: { key: "extra-env", write: pairs("=") },
} as const;

/** The fields of a component that the distribution has keys for. */
export const component = (
  from: string,
  prefix: string,
  more: Pick<Row, "only"> = {},
  fields: readonly (keyof typeof componentKeys)[] = ["extraArgs", "overrideImage", "extraMounts", "extraEnv"],
): readonly Row[] =>
  fields.map((field) => {
    const { key, ...write } = componentKeys[field];
    return { from: `${from}.${field}`, key: `${prefix}-${key}`, ...write, ...more };
  });
