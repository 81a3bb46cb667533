import { Label } from "@capstan/contract";
import { enumOf, kind, legacyConditions, map, object, optional, quantity, string } from "@capstan/schema";
import { azureMachineSpec } from "./azure-machine-spec.ts";
import { azureKind } from "./names.ts";

const strings = (description: string) => map(string({ description: "One value." }), { description });

export const AzureMachineTemplate = kind({
  ...azureKind,
  labels: { ...azureKind.labels, [Label.moveHierarchy]: "true" },
  kind: "AzureMachineTemplate",
  plural: "azuremachinetemplates",
  description: "What AzureMachines are made from.",
  spec: optional(
    object({
      template: object(
        {
          metadata: optional(
            object(
              { labels: optional(strings("Labels.")), annotations: optional(strings("Annotations.")) },
              { description: "What the AzureMachines carry beside the Machine's labels and annotations." },
            ),
          ),
          spec: azureMachineSpec(),
        },
        { description: "The template." },
      ),
    }),
  ),
  status: object({
    capacity: optional(
      map(quantity({ description: "How much there is of it." }), {
        description: "Resources of a machine of this template, for scaling from zero.",
      }),
    ),
    conditions: optional(legacyConditions()),
    nodeInfo: optional(
      object(
        {
          architecture: optional(enumOf(["amd64", "arm64"], { description: "Architecture of its processors." })),
          operatingSystem: optional(enumOf(["linux", "windows"], { description: "Its operating system." })),
        },
        { description: "The Node of a machine of this template, for scaling from zero." },
      ),
    ),
  }),
});

/** One AzureMachineTemplate. */
export type AzureMachineTemplate = typeof AzureMachineTemplate.Type;
