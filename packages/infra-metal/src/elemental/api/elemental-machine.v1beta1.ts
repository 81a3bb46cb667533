import {
  boolean,
  defaulted,
  enumOf,
  kind,
  labelSelector,
  list,
  object,
  objectReference,
  optional,
  preserveUnknown,
  string,
  text,
} from "@capstan/schema";
import { componentFields, componentsStatus } from "./components.ts";
import { ageColumn, clusterColumn, elementalKind, readyColumn } from "./names.ts";
import { failureDomainMap, newerStatus, plainConditions, templateMetadata } from "./status-parts.ts";

const elementalMachineSpec = () =>
  object(
    {
      providerID: optional(string({ description: "elemental://<namespace>/<host>; set by the controller." })),
      selector: optional(labelSelector({ description: "Which hosts may be used; all when unset." })),
      hostRef: optional(objectReference({ description: "The host; set by the controller." })),
      osVersionManagement: optional(
        preserveUnknown({ description: "What the OS plugin is to make of the host's operating system." }),
      ),
      ...componentFields(),
    },
    { description: "The host wanted." },
  );

export const ElementalMachine = kind({
  ...elementalKind,
  kind: "ElementalMachine",
  plural: "elementalmachines",
  description: "A host of Elemental that backs one Machine.",
  columns: [
    clusterColumn,
    { name: "Machine", path: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
    { name: "ProviderID", path: ".spec.providerID" },
    readyColumn,
    ageColumn,
  ],
  spec: optional(elementalMachineSpec()),
  status: object({
    ready: defaulted(boolean({ description: "The host is bootstrapped." }), false),
    failureDomains: optional(failureDomainMap()),
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
        { description: "Addresses of the host, as its Node has them.", type: "atomic" },
      ),
    ),
    components: optional(componentsStatus()),
    conditions: optional(plainConditions()),
    ...newerStatus(),
  }),
});

/** One ElementalMachine. */
export type ElementalMachine = typeof ElementalMachine.Type;

export const ElementalMachineTemplate = kind({
  ...elementalKind,
  kind: "ElementalMachineTemplate",
  plural: "elementalmachinetemplates",
  shortNames: ["emt"],
  categories: ["cluster-api"],
  description: "What ElementalMachines are made from.",
  spec: optional(
    object({
      template: object(
        { metadata: optional(templateMetadata("ElementalMachine")), spec: optional(elementalMachineSpec()) },
        { description: "The template." },
      ),
    }),
  ),
});

/** One ElementalMachineTemplate. */
export type ElementalMachineTemplate = typeof ElementalMachineTemplate.Type;
