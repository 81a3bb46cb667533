import type { KubeObject } from "@capstan/schema";
import { Label } from "../names.ts";
import { field, flag, text } from "./field.ts";
import { parseAddresses } from "./infra-machine.ts";

/** Fields of a Machine (v1beta2) that providers read. */
export const machine = {
  clusterName: field("spec.clusterName", text),
  /** Absent: wait. Empty: the bootstrap step is skipped. */
  dataSecretName: field("spec.bootstrap.dataSecretName", text),
  /** Paths for `readReference`. */
  bootstrapConfigRefPath: "spec.bootstrap.configRef",
  infrastructureRefPath: "spec.infrastructureRef",
  failureDomain: field("spec.failureDomain", text),
  version: field("spec.version", text),
  providerID: field("spec.providerID", text),
  nodeName: field("status.nodeRef.name", text),
  kubeletVersion: field("status.nodeInfo.kubeletVersion", text),
  addresses: field("status.addresses", parseAddresses),
  /** When the phase changed last, RFC 3339. */
  lastUpdated: field("status.lastUpdated", text),
  infrastructureProvisioned: field("status.initialization.infrastructureProvisioned", flag),
  bootstrapDataSecretCreated: field("status.initialization.bootstrapDataSecretCreated", flag),
};

/** Returns whether a Machine, or an object cloned for one, belongs to the control plane: the label counts, not its value. */
export const isControlPlane = (object: KubeObject): boolean =>
  object.metadata.labels?.[Label.controlPlane] !== undefined;

/** The Cluster an object belongs to, by label, or by a Machine's own field. */
export const clusterNameOf = (object: KubeObject): string | undefined =>
  object.metadata.labels?.[Label.clusterName] ?? machine.clusterName.get(object);
