import type { ControllerV1 } from "@capstan/contract/v1";
import {
  cluster as clusterFields,
  ClusterResource,
  infraMachine as fields,
  isControlPlane,
  machine as machineFields,
  MachineResource,
  ownerOfKind,
} from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Around, Waiting } from "../../engine/author.ts";
import { managedObject } from "../../engine/managed-object.ts";
import { watched } from "../../engine/permissions.ts";
import type { NoUses, Uses } from "../../engine/uses/use.ts";
import { deliveryAnnotation } from "../../delivery/delivery-record.ts";
import { reportRecordAnnotation } from "../../report/report-record.ts";
import type { InfraMachineAuthor, MachineFacts, MachineSurroundings } from "./author.ts";
import { clusterOrRecord, clusterRecordPatch, infraClusterAnnotation } from "./cluster-record.ts";
import { leftoverController } from "./leftover-controller.ts";
import { MachineBootstrap } from "./bootstrap.ts";
import { reportPermissions } from "./report.ts";
import { factsPatch, machineConditions, machineProvision, wasCreated } from "./status.ts";
import { isClusterProvisioned } from "../infra-cluster/status.ts";
import { clonedByCore } from "../permissions.ts";
import { RoleReason } from "../reasons.ts";
import {
  bootstrapSecretVersion,
  clusterIndex,
  clusterIndexOf,
  isAdditional,
  relationsOf,
  vanished,
} from "../relations.ts";
import { storeHolds } from "./store-holds.ts";
import { byCluster, byInfraCluster, byMachine, missingConfig } from "../triggers.ts";
import { LifeReason } from "../../engine/reasons.ts";

/** Poll interval of a settled server without an inventory. */
const driftMs = 300_000;

/** Why no server may be made yet. */
const notYet = (
  object: KubeObject,
  { cluster, infraCluster, machine }: MachineSurroundings,
  clusterKind: Resource,
): Waiting | undefined => {
  if (wasCreated(object)) return undefined;
  if (isBeingDeleted(machine)) return { reason: LifeReason.deleting, message: "the Machine is being deleted" };
  if (clusterFields.infrastructureProvisioned.get(cluster) !== true) {
    const message = "the Cluster's infrastructure is not provisioned yet";
    return { reason: RoleReason.waitingForClusterInfrastructure, message };
  }
  if (
    infraCluster !== undefined &&
    isAdditional(cluster, infraCluster, clusterKind) &&
    !isClusterProvisioned(infraCluster)
  ) {
    const message = `${clusterKind.kind} ${infraCluster.metadata.name} is not provisioned yet`;
    return { reason: RoleReason.waitingForClusterInfrastructure, message };
  }
  if (machineFields.dataSecretName.get(machine) === undefined) {
    const message = missingConfig(machine) ?? "Machine.spec.bootstrap.dataSecretName is not set yet";
    return { reason: RoleReason.waitingForBootstrapData, message };
  }
  return undefined;
};

/** The owners of a machine; while it is being deleted, stand-ins for those that are gone. */
const surroundings = <C extends KubeObject>(
  object: KubeObject,
  cache: Cache,
  clusterKind: Resource<C>,
): Around<MachineSurroundings<C>> | undefined => {
  const found = relationsOf(cache, object);
  const isWhole = found.machine !== undefined && found.cluster !== undefined;
  if (!isWhole && !isBeingDeleted(object)) return undefined;
  const machine = found.machine ?? vanished(object, MachineResource, ownerOfKind(object, MachineResource));
  const cluster = found.cluster ?? vanished(object, ClusterResource);
  const infraCluster = clusterOrRecord(object, { cache, cluster: found.cluster, kind: clusterKind });
  const secret = wasCreated(object) ? undefined : bootstrapSecretVersion(cache, machine);
  return {
    cluster: found.cluster,
    clusterName: cluster.metadata.name,
    inputs: [machine, cluster, infraCluster, secret],
    ...(infraCluster !== undefined && { follows: [{ kind: clusterKind, object: infraCluster }] }),
    more: {
      machine,
      cluster,
      infraCluster,
      controlPlane: isControlPlane(machine) || isControlPlane(object),
      failureDomain: machineFields.failureDomain.get(machine),
      version: machineFields.version.get(machine),
    },
  };
};

/**
 * A controller for an infrastructure machine kind. The author supplies idempotent verbs; the role and the engine own everything else
 * that Cluster API asks of a provider. Objects for which nothing was ever requested carry no finalizer.
 */
export const infraMachine = <
  O extends KubeObject,
  Api = undefined,
  Item = never,
  C extends KubeObject = KubeObject,
  U extends Uses<O> = NoUses,
  S extends string = string,
>(
  author: InfraMachineAuthor<O, Api, Item, C, U, S>,
): ControllerV1 => {
  const { clusterKind, kind } = author;
  const bootstrap = new MachineBootstrap(author);
  const machines = managedObject<O, Api, MachineFacts, MachineSurroundings<C>, Item, U>({
    ...author,
    noun: "the server",
    holds: [...(author.holds ?? []), ...storeHolds(author.objectStore)],
    setup: (cache) => {
      for (const each of [kind, clusterKind]) cache.informer<KubeObject>(each).addIndex(clusterIndex, clusterIndexOf);
    },
    sources: [byMachine(kind, machineFields.infrastructureRefPath), byCluster(kind), byInfraCluster(kind, clusterKind)],
    permissions: {
      own: [
        ...[clusterKind, MachineResource, ClusterResource].map((watchedKind) => watched(watchedKind)),
        ...(author.report === undefined ? [] : reportPermissions),
      ],
      core: clonedByCore(kind),
    },
    ownAnnotations: [
      deliveryAnnotation,
      reportRecordAnnotation,
      infraClusterAnnotation,
      ...(author.ownAnnotations ?? []),
    ],
    around: ({ object, cache }) => surroundings(object, cache, clusterKind),
    waits: (context) => notYet(context.object, context, clusterKind),
    recorded: ({ infraCluster, object }) => clusterRecordPatch(object, infraCluster, author.clusterRecord),
    recordedID: (object) => fields.for("v1beta2").providerID.get(object),
    create: (context) => bootstrap.create(context, (delivery) => author.create({ ...context, bootstrap: delivery })),
    beforeRemoval: (context) => bootstrap.beforeRemoval(context),
    settled: (context) => bootstrap.settled(context),
    underway: (context) => bootstrap.underway(context),
    forget: (uid) => bootstrap.forget(uid),
    record: factsPatch,
    provision: machineProvision,
    conditions: (verdict, context) => {
      const said = machineConditions(verdict, context);
      if (author.remarks === undefined || verdict.ready || said.length === 0) return said;
      const { failure, message, reason } = verdict;
      return [...said, ...author.remarks({ object: context.object, reason, message, failed: failure !== undefined })];
    },
    pace: { driftMs },
  });
  return author.objectStore === undefined ? machines : together(machines, leftoverController(kind));
};

/** Two controllers that only come together. */
const together = (first: ControllerV1, second: ControllerV1): ControllerV1 => ({
  ...first,
  permissions: {
    ...first.permissions,
    own: [...(first.permissions?.own ?? []), ...(second.permissions?.own ?? [])],
  },
  attach: (manager, place) => {
    first.attach(manager, place);
    second.attach(manager, place);
  },
});
