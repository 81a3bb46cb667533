import { Annotation } from "@capstan/contract";
import { templateBody } from "@capstan/kit/external";
import type { KubeObject } from "@capstan/schema";
import type { KnownKeys } from "../object/field-ownership.ts";

/** Labels and annotations that a clone has from its template, and not from the set. */
export const templateKeys = (template: KubeObject | undefined): KnownKeys => {
  const metadata = template === undefined ? undefined : templateBody(template).metadata;
  return {
    labels: Object.keys(metadata?.labels ?? {}),
    annotations: [
      ...Object.keys(metadata?.annotations ?? {}),
      Annotation.clonedFromName,
      Annotation.clonedFromGroupKind,
    ],
  };
};
