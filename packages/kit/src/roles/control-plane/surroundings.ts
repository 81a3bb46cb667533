import { ClusterResource, cluster as clusterFields, ownerOfKind } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Around, LifeContext, Waiting } from "../../engine/author.ts";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { isControlledBy } from "../../objects/adopt-orphan.ts";
import { clusterIndex, owningCluster, vanished } from "../relations.ts";
import type { ControlPlaneHealth } from "./author.ts";
import type { Member } from "./member.ts";

/** State of one reconcile of a control plane. */
export interface Round {
  /** Its Machines, those that are being deleted too. */
  machines: readonly Machine[];
  /** The same with what is known about them, oldest first; none before that was read. */
  members: readonly Member[];
  health: ControlPlaneHealth | undefined;
  initialized: boolean;
  /** The step of this reconcile was taken. */
  advanced: boolean;
  /** Why the next Machine is neither made nor deleted. */
  blockers: readonly string[];
  /** Why everything waits. */
  waiting: Waiting | undefined;
  /** Its Machines were let go and deleted, together with the control plane. */
  removed: boolean;
  /** The stage of the deletion. */
  deletion: Waiting | undefined;
  requeueAfterMs: number | undefined;
}

/** The surroundings of a control plane object. */
export interface ControlPlaneSurroundings {
  /** The owning Cluster. */
  readonly cluster: KubeObject;
  readonly round: Round;
}

/** Dependencies of the role. */
export type Context<O extends KubeObject> = LifeContext<O, undefined, ControlPlaneSurroundings>;

/** Every Machine of a Cluster. */
export const machinesOfCluster = (cache: Cache, { metadata }: KubeObject): readonly Machine[] =>
  cache.byIndex(Machines, clusterIndex, keyText({ namespace: metadata.namespace ?? "", name: metadata.name ?? "" }));

/** The Cluster of a control plane and its Machines; nothing while no Cluster owns it, unless it is on its way out. */
export const surroundings = (
  object: KubeObject,
  cache: Cache,
  initialized: boolean,
): Around<ControlPlaneSurroundings> | undefined => {
  const owner = owningCluster(cache, object);
  if (owner === undefined && !isBeingDeleted(object)) return undefined;
  const cluster = owner ?? vanished(object, ClusterResource, ownerOfKind(object, ClusterResource));
  const round: Round = {
    machines: machinesOfCluster(cache, cluster).filter((machine) => isControlledBy(machine, object)),
    members: [],
    health: undefined,
    initialized,
    advanced: false,
    blockers: [],
    waiting: undefined,
    removed: false,
    deletion: undefined,
    requeueAfterMs: undefined,
  };
  return { cluster: owner, clusterName: cluster.metadata.name, more: { cluster, round } };
};

/** Names of the failure domains of a Cluster that take control-plane Machines. */
export const domainsOf = (cluster: KubeObject): readonly string[] =>
  (clusterFields.failureDomains.get(cluster) ?? [])
    .filter(({ controlPlane }) => controlPlane === true)
    .map(({ name }) => name);
