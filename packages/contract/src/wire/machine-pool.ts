import type { KubeObject } from "@capstan/schema";
import { field, integer, listOf, record, text } from "./field.ts";

/** Fields of a MachinePool (v1beta2) that providers read. */
export const machinePool = {
  clusterName: field("spec.clusterName", text),
  /** Machines wanted. Absent: one. */
  replicas: field("spec.replicas", integer),
  /** Absent: wait. Empty: the bootstrap step is skipped. */
  dataSecretName: field("spec.template.spec.bootstrap.dataSecretName", text),
  /** Paths for `readReference`. */
  bootstrapConfigRefPath: "spec.template.spec.bootstrap.configRef",
  infrastructureRefPath: "spec.template.spec.infrastructureRef",
  /** The template of its machines. */
  machineSpec: field("spec.template.spec", record),
  version: field("spec.template.spec.version", text),
  failureDomains: field("spec.failureDomains", listOf(text)),
  nodeRefs: field("status.nodeRefs", listOf(record)),
};

/** Machines that a MachinePool is to have. */
export const poolReplicas = (pool: KubeObject): number => machinePool.replicas.get(pool) ?? 1;

/** Returns whether every machine of a MachinePool has its Node. */
export const isPoolComplete = (pool: KubeObject): boolean =>
  (machinePool.nodeRefs.get(pool) ?? []).length === poolReplicas(pool);
