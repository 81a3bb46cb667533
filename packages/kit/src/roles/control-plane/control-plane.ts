import type { ControllerV1 } from "@capstan/contract/v1";
import {
  ClusterResource,
  cluster as clusterFields,
  controllerOf,
  controlPlane as wire,
  isControlPlane,
  MachinePoolResource,
} from "@capstan/contract/wire";
import type { Environment, Request, RequestSink, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { groupOf, isBeingDeleted } from "@capstan/kube-values";
import type { ObjectFacts, Observation } from "../../engine/observation.ts";
import { observations } from "../../engine/observation.ts";
import { contractOfKind } from "../../engine/kind-contract.ts";
import { managedObject } from "../../engine/managed-object.ts";
import { permission, watched } from "../../engine/permissions.ts";
import { ObjectSaver } from "../../engine/save/object-saver.ts";
import { externalObjects } from "../../external/external-objects.ts";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { machineSync } from "../../machines/sync.ts";
import type { WorkloadAccount } from "../../workload/workload-account.ts";
import { asAccount, workloadClusters } from "../../workload/workload-clusters.ts";
import { RoleReason } from "../reasons.ts";
import { clusterIndex, clusterIndexOf, referencedRequest } from "../relations.ts";
import { clusterChanged } from "../triggers.ts";
import { advance } from "./advance.ts";
import type { ControlPlaneAuthor } from "./author.ts";
import { controlPlaneConditions } from "./conditions.ts";
import { newsOf } from "./news.ts";
import { removalState, removeAll } from "./removal.ts";
import { statusPatch } from "./status.ts";
import type { Context, ControlPlaneSurroundings } from "./surroundings.ts";
import { surroundings } from "./surroundings.ts";
import type { Shared } from "./turn.ts";
import { turnOf } from "./turn.ts";
import { ControlPlaneReason } from "./reasons.ts";

const { absent, pending, present, removing } = observations();

/** The interval between checks whether workers and Machines are gone, in milliseconds; their events come sooner. */
const removalPollMs = 30_000;

/** The control plane object of a Cluster, if it is of the kind. */
const ofCluster = (cluster: KubeObject | undefined, kind: Resource): readonly Request[] => {
  const request =
    cluster === undefined ? undefined : referencedRequest(cluster, clusterFields.controlPlaneRefPath, kind);
  return request === undefined ? [] : [request];
};

/** The control plane whose Machine it is, or could be; a worker concerns only one that waits for the last of them. */
const ofMachine = (machine: Machine, { cache }: Environment, kind: Resource): readonly Request[] => {
  const { namespace = "" } = machine.metadata;
  const controller = controllerOf(machine);
  if (controller?.kind === kind.kind && groupOf(controller.apiVersion) === kind.group) {
    return [{ namespace, name: controller.name }];
  }
  const requests = ofCluster(cache.get(ClusterResource, { namespace, name: machine.spec.clusterName }), kind);
  if (isControlPlane(machine)) return controller === undefined ? requests : [];
  return requests.filter((request) => {
    const object = cache.get(kind, request);
    return object !== undefined && isBeingDeleted(object);
  });
};

const byConnection = (kind: Resource, account: WorkloadAccount | undefined): Source => ({
  start: (queue: RequestSink, environment, { signal }) => {
    const clusters = environment.findService(workloadClusters);
    const unsubscribe = (clusters && asAccount(clusters, account))?.subscribe((event) => {
      if (event.type !== "connected" && event.type !== "disconnected") return;
      for (const request of ofCluster(environment.cache.get(ClusterResource, event.cluster), kind)) queue.add(request);
    });
    if (unsubscribe !== undefined) signal.addEventListener("abort", unsubscribe, { once: true });
  },
});

/** The verbs of the engine, of which the outside world is the management API. */
const verbsOf = <O extends KubeObject>(shared: Shared<O>) => {
  const { author } = shared;
  const { kind } = author;
  const contract = contractOfKind(kind);

  const record = ({ changes, cluster, round }: Context<O>): void =>
    changes.mergeField(
      statusPatch(kind, contract, {
        object: changes.object,
        machines: round.machines,
        clusterName: cluster.metadata.name ?? "",
        desired: author.desired(changes.object).replicas,
        initialized: round.initialized,
      }),
    );

  const observeRemoval = async (context: Context<O>): Promise<Observation> => {
    const { round } = context;
    const leaving = await removalState(turnOf(shared, context));
    if (leaving.state === "gone") return absent();
    round.deletion = leaving.waiting;
    record(context);
    return leaving.state === "waits"
      ? removing({ ...leaving.waiting, pollMs: removalPollMs })
      : pending(leaving.waiting);
  };

  return {
    observe: async (context: Context<O>): Promise<Observation> => {
      const { round } = context;
      if (isBeingDeleted(context.changes.object)) return observeRemoval(context);
      if (!round.advanced) return pending({ reason: ControlPlaneReason.reconciling, step: "advance" });
      const poll = round.requeueAfterMs === undefined ? {} : { pollMs: round.requeueAfterMs };
      if (round.waiting !== undefined) return pending({ ...round.waiting, ...poll });
      return present(poll);
    },
    advance: async (context: Context<O>): Promise<void> => {
      const { round } = context;
      round.advanced = true;
      try {
        await advance(turnOf(shared, context));
      } finally {
        record(context);
      }
    },
    remove: async (context: Context<O>): Promise<void> => removeAll(turnOf(shared, context)),
  };
};

/**
 * A controller for a control plane kind: it keeps the Machines of a Cluster's control plane as the object wants them, one step after
 * another; see `ControlPlaneAuthor`.
 */
export const controlPlane = <O extends KubeObject>(author: ControlPlaneAuthor<O>): ControllerV1 => {
  const { kind } = author;
  const externals = externalObjects(kind);
  const shared: Shared<O> = {
    author,
    externals,
    sync: machineSync(),
    machineSaver: new ObjectSaver({ kind: Machines }),
  };
  const contract = contractOfKind(kind);
  const fields = wire.for(contract);
  const verbs = verbsOf(shared);
  return managedObject<O, undefined, ObjectFacts, ControlPlaneSurroundings>({
    kind,
    noun: "the control plane",
    finalizer: author.finalizer,
    ...(author.oldFinalizers === undefined ? {} : { oldFinalizers: author.oldFinalizers }),
    ...(author.concurrency === undefined ? {} : { concurrency: author.concurrency }),
    setup: (cache) => cache.informer(Machines).addIndex(clusterIndex, clusterIndexOf),
    sources: [
      watchMapped(Machines, (machine, environment) => ofMachine(machine, environment, kind)),
      watchMapped(ClusterResource, (cluster) => ofCluster(cluster, kind), { when: clusterChanged }),
      byConnection(kind, author.workload),
      externals,
    ],
    permissions: {
      own: [
        watched(Machines, ["get", "list", "create", "patch", "delete"]),
        permission(Machines, ["patch"], { subresource: "status" }),
        watched(ClusterResource),
        permission(MachinePoolResource, ["list"]),
        watched(author.configKind, ["get", "create", "patch"]),
        ...(author.permissions ?? []),
      ],
      core: [watched(kind, ["patch", "delete"])],
    },
    around: ({ object, cache }) => surroundings(object, cache, fields.initialized.get(object) === true),
    waits: ({ cluster }) =>
      clusterFields.infrastructureProvisioned.get(cluster) === true
        ? undefined
        : {
            reason: RoleReason.waitingForClusterInfrastructure,
            message: "the Cluster's infrastructure is not provisioned yet",
          },
    observe: verbs.observe,
    steps: { advance: verbs.advance },
    remove: verbs.remove,
    conditions: (verdict, { changes, clock, round }) =>
      controlPlaneConditions(verdict, {
        object: changes.object,
        round,
        desired: author.desired(changes.object).replicas,
        observed: author.observe !== undefined,
        now: clock.now(),
      }),
    news: newsOf(contract),
    pace: { pendingMs: undefined },
  });
};
