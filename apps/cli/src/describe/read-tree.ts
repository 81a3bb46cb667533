import { CapstanError, isCapstanError } from "@capstan/contract";
import {
  cluster as clusterFields,
  ClusterResource,
  machine as machineFields,
  MachineDeploymentResource,
  MachineHealthCheckResource,
  MachineResource,
  MachineSetResource,
  readReference,
  type ContractReference,
} from "@capstan/contract/wire";
import type { Discovery } from "@capstan/kube";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { clusterTree, isOfCluster, machineTree, type TreeNode } from "./tree.ts";

/** Where objects come from: a list each time, or an informer. */
export interface ObjectSource {
  /** The objects of a kind in the namespace; a kind that the server does not know has none. */
  list(resource: Resource): Promise<readonly KubeObject[]>;
}

const missing = (kind: string, namespace: string, name: string): CapstanError =>
  new CapstanError({
    code: "describe.not_found",
    reason: "NotFound",
    message: `there is no ${kind} ${name} in namespace ${namespace}; choose another with --namespace`,
    retry: { kind: "never" },
  });

const paths: Readonly<Record<string, readonly string[]>> = {
  Cluster: [clusterFields.infrastructureRefPath, clusterFields.controlPlaneRefPath],
  Machine: [machineFields.bootstrapConfigRefPath, machineFields.infrastructureRefPath],
};

const referencesOf = (object: KubeObject): readonly ContractReference[] =>
  (paths[object.kind] ?? []).flatMap((path) => readReference(object, path) ?? []);

const keyOf = (kind: string, group: string, name: string): string => `${kind}.${group}/${name}`;

/** Finds what the objects refer to; every kind is listed once. */
const finder = async (source: ObjectSource, discovery: Discovery, objects: readonly KubeObject[]) => {
  const kinds = Map.groupBy(objects.flatMap(referencesOf), ({ apiGroup, kind }) => `${kind}.${apiGroup}`);
  const found = new Map<string, KubeObject>();
  await Promise.all(
    Array.from(kinds.values(), async ([reference]) => {
      const { apiGroup: group = "", kind = "" } = reference ?? {};
      const resource = await discovery.resourceFor({ group, kind });
      if (resource === undefined) return;
      for (const object of await source.list(resource)) {
        found.set(keyOf(kind, groupOf(object.apiVersion), object.metadata.name ?? ""), object);
      }
    }),
  );
  return ({ apiGroup, kind, name }: ContractReference): KubeObject | undefined =>
    found.get(keyOf(kind, apiGroup, name));
};

const named = (objects: readonly KubeObject[], name: string): KubeObject | undefined =>
  objects.find(({ metadata }) => metadata.name === name);

/** Reads a Cluster, or a Machine, and what belongs to it. Throws `describe.not_found`. */
export const readTree = async (
  source: ObjectSource,
  discovery: Discovery,
  what: { readonly kind: "cluster" | "machine"; readonly namespace: string; readonly name: string },
): Promise<TreeNode> => {
  const machines = await source.list(MachineResource);
  if (what.kind === "machine") {
    const machine = named(machines, what.name);
    if (machine === undefined) throw missing("Machine", what.namespace, what.name);
    return machineTree(machine, { find: await finder(source, discovery, [machine]) });
  }
  const cluster = named(await source.list(ClusterResource), what.name);
  if (cluster === undefined) throw missing("Cluster", what.namespace, what.name);
  const ofCluster = isOfCluster(what.name);
  const members = machines.filter(ofCluster);
  return clusterTree({
    cluster,
    machines: members,
    machineSets: (await source.list(MachineSetResource)).filter(ofCluster),
    machineDeployments: (await source.list(MachineDeploymentResource)).filter(ofCluster),
    healthChecks: (await source.list(MachineHealthCheckResource)).filter(ofCluster),
    find: await finder(source, discovery, [cluster, ...members]),
  });
};

/** A kind that is not served has no objects. */
export const orNone = async <T>(list: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await list;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return [];
    throw error;
  }
};
