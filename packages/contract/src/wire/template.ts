import { field, record } from "./field.ts";

/** Fields of every `<Kind>Template`. */
export const template = {
  /** The whole body a clone is made of: `spec.template`. */
  body: field("spec.template", record),
  metadata: field("spec.template.metadata", record),
  spec: field("spec.template.spec", record),
};
