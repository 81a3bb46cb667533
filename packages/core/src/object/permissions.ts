import type { PermissionV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { permission, watched } from "@capstan/kit";
import type { Resource } from "@capstan/schema";
import { Cluster, Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet } from "../api.ts";

/**
 * Permissions that every controller of this package needs: the kinds of `declareIndexes`, Clusters, and the definitions
 * of providers' kinds.
 */
export const lookups: readonly PermissionV1[] = [
  ...[Cluster, Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet].map((kind) => watched(kind)),
  watched(CustomResourceDefinitionResource),
];

/** Saving the objects of the controller's own kind. */
export const reconciled = (kind: Resource): readonly PermissionV1[] => [
  permission(kind, ["patch"], { rarely: { get: "an object that is gone when it is written" } }),
  permission(kind, ["patch"], { subresource: "status" }),
];

/** Reading the Cluster of an object, for `namedCluster`. */
export const clusterOfObject: readonly PermissionV1[] = [
  permission(Cluster, [], { rarely: { get: "an object whose Cluster is not seen yet" } }),
];

/** Whoever names an owner that must not go first needs this where the API server asks for it. */
export const owner = (kind: Resource): PermissionV1 =>
  permission(kind, [], {
    subresource: "finalizers",
    rarely: { update: "API servers that enforce permission for owner references that block deletion" },
  });
