import { compileTemplate, TemplateError } from "@capstan/go-template";
import { required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { Template } from "../api/template.ts";
import { templateFunctions } from "../template/functions.ts";

/** Nothing is called before there is a Workflow. */
const functions = templateFunctions({ now: () => 0, randomBytes: (size) => new Uint8Array(size) });

/** Returns the problems of a Template that show without rendering it: no text, or text that cannot be compiled. */
export const templateCauses = ({ metadata, spec }: Template, old?: Template): readonly Cause[] => {
  const { data = "" } = spec ?? {};
  if (data === "") return [required("spec.data", "a template of YAML with name and tasks")];
  if (data === old?.spec?.data) return [];
  try {
    compileTemplate(data, { name: metadata.name ?? "", functions });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [{ reason: "FieldValueInvalid", field: "spec.data", message: `Invalid value: ${error.message}` }];
  }
};
