import { createHash } from "node:crypto";
import { Annotation } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import {
  bootstrapSecretKeys,
  cluster as clusterFields,
  ClusterResource,
  machine as machineFields,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  ownerOfKind,
  poolReplicas,
} from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted, keyOf, presentFields } from "@capstan/kube-values";
import type { Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { deliveryAnnotation } from "../../delivery/delivery-record.ts";
import type { Around, Handled, LifeContext, ObjectContext, Waiting, Writing } from "../../engine/author.ts";
import { managedObject } from "../../engine/managed-object.ts";
import type { Seen } from "../../engine/observation.ts";
import { watched } from "../../engine/permissions.ts";
import { LifeReason } from "../../engine/reasons.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";
import { clusterOrRecord, clusterRecordPatch, infraClusterAnnotation } from "../infra-machine/cluster-record.ts";
import { reportAsked } from "../infra-machine/report-asked.ts";
import { MachineBootstrap } from "../infra-machine/bootstrap.ts";
import { machineConditions } from "../infra-machine/status.ts";
import { clonedByCore } from "../permissions.ts";
import { RoleEvent, RoleReason } from "../reasons.ts";
import {
  bootstrapSecretVersion,
  clusterIndex,
  clusterIndexOf,
  machineOfPool,
  owningPool,
  vanished,
} from "../relations.ts";
import { storeHolds } from "../infra-machine/store-holds.ts";
import { byCluster, byInfraCluster, byPool } from "../triggers.ts";
import type { InfraMachinePoolAuthor, PoolFacts, PoolObservation, PoolSurroundings } from "./author.ts";
import type { MembersPlace } from "./members.ts";
import { followReplicas, plannedMembers, removeMembers, syncMembers } from "./members.ts";
import type { PoolPlan } from "./plan.ts";
import { planPool } from "./plan.ts";
import { isPoolProvisioned, poolFactsPatch, poolProvision } from "./status.ts";

/** Poll interval of a settled pool. */
const driftMs = 300_000;

const scaleStep = "scale";

/** State of one reconcile, in addition to the object's surroundings. */
interface Found {
  plan: PoolPlan | undefined;
}

type More<C extends KubeObject> = PoolSurroundings<C> & { readonly found: Found };

/** Why no pool may be made yet. */
const notYet = (object: KubeObject, { cluster, machine }: PoolSurroundings): Waiting | undefined => {
  if (isPoolProvisioned(object)) return undefined;
  if (isBeingDeleted(machine)) return { reason: LifeReason.deleting, message: "the MachinePool is being deleted" };
  if (clusterFields.infrastructureProvisioned.get(cluster) !== true) {
    const message = "the Cluster's infrastructure is not provisioned yet";
    return { reason: RoleReason.waitingForClusterInfrastructure, message };
  }
  if (machineFields.dataSecretName.get(machine) === undefined) {
    const message = "MachinePool.spec.template.spec.bootstrap.dataSecretName is not set yet";
    return { reason: RoleReason.waitingForBootstrapData, message };
  }
  return undefined;
};

/** The owners of a pool; while it is being deleted, stand-ins for those that are gone. */
const surroundings = <C extends KubeObject>(
  object: KubeObject,
  cache: Cache,
  clusterKind: Resource<C>,
): Around<More<C>> | undefined => {
  const owner = owningPool(cache, object);
  const name = owner === undefined ? undefined : poolFields.clusterName.get(owner);
  const stand = vanished(object, ClusterResource);
  const { namespace = "" } = object.metadata;
  const seen = cache.get(ClusterResource, { namespace, name: name ?? stand.metadata.name ?? "" });
  if ((owner === undefined || seen === undefined) && !isBeingDeleted(object)) return undefined;
  const pool = owner ?? vanished(object, MachinePoolResource, ownerOfKind(object, MachinePoolResource));
  const machine = machineOfPool(pool);
  const cluster = seen ?? stand;
  const infraCluster = clusterOrRecord(object, { cache, cluster: seen, kind: clusterKind });
  const managedBy = pool.metadata.annotations?.[Annotation.replicasManagedBy];
  return {
    cluster: seen,
    clusterName: cluster.metadata.name,
    inputs: [pool, cluster, infraCluster, bootstrapSecretVersion(cache, machine)],
    ...(infraCluster !== undefined && { follows: [{ kind: clusterKind, object: infraCluster }] }),
    more: {
      pool,
      machine,
      cluster,
      infraCluster,
      controlPlane: false,
      failureDomain: machineFields.failureDomain.get(machine),
      failureDomains: poolFields.failureDomains.get(pool) ?? [],
      version: machineFields.version.get(machine),
      replicas: poolReplicas(pool),
      isScaledElsewhere: managedBy !== undefined && managedBy !== "false",
      found: { plan: undefined },
    },
  };
};

/** Members change with their Machines, and with the objects that stand for them. */
const byMembers = (kind: Resource, machineKind: Resource): readonly Source[] => [
  watchMapped(machineKind, (object) =>
    (object.metadata.ownerReferences ?? [])
      .filter((owner) => owner.kind === kind.kind)
      .map(({ name }) => ({ namespace: object.metadata.namespace ?? "", name })),
  ),
  watchMapped(MachineResource, (machine, { cache }) => {
    const infra = cache.get<KubeObject>(machineKind, keyOf(machine));
    return (infra?.metadata.ownerReferences ?? [])
      .filter((owner) => owner.kind === kind.kind)
      .map(({ name }) => ({ namespace: machine.metadata.namespace ?? "", name }));
  }),
];

type Context<O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>> = LifeContext<
  O,
  Api,
  More<C> & Using<U>
>;

/** A digest of the bootstrap data; a change of the Secret wakes the pool. */
const bootstrapDigest = async <O extends KubeObject>({
  changes,
  environment,
  machine,
  secrets,
}: ObjectContext<O> & PoolSurroundings): Promise<string | undefined> => {
  const name = machineFields.dataSecretName.get(machine) ?? "";
  if (name === "") return undefined;
  const { namespace = "" } = changes.object.metadata;
  const read = await secrets.read({ namespace, name }, keyOf(changes.object), environment);
  const value = read?.data[bootstrapSecretKeys.value];
  return value === undefined ? undefined : createHash("sha256").update(value).digest("hex").slice(0, 40);
};

/** Context of verbs that write, in addition to the delivery of the bootstrap data. */
const writingOf = async <O extends KubeObject>(context: ObjectContext<O> & PoolSurroundings) => {
  const { changes, cluster, environment, infraCluster, pool } = context;
  const report = reportAsked(environment, [changes.object, pool, infraCluster, cluster]);
  return { bootstrapDigest: await bootstrapDigest(context), report };
};

/** Where the members of a pool are; `undefined` where each cannot be deleted alone. */
const membersPlace = <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>(
  { kind, machineKind }: InfraMachinePoolAuthor<O, Api, C, U>,
  { changes, environment, identity, pool }: ObjectContext<O> & PoolSurroundings,
): MembersPlace | undefined =>
  machineKind === undefined
    ? undefined
    : { kind, machineKind, object: changes.object, pool, clusterName: identity.clusterName, environment };

const planOf = <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>(
  author: InfraMachinePoolAuthor<O, Api, C, U>,
  context: ObjectContext<O> & PoolSurroundings,
  { capacity, members }: PoolFacts,
): PoolPlan => {
  const { isScaledElsewhere, replicas } = context;
  if (isScaledElsewhere) return { capacity, remove: [] };
  const place = membersPlace(author, context);
  if (place === undefined) return { capacity: replicas, remove: [] };
  const strategy = author.strategy?.({ object: context.changes.object }) ?? { maxSurge: 1, maxUnavailable: 0 };
  return planPool({ capacity, members: plannedMembers(place, members), replicas, strategy });
};

const observed = async <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>(
  author: InfraMachinePoolAuthor<O, Api, C, U>,
  context: Context<O, Api, C, U>,
): Promise<PoolObservation> => {
  const seen = await author.observe({ ...context, bootstrapDigest: await bootstrapDigest(context) });
  if (seen.state === "absent" || isBeingDeleted(context.object)) return seen;
  const plan = planOf(author, context, seen);
  context.found.plan = plan;
  const mayScale = seen.state === "present" && seen.step === undefined;
  return mayScale && plan.capacity !== seen.capacity ? { ...seen, step: scaleStep } : seen;
};

/** Updates the members to their observed state, and an externally scaled MachinePool to its size. */
const settled = async <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>(
  author: InfraMachinePoolAuthor<O, Api, C, U>,
  context: Context<O, Api, C, U> & { readonly seen: Seen<PoolFacts> },
): Promise<undefined> => {
  const { environment, found, isScaledElsewhere, pool, seen } = context;
  if (seen.state === "failed" && seen.members.length === 0) return;
  const place = membersPlace(author, context);
  if (place !== undefined) await syncMembers(place, seen, found.plan?.remove ?? []);
  if (isScaledElsewhere) await followReplicas(environment, pool, seen.capacity);
};

/** Members go one by one, each drained before; the pool goes when none is left. */
const beforeRemoval = async <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>(
  { machineKind }: InfraMachinePoolAuthor<O, Api, C, U>,
  { changes, environment, identity }: ObjectContext<O>,
): Promise<Waiting | undefined> => {
  if (machineKind === undefined) return undefined;
  const { clusterName } = identity;
  const left = await removeMembers({ machineKind, object: changes.object, clusterName, environment });
  const message = `waiting for ${left} ${machineKind.kind} to be deleted`;
  return left === 0 ? undefined : { reason: RoleReason.waitingForMachines, message };
};

const permissionsOf = <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>({
  clusterKind,
  kind,
  machineKind,
}: InfraMachinePoolAuthor<O, Api, C, U>) => ({
  own: [
    ...[clusterKind, ClusterResource].map((each) => watched(each)),
    watched(MachinePoolResource, [], { patch: "a pool that somebody else scales" }),
    ...(machineKind === undefined
      ? []
      : [watched(MachineResource, ["delete"]), watched(machineKind, ["create", "delete"])]),
  ],
  core: clonedByCore(kind),
});

/** The verbs that write: all of them may hand over the bootstrap data. */
const writingVerbs = <O extends KubeObject, Api, C extends KubeObject, U extends Uses<O>>(
  { create, scale, steps = {} }: InfraMachinePoolAuthor<O, Api, C, U>,
  bootstrap: MachineBootstrap<O, Api, C>,
) => {
  type Here = Context<O, Api, C, U>;
  const withBootstrap = Object.entries(steps).map(([name, step]) => [
    name,
    async (context: Here & Handled) =>
      bootstrap.deliver(context, async (delivery) =>
        step({ ...context, ...(await writingOf(context)), bootstrap: delivery }),
      ),
  ]);
  return {
    create: async (context: Here & Writing): Promise<void> => {
      const { replicas: capacity } = context;
      await bootstrap.deliver(context, async (delivery) =>
        create({ ...context, ...(await writingOf(context)), bootstrap: delivery, capacity }),
      );
      const message = `created the machine pool with ${capacity} machines`;
      context.event({ type: "Normal", reason: RoleEvent.created, message });
    },
    steps: {
      ...(Object.fromEntries(withBootstrap) as Record<string, (context: Here & Handled) => Promise<void>>),
      [scaleStep]: (context: Here & Handled) =>
        scale({ ...context, capacity: context.found.plan?.capacity ?? context.replicas }),
    },
  };
};

/**
 * A controller for an infrastructure machine pool kind, which a MachinePool refers to. The author supplies idempotent verbs for the group of
 * machines as a whole; the role keeps an infrastructure machine for each of them, decides how many there are and which go, rolls out
 * changes within the strategy's bounds, and hands over the bootstrap data, which changes during a pool's life.
 */
export const infraMachinePool = <
  O extends KubeObject,
  Api = undefined,
  C extends KubeObject = KubeObject,
  U extends Uses<O> = NoUses,
>(
  author: InfraMachinePoolAuthor<O, Api, C, U>,
): ControllerV1 => {
  const { clusterKind, connect, formats, kind, machineKind, objectStore } = author;
  const bootstrap = new MachineBootstrap<O, Api, C>(presentFields({ kind, clusterKind, formats, objectStore }));
  const writing = writingVerbs(author, bootstrap);
  return managedObject<O, Api, PoolFacts, More<C>, never, U>({
    ...presentFields({
      concurrency: author.concurrency,
      uses: author.uses,
      connect,
      holdNames: author.holdNames,
      operations: author.operations,
      mark: author.mark,
      stages: author.stages,
    }),
    holds: [...(author.holds ?? []), ...storeHolds(author.objectStore)],
    kind,
    finalizer: author.finalizer,
    noun: "the machine pool",
    setup: (cache) => {
      const kinds = [kind, clusterKind, ...(machineKind === undefined ? [] : [machineKind])];
      for (const each of kinds) cache.informer<KubeObject>(each).addIndex(clusterIndex, clusterIndexOf);
    },
    sources: [
      byPool(kind, poolFields.infrastructureRefPath),
      byCluster(kind),
      byInfraCluster(kind, clusterKind),
      ...(machineKind === undefined ? [] : byMembers(kind, machineKind)),
    ],
    permissions: permissionsOf(author),
    ownAnnotations: [deliveryAnnotation, infraClusterAnnotation, ...(author.ownAnnotations ?? [])],
    around: ({ object, cache }) => surroundings(object, cache, clusterKind),
    waits: (context) => notYet(context.object, context),
    recorded: ({ infraCluster, object }) => clusterRecordPatch(object, infraCluster, author.clusterRecord),
    observe: (context) => observed(author, context),
    ...writing,
    beforeRemoval: async (context) => {
      const waiting = await beforeRemoval(author, context);
      if (waiting === undefined) await bootstrap.beforeRemoval(context);
      return waiting;
    },
    remove: (context) => author.remove(context),
    settled: (context) => settled(author, context),
    forget: (uid) => bootstrap.forget(uid),
    record: (object, facts, options) => poolFactsPatch(object, facts, { ...options, machineKind }),
    provision: poolProvision,
    conditions: machineConditions,
    pace: { driftMs },
  });
};
