import { StatusError } from "@capstan/apiserver";
import { isCapstanError } from "@capstan/contract";
import { type Cause, isKind, type KubeObject, type Resource, type StructuralSchema } from "@capstan/schema";
import { validate } from "@capstan/schema/structural";

/**
 * Returns why an object on which defaults or rules of its kind have failed is not one of the kind. API servers ask for defaults before they
 * validate by the schema, and an older version may lack what the newer one has to have, so both meet values of every shape. Throws `error`
 * again when it is an answer by itself, or when nothing is wrong with the object. `old`: the object before the update; what is
 * unchanged is not held against it.
 */
export const misshapen = (
  error: unknown,
  schema: StructuralSchema | undefined,
  { object, old }: { readonly object: KubeObject; readonly old?: KubeObject | null | undefined },
): readonly Cause[] => {
  if (schema === undefined || error instanceof StatusError || isCapstanError(error)) throw error;
  const causes = validate(schema, object, old === undefined || old === null ? {} : { oldValue: old });
  if (causes.length === 0) throw error;
  return causes;
};

/** The schema by which objects of a kind are validated, where it is known here. */
export const schemaOf = (kind: Resource): StructuralSchema | undefined => (isKind(kind) ? kind.schema : undefined);
