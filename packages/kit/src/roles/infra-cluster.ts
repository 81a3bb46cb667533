import { Annotation } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import {
  cluster as clusterFields,
  ClusterResource,
  infraMachine as machineContract,
  MachineResource,
  ownerOfKind,
  valueAt,
} from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted, byText, keyOf, keyText } from "@capstan/kube-values";
import type { Environment, Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Around, Waiting } from "../engine/author.ts";
import { contractOfKind } from "../engine/kind-contract.ts";
import { managedObject } from "../engine/managed-object.ts";
import { watched } from "../engine/permissions.ts";
import { changesIn } from "../engine/triggers.ts";
import type { NoUses, Uses } from "../engine/uses/use.ts";
import { clusterConditions, clusterFactsPatch, clusterProvision } from "./cluster-status.ts";
import type { ClusterFacts, ClusterSurroundings, InfraClusterAuthor } from "./infra-cluster-author.ts";
import { RoleReason } from "./reasons.ts";
import {
  clusterIndex,
  clusterIndexOf,
  isControlPlaneMember,
  owningCluster,
  referencedRequest,
  vanished,
} from "./relations.ts";
import { clusterChanged } from "./triggers.ts";

const byOwner = (kind: Resource): Source =>
  watchMapped(
    ClusterResource,
    (cluster) => {
      const request = referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
      return request === undefined ? [] : [request];
    },
    { when: clusterChanged },
  );

const json = (object: KubeObject, path: string): string | undefined => JSON.stringify(valueAt(object, path));

/** The provider's own machines: the control plane's members and their addresses, and every one that goes away. */
const byMachines = (kind: Resource, machineKind: Resource): Source =>
  watchMapped(
    machineKind,
    (machine, environment) =>
      isControlPlaneMember(environment.cache, machine) || isGone(environment, machineKind, machine)
        ? requestOfMachine(machine, environment, kind)
        : [],
    { when: (event) => event.type === "deleted" || memberChanged(event) },
  );

const isGone = ({ cache }: Environment, kind: Resource, machine: KubeObject): boolean =>
  cache.get(kind, keyOf(machine)) === undefined;

const memberChanged = changesIn(
  (machine) => machine.metadata.deletionTimestamp,
  (machine) => json(machine, "metadata.ownerReferences"),
  (machine) => json(machine, "status.addresses"),
  (machine) => machineContract.for("v1beta2").provisioned.get(machine),
  (machine) => json(machine, "status.conditions"),
);

const requestOfMachine = (machine: KubeObject, environment: Environment, kind: Resource): readonly Request[] => {
  const [index] = clusterIndexOf(machine);
  const [namespace = "", name = ""] = index?.split("/") ?? [];
  const cluster = environment.cache.get(ClusterResource, { namespace, name });
  const request =
    cluster === undefined ? undefined : referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
  return request === undefined ? [] : [request];
};

const byAge = (left: KubeObject, right: KubeObject): number => {
  const [a, b] = [left, right].map(({ metadata }) => `${metadata.creationTimestamp ?? ""}/${metadata.name ?? ""}`);
  return byText(a ?? "", b ?? "");
};

/** This provider's machines of the cluster, the ones that are being deleted too. */
const machinesOf = <M extends KubeObject>(cache: Cache, object: KubeObject, machineKind: Resource<M>): readonly M[] => {
  const owner = ownerOfKind(object, ClusterResource);
  if (owner === undefined) return [];
  return cache.byIndex(machineKind, clusterIndex, keyText({ ...keyOf(object), name: owner.name }));
};

const surroundings = <M extends KubeObject>(
  object: KubeObject,
  cache: Cache,
  machineKind: Resource<M>,
): Around<ClusterSurroundings<M>> | undefined => {
  const owner = owningCluster(cache, object);
  if (owner === undefined && !isBeingDeleted(object)) return undefined;
  // Somebody else looks after it, and fills in what core reads.
  if (object.metadata.annotations?.[Annotation.managedBy] !== undefined) return undefined;
  const cluster = owner ?? vanished(object, ClusterResource, ownerOfKind(object, ClusterResource));
  const machines = machinesOf(cache, object, machineKind);
  const controlPlaneMachines = machines
    .filter((machine) => isControlPlaneMember(cache, machine) && !isBeingDeleted(machine))
    .toSorted(byAge);
  return {
    cluster: owner,
    clusterName: cluster.metadata.name,
    inputs: [cluster, machines.map(({ metadata }) => metadata.uid).join()],
    more: { cluster, controlPlaneMachines },
  };
};

/** The infrastructure of a cluster outlives its machines. */
const machinesLeft = (machines: readonly KubeObject[], machineKind: Resource): Waiting | undefined => {
  if (machines.length === 0) return undefined;
  const names = machines.slice(0, 3).map((machine) => machine.metadata.name);
  const message = `waiting for ${machines.length} ${machineKind.kind} to be deleted first: ${names.join(", ")}${machines.length > 3 ? ", ..." : ""}`;
  return { reason: RoleReason.waitingForMachines, message };
};

/** A controller for an infrastructure cluster kind; see `infraMachine`. */
export const infraCluster = <
  O extends KubeObject,
  Api = undefined,
  M extends KubeObject = KubeObject,
  U extends Uses<O> = NoUses,
>(
  author: InfraClusterAuthor<O, Api, M, U>,
): ControllerV1 => {
  const { kind, machineKind } = author;
  const contract = contractOfKind(kind);
  return managedObject<O, Api, ClusterFacts, ClusterSurroundings<M>, never, U>({
    ...author,
    noun: "the infrastructure",
    setup: (cache) => {
      cache.informer(MachineResource);
      cache.informer(machineKind).addIndex(clusterIndex, clusterIndexOf);
    },
    sources: [byOwner(kind), byMachines(kind, machineKind)],
    permissions: {
      own: [watched(machineKind), watched(MachineResource), watched(ClusterResource)],
      core: [watched(kind, ["patch", "delete"])],
    },
    around: ({ object, cache }) => surroundings(object, cache, machineKind),
    beforeRemoval: async ({ object, environment: { cache } }) =>
      machinesLeft(machinesOf(cache, object, machineKind), machineKind),
    record: (object, facts, { deleting }) => clusterFactsPatch(object, facts, { contract, deleting }),
    provision: clusterProvision,
    conditions: clusterConditions,
  });
};
