import { invalid } from "./causes.ts";
import { childPath } from "./path.ts";
import { prune } from "./prune.ts";
import type { Cause, StructuralSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

/** A default must be valid as it stands, before defaults inside it are filled in, and without unknown members. */
export const checkDefault = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  const at = childPath(path, "default");
  const resource = schema["x-kubernetes-embedded-resource"] === true;
  const { unknown } = prune(schema, schema.default, { resource, keepMetadata: true });
  if (unknown.length > 0) {
    causes.push(invalid(at, schema.default, `must not have unknown fields: ${unknown.join(", ")}`));
  }
  causes.push(...validate(schema, schema.default, { path: at, repeated: true }));
};
