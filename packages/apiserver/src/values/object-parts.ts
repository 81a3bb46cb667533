import { isJsonObject, type KubeObject, own } from "@capstan/schema";

/** A JSON object whose members are looked at one by one. */
export type Part = Readonly<Record<string, unknown>>;

/** The value as an object; empty when it is none. */
export const partOf = (value: unknown): Part => (isJsonObject(value) ? value : {});

/** The value as a list; empty when it is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value as text; empty when it is none. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const specOf = (object: KubeObject): Part => partOf(object["spec"]);
export const statusOf = (object: KubeObject): Part => partOf(object["status"]);

export const withSpec = (object: KubeObject, changes: Part): KubeObject => ({
  ...object,
  spec: { ...specOf(object), ...changes },
});

/** The part without one member. */
export const without = (part: Part, name: string): Part =>
  Object.fromEntries(Object.entries(part).filter(([member]) => member !== name));

/** Returns whether a member is there and not null. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const filledWhere =
  (isMissing: (value: unknown) => boolean) =>
  (part: Part, defaults: Part): Part => {
    const missing = Object.keys(defaults).filter((name) => isMissing(own(part, name)));
    return missing.length === 0
      ? part
      : { ...part, ...Object.fromEntries(missing.map((name) => [name, defaults[name]])) };
  };

/** The members of `defaults` under those of `part`; only what is absent or null is filled in. */
export const filled = filledWhere((value) => !isSet(value));

/** As `filled`; an empty text and 0 count as absent as well, as for fields that Kubernetes does not keep as pointers. */
export const filledUnset = filledWhere((value) => !isSet(value) || value === "" || value === 0);

/** The part with one member changed, or the part itself when the member is absent. */
export const changed = (part: Part, name: string, change: (value: unknown) => unknown): Part => {
  if (part[name] === undefined || part[name] === null) {
    return part;
  }
  const next = change(part[name]);
  return next === part[name] ? part : { ...part, [name]: next };
};
