import type { ControllerPermissionsV1, PermissionV1 } from "@capstan/contract/v1";
import { CustomResourceDefinitionResource, SecretResource } from "@capstan/contract/wire";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { type WorkloadAccount, workloadPermission } from "@capstan/kit/workload";
import type { Resource } from "@capstan/schema";
import {
  Cluster,
  Machine,
  MachineDeployment,
  MachineDrainRule,
  MachineHealthCheck,
  MachinePool,
  MachineSet,
} from "./api.ts";
import { DaemonSets, Namespaces, Nodes, PersistentVolumes, Pods, VolumeAttachments } from "./machine/workload-kinds.ts";

const status = (kind: Resource): PermissionV1 => permission(kind, ["patch"], { subresource: "status" });

/** Whoever names an owner that must not go first needs this where the API server asks for it. */
const owner = (kind: Resource): PermissionV1 =>
  permission(kind, [], {
    subresource: "finalizers",
    rarely: { update: "API servers that enforce permission for owner references that block deletion" },
  });

/**
 * What the core controllers do with the management API. They work on one another's kinds, so they have one list; what they do
 * with a provider's kinds is said by that provider.
 */
export const corePermissions: ControllerPermissionsV1 = {
  own: [
    watched(Cluster, ["patch"], { get: "an object whose Cluster is not seen yet" }),
    watched(MachineDeployment, ["patch", "delete"]),
    watched(MachineHealthCheck, ["patch"]),
    watched(MachinePool, ["patch", "delete"]),
    watched(MachineSet, ["list", "create", "patch", "delete"]),
    watched(Machine, ["list", "create", "patch", "delete"], { get: "a Machine that is not seen yet" }),
    watched(MachineDrainRule),
    ...[Cluster, MachineDeployment, MachinePool, MachineSet, Machine].flatMap((kind) => [status(kind), owner(kind)]),
    status(MachineHealthCheck),
    watched(SecretResource, ["get", "create"]),
    watched(CustomResourceDefinitionResource),
    ...eventPermissions,
  ],
};

/** As whom they work in workload clusters: Nodes follow their Machines, and are drained. */
export const coreAccount: WorkloadAccount = {
  name: "core",
  permissions: [
    workloadPermission(Nodes, ["get", "patch", "delete"]),
    workloadPermission(Pods, ["list", "delete"]),
    workloadPermission(Pods, ["create"], { subresource: "eviction" }),
    workloadPermission(DaemonSets, ["get"]),
    workloadPermission(Namespaces, ["get"]),
    workloadPermission(PersistentVolumes, ["list"]),
    workloadPermission(VolumeAttachments, ["list"]),
  ],
};
