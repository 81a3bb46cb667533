import type { KubeObject, StructuralSchema } from "@capstan/schema";
import { applyDefaults, prune, validate } from "@capstan/schema/structural";

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

/** Adds the schema's defaults and drops nulls that stand for absent members. */
export const withDefaults = (object: KubeObject, schema: StructuralSchema): KubeObject =>
  applyDefaults(schema, object) as KubeObject;

/**
 * What is wrong with the types of the members, if anything is. Of the schemas of built-in kinds, which this is for, only quantities say
 * how a text must look.
 */
export const typeFaults = (object: KubeObject, schema: StructuralSchema): readonly string[] =>
  validate(schema, object)
    .filter(({ reason }) => reason === "FieldValueTypeInvalid" || reason === "FieldValueInvalid")
    .map(({ field, message }) => `${field}: ${message}`);

/** Whether a fault of types is that something else, though not null, stands where an object or a list is wanted. */
export const isMisshapen = (fault: string): boolean => /must be of type (object|array): "(?!null)/.test(fault);
