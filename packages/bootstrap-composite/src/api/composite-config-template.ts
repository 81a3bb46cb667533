import { kind, map, object, optional, string } from "@capstan/schema";
import { compositeConfigSpec } from "./composite-config-spec.ts";
import { names } from "./names.ts";

export const CompositeConfigTemplate = kind({
  ...names,
  kind: "CompositeConfigTemplate",
  plural: "compositeconfigtemplates",
  description: "What the CompositeConfigs of a group of machines are made from.",
  columns: [{ name: "Age", path: ".metadata.creationTimestamp", type: "date" }],
  spec: object({
    template: object(
      {
        metadata: optional(
          object(
            {
              labels: optional(map(string({ description: "Value of the label." }), { description: "Labels to set." })),
              annotations: optional(
                map(string({ description: "Value of the annotation." }), { description: "Annotations to set." }),
              ),
            },
            { description: "Labels and annotations of the CompositeConfigs." },
          ),
        ),
        spec: compositeConfigSpec(),
      },
      { description: "The template." },
    ),
  }),
});

/** One CompositeConfigTemplate. */
export type CompositeConfigTemplate = typeof CompositeConfigTemplate.Type;
