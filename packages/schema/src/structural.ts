export type { Cause, StructuralSchema, ValidationRule } from "./structural/structural-schema.ts";
