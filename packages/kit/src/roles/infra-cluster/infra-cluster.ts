import { Annotation } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import {
  clusterNameOf,
  ClusterResource,
  conditionOf,
  ConditionType,
  infraMachine as machineContract,
  MachineResource,
  ownerOfKind,
  ownerReference,
  valueAt,
} from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted, byText, keyFromText, keyOf, keyText } from "@capstan/kube-values";
import type { Environment, Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Around, ObjectContext, Waiting } from "../../engine/author.ts";
import { contractOfKind } from "../../engine/kind-contract.ts";
import { managedObject } from "../../engine/managed-object.ts";
import { watched } from "../../engine/permissions.ts";
import { LifeReason } from "../../engine/reasons.ts";
import { changesIn } from "../../engine/triggers.ts";
import type { NoUses, Uses } from "../../engine/uses/use.ts";
import { clusterConditions, clusterFactsPatch, clusterProvision } from "./status.ts";
import type { ClusterFacts, ClusterSurroundings, InfraClusterAuthor } from "./author.ts";
import { RoleReason } from "../reasons.ts";
import {
  clusterIndex,
  clusterIndexOf,
  clusterOfInfra,
  infraClustersOf,
  isAdditional,
  isControlPlaneMember,
  vanished,
} from "../relations.ts";
import { clusterChanged } from "../triggers.ts";

const byOwner = (kind: Resource): Source =>
  watchMapped(ClusterResource, (cluster, { cache }) => infraClustersOf(cache, cluster, kind), { when: clusterChanged });

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

/** Those that keep the infrastructure while they are there. */
const byOtherUsers = (kind: Resource, userKind: Resource): Source =>
  watchMapped(userKind, (user, environment) => requestOfMachine(user, environment, kind), {
    when: ({ type }) => type === "deleted",
  });

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
  if (index === undefined) return [];
  const { cache } = environment;
  const cluster = cache.get(ClusterResource, keyFromText(index));
  // A Cluster that was removed by force, or with its namespace, is not there to say which is its infrastructure.
  return cluster === undefined
    ? cache.byIndex(kind, clusterIndex, index).map(keyOf)
    : infraClustersOf(cache, cluster, kind);
};

const byAge = (left: KubeObject, right: KubeObject): number => {
  const [a, b] = [left, right].map(({ metadata }) => `${metadata.creationTimestamp ?? ""}/${metadata.name ?? ""}`);
  return byText(a ?? "", b ?? "");
};

/** This provider's machines of the cluster, the ones that are being deleted too. */
const machinesOf = <M extends KubeObject>(cache: Cache, object: KubeObject, machineKind: Resource<M>): readonly M[] => {
  const name = ownerOfKind(object, ClusterResource)?.name ?? clusterNameOf(object);
  if (name === undefined) return [];
  return cache.byIndex(machineKind, clusterIndex, keyText({ ...keyOf(object), name }));
};

/** Returns whether the server of a machine is known to be gone: its addresses may have been reassigned. */
const isLost = (machine: KubeObject): boolean =>
  conditionOf(machine, ConditionType.ready)?.reason === LifeReason.missing;

const surroundings = <M extends KubeObject>(
  object: KubeObject,
  cache: Cache,
  { kind, machineKind }: { readonly kind: Resource; readonly machineKind: Resource<M> },
): Around<ClusterSurroundings<M>> | undefined => {
  const owner = clusterOfInfra(cache, object, kind);
  if (owner === undefined && !isBeingDeleted(object)) return undefined;
  // Another user looks after it, and fills in what core reads.
  if (object.metadata.annotations?.[Annotation.managedBy] !== undefined) return undefined;
  const cluster = owner ?? vanished(object, ClusterResource, ownerOfKind(object, ClusterResource));
  const machines = machinesOf(cache, object, machineKind);
  const controlPlaneMachines = machines
    .filter((machine) => isControlPlaneMember(cache, machine) && !isBeingDeleted(machine) && !isLost(machine))
    .toSorted(byAge);
  const additional = !isBeingDeleted(object) && isAdditional(cluster, object, kind);
  return {
    cluster: owner,
    clusterName: cluster.metadata.name,
    inputs: [cluster, machines.map(({ metadata }) => metadata.uid).join()],
    more: { cluster, controlPlaneMachines, additional },
  };
};

/** An additional one, which core does not know, belongs to its Cluster all the same: it moves, and goes, with it. */
const belongToCluster = async ({
  additional,
  changes,
  cluster,
  object,
}: ClusterSurroundings & Pick<ObjectContext<KubeObject>, "changes" | "object">): Promise<undefined> => {
  if (!additional || ownerOfKind(object, ClusterResource) !== undefined) return;
  const owner = ownerReference(ClusterResource, cluster, { controller: false, blockOwnerDeletion: true });
  await changes.writeNow({ metadata: { ownerReferences: [...(object.metadata.ownerReferences ?? []), owner] } });
};

/** The infrastructure of a cluster outlives its machines, and what else is in it. */
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
  const { kind, machineKind, otherUsers = [] } = author;
  const users = [machineKind, ...otherUsers];
  const contract = contractOfKind(kind);
  return managedObject<O, Api, ClusterFacts, ClusterSurroundings<M>, never, U>({
    ...author,
    noun: "the infrastructure",
    setup: (cache) => {
      cache.informer(MachineResource);
      for (const each of [kind, ...users]) cache.informer<KubeObject>(each).addIndex(clusterIndex, clusterIndexOf);
    },
    sources: [byOwner(kind), byMachines(kind, machineKind), ...otherUsers.map((each) => byOtherUsers(kind, each))],
    permissions: {
      own: [...users.map((each) => watched(each)), watched(MachineResource), watched(ClusterResource)],
      core: [watched(kind, ["patch", "delete"])],
    },
    around: ({ object, cache }) => surroundings(object, cache, author),
    waits: belongToCluster,
    beforeRemoval: async ({ object, environment: { cache } }) =>
      users
        .map((each) => machinesLeft(machinesOf<KubeObject>(cache, object, each), each))
        .find((waiting) => waiting !== undefined),
    record: (object, facts, { deleting }) => clusterFactsPatch(object, facts, { contract, deleting }),
    provision: clusterProvision,
    conditions: clusterConditions,
  });
};
