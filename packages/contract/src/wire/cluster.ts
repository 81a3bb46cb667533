import type { KubeObject } from "@capstan/schema";
import { Annotation } from "../names.ts";
import { field, flag, integer, listOf, parts, text, textMap } from "./field.ts";
import type { FailureDomain } from "./infra-cluster.ts";
import { endpointField } from "./infra-cluster.ts";

/** Fields of a Cluster (v1beta2) that providers read. */
export const cluster = {
  paused: field("spec.paused", flag),
  endpoint: endpointField("spec.controlPlaneEndpoint"),
  apiServerPort: field("spec.clusterNetwork.apiServerPort", integer),
  serviceCidrs: field("spec.clusterNetwork.services.cidrBlocks", listOf(text)),
  podCidrs: field("spec.clusterNetwork.pods.cidrBlocks", listOf(text)),
  serviceDomain: field("spec.clusterNetwork.serviceDomain", text),
  /** Paths for `readReference`. */
  controlPlaneRefPath: "spec.controlPlaneRef",
  infrastructureRefPath: "spec.infrastructureRef",
  infrastructureProvisioned: field("status.initialization.infrastructureProvisioned", flag),
  controlPlaneInitialized: field("status.initialization.controlPlaneInitialized", flag),
  failureDomains: field(
    "status.failureDomains",
    listOf(parts<FailureDomain>({ name: text, controlPlane: flag, attributes: textMap }, ["name"])),
  ),
};

/** Why a controller must leave the object alone, as its Paused condition says it; empty when it need not. */
export const pauseReasons = (object: KubeObject, owningCluster: KubeObject | undefined): readonly string[] => [
  ...(owningCluster !== undefined && cluster.paused.get(owningCluster) === true
    ? ["Cluster spec.paused is set to true"]
    : []),
  ...(object.metadata.annotations?.[Annotation.paused] === undefined
    ? []
    : [`${object.kind} has the ${Annotation.paused} annotation`]),
];

/** Returns whether a controller must leave the object alone: its Cluster is paused, or the object carries the annotation. */
export const isPaused = (object: KubeObject, owningCluster: KubeObject | undefined): boolean =>
  pauseReasons(object, owningCluster).length > 0;
