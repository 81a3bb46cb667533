import { boolean, conditions, defaulted, enumOf, kind, list, object, optional, string, text } from "@capstan/schema";
import { linodeMachineSpec } from "./linode-machine-spec.ts";
import { clusterNameColumn, instanceLabelRules, linodeKind, nameLength } from "./names.ts";
import { machineReferences } from "./references.ts";
import { failure, initialization, tagSet } from "./status-parts.ts";

export const LinodeMachine = kind({
  ...linodeKind,
  kind: "LinodeMachine",
  plural: "linodemachines",
  references: machineReferences,
  shortNames: ["lm"],
  description: "A Linode instance that backs one Machine.",
  columns: [
    clusterNameColumn,
    { name: "State", path: ".status.instanceState" },
    { name: "Ready", path: ".status.ready" },
    { name: "ProviderID", path: ".spec.providerID" },
    { name: "Machine", path: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
  ],
  rules: [nameLength(3, 64), ...instanceLabelRules],
  spec: linodeMachineSpec(),
  status: object({
    ready: defaulted(boolean({ description: "The instance runs and is set up." }), false),
    initialization: optional(initialization()),
    addresses: optional(
      list(
        object(
          {
            type: enumOf(["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"], {
              description: "What kind of address it is.",
            }),
            address: text(256, "The address."),
          },
          { description: "One address." },
        ),
        { description: "Addresses of the instance.", keys: ["address"] },
      ),
    ),
    cloudinitMetadataSupport: defaulted(
      boolean({ description: "Region and image take bootstrap data through the metadata service." }),
      true,
    ),
    instanceState: optional(string({ description: "State reported by Linode." })),
    tags: optional(tagSet("Tags the instance has.")),
    ...failure,
    conditions: optional(conditions()),
  }),
});

/** One LinodeMachine. */
export type LinodeMachine = typeof LinodeMachine.Type;
