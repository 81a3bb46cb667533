import type { KubeObject } from "@capstan/schema";
import { isJsonObject } from "../../patch/json-value.ts";

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

/** The members of `defaults` under those of `part`; only what is absent or null is filled in. */
export const filled = (part: Part, defaults: Part): Part => {
  const missing = Object.keys(defaults).filter((name) => (part[name] ?? undefined) === undefined);
  return missing.length === 0
    ? part
    : { ...part, ...Object.fromEntries(missing.map((name) => [name, defaults[name]])) };
};

/** The part with one member changed, or the part itself when the member is absent. */
export const changed = (part: Part, name: string, change: (value: unknown) => unknown): Part => {
  if (part[name] === undefined || part[name] === null) {
    return part;
  }
  const next = change(part[name]);
  return next === part[name] ? part : { ...part, [name]: next };
};
