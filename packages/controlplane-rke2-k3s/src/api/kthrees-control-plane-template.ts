import { inTemplate, kind, object, objectMeta, optional } from "@capstan/schema";
import { kthreesControlPlaneFields } from "./kthrees-control-plane.ts";
import { kthreesControlPlaneTemplateNames } from "./names.ts";
import { kthreesControlPlaneReferences } from "./references.ts";

export const KThreesControlPlaneTemplate = kind({
  ...kthreesControlPlaneTemplateNames,
  version: "v1beta2",
  references: inTemplate(kthreesControlPlaneReferences),
  spec: optional(
    object({
      template: object(
        {
          metadata: optional(objectMeta({ description: "Labels and annotations of what is made from the template." })),
          spec: object(kthreesControlPlaneFields(), { description: "The spec of each." }),
        },
        { description: "The template." },
      ),
    }),
  ),
});

/** One KThreesControlPlaneTemplate. */
export type KThreesControlPlaneTemplate = typeof KThreesControlPlaneTemplate.Type;
