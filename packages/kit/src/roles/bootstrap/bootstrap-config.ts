import type { ControllerV1 } from "@capstan/contract/v1";
import {
  cluster as clusterFields,
  ClusterResource,
  machine as machineFields,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  ownerOfKind,
  SecretResource,
} from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import type { Manager, RequestSink, Source } from "@capstan/runtime";
import { watchOwned } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Around } from "../../engine/author.ts";
import { managedObject } from "../../engine/managed-object.ts";
import { initLockPermissions } from "./init-lock.ts";
import { watched } from "../../engine/permissions.ts";
import type { KindAndObject } from "../../engine/kind-and-object.ts";
import type { NoUses, Uses } from "../../engine/uses/use.ts";
import type { WorkloadAccount } from "../../workload/workload-account.ts";
import { asAccount, workloadClusters } from "../../workload/workload-clusters.ts";
import type { BootstrapAuthor } from "./author.ts";
import type { BootstrapSurroundings } from "./data.ts";
import { BootstrapData } from "./data.ts";
import { bootstrapOwnerOf, vanishedOwner } from "./owner.ts";
import type { BootstrapFacts } from "./status.ts";
import { bootstrapConditions, bootstrapFactsPatch } from "./status.ts";
import { completionOf } from "../../machines/completion.ts";
import { completesNewConfigs } from "./new-config.ts";
import { clonedByCore } from "../permissions.ts";
import { clusterIndex, clusterIndexOf, referencedRequest, vanished } from "../relations.ts";
import { byInitLock, LockWaiters } from "./lock-triggers.ts";
import { byCluster, byControlPlane, byMachine, byPool } from "../triggers.ts";

/** Requests for all configs of a Cluster whose workload cluster became reachable. */
const byConnection = (kind: Resource, account: WorkloadAccount | undefined): Source => ({
  start: (queue: RequestSink, environment, { signal }) => {
    const clusters = environment.findService(workloadClusters);
    const unsubscribe = (clusters && asAccount(clusters, account))?.subscribe((event) => {
      if (event.type !== "connected") return;
      const value = keyText(event.cluster);
      for (const config of environment.cache.byIndex(kind, clusterIndex, value)) queue.add(keyOf(config));
    });
    if (unsubscribe !== undefined) signal.addEventListener("abort", unsubscribe, { once: true });
  },
});

/** Control planes of a kind that a Cluster refers to, or that own a Machine: documents have parts of their specs. */
const controlPlanesOf = (
  cache: Cache,
  kind: Resource,
  objects: readonly (KubeObject | undefined)[],
): readonly KindAndObject[] =>
  objects.flatMap((object) => {
    if (object === undefined) return [];
    const named = referencedRequest(object, clusterFields.controlPlaneRefPath, kind);
    const name = named?.name ?? ownerOfKind(object, kind)?.name;
    const found = name && cache.get(kind, { namespace: object.metadata.namespace ?? "", name });
    return found === undefined || found === "" ? [] : [{ kind, object: found }];
  });

/** The owners of a config; while it is being deleted, stand-ins for those that are gone. */
const surroundings = (
  object: KubeObject,
  cache: Cache,
  controlPlane: Resource | undefined,
): Around<BootstrapSurroundings> | undefined => {
  const { cluster, owner } = bootstrapOwnerOf(cache, object);
  const isWhole = owner !== undefined && cluster !== undefined;
  if (!isWhole && !isBeingDeleted(object)) return undefined;
  return {
    cluster,
    clusterName: cluster?.metadata.name,
    follows: controlPlane === undefined ? [] : controlPlanesOf(cache, controlPlane, [cluster, owner?.machine]),
    more: {
      ...(owner ?? vanishedOwner(object)),
      cluster: cluster ?? vanished(object, ClusterResource),
      said: new Map(),
      found: { secret: undefined, refreshed: false, stale: false, removed: false },
    },
  };
};

/** The controller, which also completes configs as they are made, where the author knows how. */
const completing = <O extends KubeObject, U extends Uses<O>>(
  { kind, specAtCreation }: BootstrapAuthor<O, U>,
  configs: ControllerV1,
): ControllerV1 => {
  if (specAtCreation === undefined) return configs;
  return {
    ...configs,
    attach: (manager: Manager) => {
      configs.attach(manager);
      manager.provide(completionOf(kind), completesNewConfigs(specAtCreation, manager));
    },
  };
};

/**
 * A controller for a bootstrap config kind. The author renders the document; the role and the engine own the Secret, its owner
 * reference and labels, the flags of both contracts, conditions, waiting and pausing.
 */
export const bootstrapConfig = <O extends KubeObject, U extends Uses<O> = NoUses>(
  author: BootstrapAuthor<O, U>,
): ControllerV1 => {
  const { concurrency, controlPlane, initLock = false, kind, permissions = [], readyInputs = [] } = author;
  const lockWaiters = new LockWaiters();
  const data = new BootstrapData(author, lockWaiters);
  const finalizer = `${kind.group}/${kind.kind.toLowerCase()}`;
  const configs = managedObject<O, undefined, BootstrapFacts, BootstrapSurroundings, never, U>({
    kind,
    noun: "the bootstrap data",
    // What an author with `remove` held is let go by one without.
    ...(author.remove === undefined ? { oldFinalizers: [finalizer] } : { finalizer }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(author.uses === undefined ? {} : { uses: author.uses }),
    setup: (cache) => cache.informer(kind).addIndex(clusterIndex, clusterIndexOf),
    sources: [
      byMachine(kind, machineFields.bootstrapConfigRefPath),
      byPool(kind, poolFields.bootstrapConfigRefPath),
      byCluster(kind),
      watchOwned(SecretResource, kind),
      byConnection(kind, author.workload),
      ...(controlPlane === undefined ? [] : [byControlPlane(kind, controlPlane)]),
      ...(initLock ? byInitLock(lockWaiters) : []),
    ],
    permissions: {
      own: [
        watched(MachineResource),
        watched(MachinePoolResource),
        watched(ClusterResource),
        watched(SecretResource, ["get", "create"], {
          patch: "a Secret that lost its owner when it was moved, and the data of a MachinePool that is made anew",
        }),
        ...(controlPlane === undefined ? [] : [watched(controlPlane)]),
        ...(initLock ? initLockPermissions : []),
        ...permissions,
      ],
      core: clonedByCore(kind),
    },
    around: ({ object, cache }) => surroundings(object, cache, controlPlane),
    waits: (context) => data.waits(context),
    observe: async (context) => data.observe(context),
    steps: {
      generate: (context) => data.generate(context),
      refresh: (context) => data.refresh(context),
      joined: (context) => data.joined(context),
    },
    remove: (context) => data.remove(context),
    forget: (uid) => data.forget(uid),
    paused: (uid) => data.paused(uid),
    record: (_config, facts) => bootstrapFactsPatch(facts),
    conditions: (verdict, context) => bootstrapConditions(verdict, context, { ...context, readyInputs }),
    pace: { pendingMs: undefined, driftMs: undefined },
  });
  return completing(author, configs);
};
