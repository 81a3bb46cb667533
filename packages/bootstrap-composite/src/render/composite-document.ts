import { CapstanError } from "@capstan/contract";
import { documentType, multipart } from "@capstan/kit/bootstrap";
import type { DocumentPart } from "@capstan/kit/bootstrap";

/** The documents of all parts as one. Throws `composite.part_unknown` when a part is of no kind that cloud-init knows. */
export const compositeDocument = (parts: readonly DocumentPart[]): string => {
  for (const { name, content } of parts) {
    if (documentType(content) !== undefined) continue;
    throw new CapstanError({
      code: "composite.part_unknown",
      reason: "PartUnknown",
      retry: { kind: "never" },
      message: `part ${name} does not start with a line that cloud-init knows; start it with #cloud-config, ## template: jinja, #! or another of its user-data formats`,
    });
  }
  return multipart(parts);
};
