import { cluster as clusterFields, controllerOf, machine as machineFields } from "@capstan/contract/wire";
import { unusedEdits, type ReadOnce } from "@capstan/kit/admission";
import type { KubeObject } from "@capstan/schema";
import { Cluster, Machine } from "../api.ts";

/** The first machine of a control plane is set up with the network of the Cluster, and nothing sets up a cluster again. */
const network = (part: string): ReadOnce<KubeObject> => ({
  path: `spec.clusterNetwork.${part}`,
  isRead: (old) => clusterFields.controlPlaneInitialized.get(old) === true,
  because: "a cluster has the network that its first machine began it with; another network takes another Cluster",
});

/** Machines are never upgraded: what makes them replaces them. */
const version: ReadOnce<KubeObject> = {
  path: "spec.version",
  isRead: (old) => controllerOf(old) === undefined && machineFields.dataSecretName.get(old) !== undefined,
  because:
    "nothing upgrades a Machine that no control plane or set makes; create a Machine of the new version beside it, and delete this one once that runs",
};

const byKind: Readonly<Record<string, readonly ReadOnce<KubeObject>[]>> = {
  [Cluster.kind]: ["pods", "services", "serviceDomain", "apiServerPort"].map(network),
  [Machine.kind]: [version],
};

/** A core object whose edits that change nothing are recorded, with warnings of them. */
export const withUnusedEdits = (object: KubeObject, old: KubeObject | undefined) =>
  unusedEdits(object, old, byKind[object.kind] ?? []);
