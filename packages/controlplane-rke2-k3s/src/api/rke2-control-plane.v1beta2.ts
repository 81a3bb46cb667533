import { observedGeneration } from "@capstan/bootstrap-rke2-k3s/spec";
import { clusterNameColumn } from "@capstan/contract/v1";
import { boolean, conditions, kind, object, optional, string, textField, textsField } from "@capstan/schema";
import { rke2ControlPlaneNames } from "./names.ts";
import { rke2ControlPlaneReferences } from "./references.ts";
import { machineTemplate, replicas, rke2ControlPlaneFields, versionPattern } from "./rke2-control-plane-spec.ts";
import { RKE2ControlPlaneV1Beta1 } from "./rke2-control-plane.v1beta1.ts";
import { count, lastRemediation } from "./status-fields.ts";

const condition = (type: string) => `.status.conditions[?(@.type=="${type}")].status`;

export const RKE2ControlPlane = kind({
  ...rke2ControlPlaneNames,
  version: "v1beta2",
  references: rke2ControlPlaneReferences,
  versions: [RKE2ControlPlaneV1Beta1],
  columns: [
    clusterNameColumn,
    { name: "Available", path: condition("Available") },
    { name: "Desired", path: ".spec.replicas", type: "integer" },
    { name: "Current", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
    { name: "Up-to-date", path: ".status.upToDateReplicas", type: "integer" },
    { name: "Paused", path: condition("Paused"), priority: 10 },
    { name: "Initialized", path: ".status.initialization.controlPlaneInitialized", type: "boolean" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.version" },
  ],
  spec: optional(
    object({
      ...rke2ControlPlaneFields(),
      replicas,
      version: string({ description: "Version of RKE2, for example v1.35.4+rke2r1.", ...versionPattern }),
      machineTemplate: machineTemplate(),
    }),
  ),
  status: object({
    conditions: optional(conditions()),
    initialization: optional(
      object(
        { controlPlaneInitialized: optional(boolean({ description: "The API server has answered." })) },
        { description: "What has been reached once.", minProperties: 1 },
      ),
    ),
    availableServerIPs: textsField("Where machines register.", "An address."),
    lastRemediation: lastRemediation("rke2"),
    observedGeneration,
    replicas: count("Servers that exist."),
    readyReplicas: count("Servers that are Ready."),
    availableReplicas: count("Servers that are Available."),
    upToDateReplicas: count("Servers that are as the object wants them."),
    version: textField("Lowest version of a server."),
  }),
});

/** One RKE2ControlPlane. */
export type RKE2ControlPlane = typeof RKE2ControlPlane.Type;
export type RKE2ControlPlaneSpec = NonNullable<RKE2ControlPlane["spec"]>;
