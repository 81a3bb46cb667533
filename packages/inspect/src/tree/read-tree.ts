import { type CapstanError, Group } from "@capstan/contract";
import {
  cluster as clusterFields,
  ClusterResource,
  machine as machineFields,
  machinePool as poolFields,
  MachinePoolResource,
  MachineDeploymentResource,
  MachineHealthCheckResource,
  MachineResource,
  MachineSetResource,
  readReference,
  type ContractReference,
} from "@capstan/contract/wire";
import type { Discovery } from "@capstan/kube";
import { groupOf } from "@capstan/kube-values";
import { type KubeObject, own, type Resource } from "@capstan/schema";
import { notFound } from "./not-found.ts";
import { isOfCluster, objectTree, templatePaths, type TreeNode } from "./tree.ts";

/** Where objects come from: a list each time, or an informer. */
export interface ObjectSource {
  /** The objects of a kind in the namespace; a kind that the server does not know has none. */
  list(resource: Resource): Promise<readonly KubeObject[]>;
}

const missing = ({ kind, namespaced }: Resource, namespace: string, name: string): CapstanError =>
  notFound(`there is no ${kind} ${name}${namespaced ? ` in namespace ${namespace}` : ""}`);

const paths: Readonly<Record<string, readonly string[]>> = {
  Cluster: [clusterFields.infrastructureRefPath, clusterFields.controlPlaneRefPath],
  Machine: [machineFields.bootstrapConfigRefPath, machineFields.infrastructureRefPath],
  MachinePool: [poolFields.bootstrapConfigRefPath, poolFields.infrastructureRefPath],
};

const referencesOf = (object: KubeObject): readonly ContractReference[] =>
  [...(own(paths, object.kind) ?? []), ...templatePaths(object)].flatMap((path) => readReference(object, path) ?? []);

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

const isControlPlane = ({ apiVersion }: KubeObject): boolean => groupOf(apiVersion) === Group.controlPlane;

/** Returns the members of an object's tree: objects of the kinds that Machines and their owners have. */
const membersIn = async (source: ObjectSource, belongs: (object: KubeObject) => boolean) => ({
  machines: (await source.list(MachineResource)).filter(belongs),
  machineSets: (await source.list(MachineSetResource)).filter(belongs),
  machineDeployments: (await source.list(MachineDeploymentResource)).filter(belongs),
  machinePools: (await source.list(MachinePoolResource)).filter(belongs),
  healthChecks: (await source.list(MachineHealthCheckResource)).filter(belongs),
});

/** Reads an object and what belongs to it. Throws `describe.not_found`. */
export const readTree = async (
  source: ObjectSource,
  discovery: Discovery,
  what: { readonly resource: Resource; readonly namespace: string; readonly name: string },
): Promise<TreeNode> => {
  const { resource, namespace, name } = what;
  const object = named(await source.list(resource), name);
  if (object === undefined) throw missing(resource, namespace, name);
  const isCluster = resource.kind === ClusterResource.kind && resource.group === ClusterResource.group;
  const members = await membersIn(source, isCluster ? isOfCluster(name) : () => true);
  const { machineDeployments, machinePools, machines, machineSets } = members;
  const referring = [object, ...machines, ...machineSets, ...machineDeployments, ...machinePools];
  const find = await finder(source, discovery, referring);
  const controlPlanes = referring
    .flatMap(referencesOf)
    .flatMap((reference) => find(reference) ?? [])
    .filter(isControlPlane);
  const findMore = await finder(source, discovery, controlPlanes);
  return objectTree(object, { ...members, find: (reference) => find(reference) ?? findMore(reference) });
};
