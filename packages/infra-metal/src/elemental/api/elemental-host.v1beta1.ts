import { Label } from "@capstan/contract";
import { kind, object, objectReference, optional, preserveUnknown, string } from "@capstan/schema";
import { componentsStatus, hostComponents } from "./components.ts";
import { ageColumn, clusterColumn, elementalKind, HostLabel, machineColumn, readyColumn } from "./names.ts";
import { plainConditions } from "./status-parts.ts";

export const ElementalHost = kind({
  ...elementalKind,
  labels: { ...elementalKind.labels, [Label.clusterctl]: "", [Label.move]: "" },
  kind: "ElementalHost",
  plural: "elementalhosts",
  description: "A host that has registered by its agent.",
  columns: [
    clusterColumn,
    machineColumn(HostLabel.machineName),
    { name: "ElementalMachine", path: ".spec.machineRef.name" },
    { name: "Phase", path: ".status.phase" },
    readyColumn,
    ageColumn,
  ],
  spec: optional(
    object(
      {
        bootstrapSecret: optional(objectReference({ description: "Secret with what the host is bootstrapped with." })),
        machineRef: optional(objectReference({ description: "The ElementalMachine that uses the host." })),
        pubKey: optional(string({ description: "PEM of the public key by which the host's agent is known." })),
        osVersionManagement: optional(
          preserveUnknown({ description: "What the OS plugin is to make of the operating system." }),
        ),
        components: optional(hostComponents()),
      },
      { description: "What the host is to be." },
    ),
  ),
  status: object({
    phase: optional(string({ description: "What the agent does." })),
    components: optional(componentsStatus()),
    conditions: optional(plainConditions()),
  }),
});

/** One ElementalHost. */
export type ElementalHost = typeof ElementalHost.Type;
