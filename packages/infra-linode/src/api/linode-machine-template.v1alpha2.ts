import { Label } from "@capstan/contract";
import {
  conditions,
  enumOf,
  integer,
  inTemplate,
  kind,
  map,
  object,
  optional,
  quantity,
  string,
} from "@capstan/schema";
import { linodeMachineSpec } from "./linode-machine-spec.ts";
import { instanceLabelRules, linodeKind, nameLength } from "./names.ts";
import { machineReferences } from "./references.ts";
import { tagSet } from "./status-parts.ts";

export const LinodeMachineTemplate = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "LinodeMachineTemplate",
  plural: "linodemachinetemplates",
  references: inTemplate(machineReferences),
  shortNames: ["lmt"],
  description: "What LinodeMachines are made from. Changed tags and firewallID reach the existing ones.",
  rules: [nameLength(3, 58), ...instanceLabelRules],
  spec: optional(
    object({
      template: object(
        {
          metadata: optional(
            object(
              {
                labels: optional(map(string({ description: "One value." }), { description: "Labels." })),
                annotations: optional(map(string({ description: "One value." }), { description: "Annotations." })),
              },
              { description: "What the LinodeMachines carry beside the Machine's labels and annotations." },
            ),
          ),
          spec: linodeMachineSpec(),
        },
        { description: "The template." },
      ),
    }),
  ),
  status: object({
    tags: optional(tagSet("Tags last handed to the LinodeMachines.")),
    firewallID: optional(integer({ description: "Id of the firewall last handed to the LinodeMachines." })),
    capacity: optional(
      map(quantity({ description: "How much there is of it." }), {
        description: "Resources of a machine of this template, for scaling from zero.",
      }),
    ),
    nodeInfo: optional(
      object(
        {
          architecture: optional(enumOf(["amd64"], { description: "Architecture of its processors." })),
          operatingSystem: optional(enumOf(["linux"], { description: "Its operating system." })),
        },
        { description: "The Node of a machine of this template, for scaling from zero." },
      ),
    ),
    conditions: optional(conditions()),
  }),
});

/** One LinodeMachineTemplate. */
export type LinodeMachineTemplate = typeof LinodeMachineTemplate.Type;
