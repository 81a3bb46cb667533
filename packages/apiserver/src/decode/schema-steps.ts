import type { KubeObject, StructuralSchema } from "@capstan/schema";
import { applyDefaults, type DefaultOptions, prune } from "@capstan/schema/structural";

export interface Pruned {
  readonly object: KubeObject;
  /** Paths of the members that the schema does not know, for example `spec.nope`. */
  readonly unknown: readonly string[];
}

/** Drops what the schema does not know. */
export const pruneUnknown = (object: KubeObject, schema: StructuralSchema): Pruned => {
  const { value, unknown } = prune(schema, object);
  return { object: value as KubeObject, unknown };
};

/** Adds the schema's defaults and, unless they are kept, drops nulls that stand for absent members. */
export const withDefaults = (object: KubeObject, schema: StructuralSchema, options: DefaultOptions = {}): KubeObject =>
  applyDefaults(schema, object, options) as KubeObject;
