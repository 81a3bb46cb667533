import { Annotation, Finalizer, isCapstanError, Label, rfc3339 } from "@capstan/contract";
import { type ConditionInput, conditionOf, controlPlane } from "@capstan/contract/wire";
import { drainingNode, internalError, MachineCondition, withStatus } from "@capstan/kit/machines";
import type { WorkloadCluster } from "@capstan/kit/workload";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { Machine, MachineReason } from "../api.ts";
import { defaultNodeDeletionTimeoutSeconds } from "../defaults/defaults.ts";
import { deleteExternal } from "../external/adopt.ts";
import { mayExist } from "../external/observation.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { letGo } from "../object/reconcile-object.ts";
import { byCluster } from "../object/indexes.ts";
import { olderFalse, olderTrue } from "../older/summary.ts";
import {
  isStepDue,
  nodeKeptBecause,
  type NodeKeptBecause,
  preDrainHooks,
  preTerminateHooks,
  timedOut,
} from "./deletion-stage.ts";
import { drainNode } from "./drain.ts";
import { drainMessage } from "./drain-plan.ts";
import type { MachineScope } from "./scope.ts";
import { found } from "./scope.ts";
import { lookForNode, unrecordedNodes } from "./unrecorded-node.ts";
import { unreachableText } from "./unreachable-text.ts";
import { attachedVolumes } from "./volume-detach.ts";
import { Nodes } from "../object/workload-kinds.ts";
import { EventReason } from "../api/event-reasons.ts";

const drainRetryMs = 20_000;
const detachRetryMs = 20_000;
const nodeDeletionRetryMs = 2000;

type DeletionTimes = NonNullable<NonNullable<Machine["status"]>["deletion"]>;

/** A step either lets the deletion continue, or says what is waited for. */
type Verdict = "go-on" | Result;

/** The steps of a deletion that `v1beta1` has conditions for. */
const Step = {
  preDrain: MachineCondition.preDrainHookSucceeded,
  drain: MachineCondition.drainingSucceeded,
  detach: MachineCondition.volumeDetachSucceeded,
  preTerminate: MachineCondition.preTerminateHookSucceeded,
} as const;

/** Says in `v1beta1` how a step is; a step that is done stays so. */
const say = (scope: MachineScope, input: ConditionInput): void => void scope.deletionSteps.set(input.type, input);

const done = (scope: MachineScope, type: string): Verdict => {
  say(scope, olderTrue(type));
  return "go-on";
};

const wait = (scope: MachineScope, reason: string, message: string, result: Result = {}): Verdict => {
  scope.deletion = { reason, message };
  return result;
};

/** Does something, and reports a failure in the Deleting condition and in an Event before it continues its way. */
const announcingFailure = async <T>(
  scope: MachineScope,
  failure: { readonly event: string; readonly reason: string; readonly what: string; readonly step?: string },
  work: () => Promise<T>,
): Promise<T> => {
  const { context, machine } = scope;
  try {
    return await work();
  } catch (error) {
    const { reason, what } = failure;
    scope.deletion = {
      reason,
      message: `${what}: ${internalError(MachineCondition.deleting, error).message}`,
    };
    const message = error instanceof Error ? error.message : String(error);
    if (failure.step !== undefined) say(scope, olderFalse(failure.step, "Warning", "DrainingFailed", message));
    if (!context.signal.aborted) context.events.event(machine, { type: "Warning", reason: failure.event, message });
    throw error;
  }
};

/** Records when a wait began, once. */
const begin = (scope: MachineScope, field: keyof DeletionTimes): string => {
  const startedAt = scope.machine.status?.deletion?.[field] ?? rfc3339(scope.context.clock.now());
  if (scope.machine.status?.deletion?.[field] === undefined) {
    scope.machine = withStatus(scope.machine, {
      deletion: { ...scope.machine.status?.deletion, [field]: startedAt },
    });
  }
  return startedAt;
};

/** Tells why the Node may not be drained and deleted, if it has one. */
const nodeRule = async (scope: MachineScope): Promise<(hasNode: boolean) => NodeKeptBecause | undefined> => {
  const { cluster, context } = scope;
  const clusterDeleting = isBeingDeleted(cluster);
  // With the Cluster, the control plane's provider may be gone already, and nothing depends on what it would say.
  const reference = clusterDeleting ? undefined : cluster.spec.controlPlaneRef;
  const external =
    reference === undefined ? undefined : await scope.externals.find(context, reference, cluster.metadata.namespace);
  const machines = context.cache.byIndex(Machine, byCluster, keyText(keyOf(cluster)));
  const facts = {
    clusterDeleting,
    controlPlaneDeleting: external?.object.metadata.deletionTimestamp !== undefined,
    externalControlPlane:
      external !== undefined &&
      controlPlane.for(external.contract).externalManagedControlPlane.get(external.object) === true,
    liveControlPlaneMachines: machines.filter(isLiveControlPlane).length,
  };
  return (hasNode) => nodeKeptBecause({ ...facts, hasNode });
};

const drain = async (scope: MachineScope, connection: WorkloadCluster | undefined): Promise<Verdict> => {
  const { machine, context } = scope;
  const due = isStepDue(machine, {
    excluded: machine.metadata.annotations?.[Annotation.excludeNodeDraining] !== undefined,
    infrastructureLeaving: isLeaving(scope.infrastructure),
    limitSeconds: machine.spec.deletion?.nodeDrainTimeoutSeconds,
    startedAt: machine.status?.deletion?.nodeDrainStartTime,
    now: context.clock.now(),
  });
  if (!due) return "go-on";
  const startedAt = begin(scope, "nodeDrainStartTime");
  const name = machine.status?.nodeRef?.name ?? "";
  const draining = (message: string): void => say(scope, olderFalse(Step.drain, "Info", "Draining", message));
  draining("Draining the node before deletion");
  if (connection === undefined) {
    const skip = `to delete the Machine without a drain, annotate it with ${Annotation.excludeNodeDraining}`;
    const message = `Drain of Node ${name} waits: ${unreachableText(scope.workload, keyOf(scope.cluster))}; ${skip}`;
    draining(message);
    return wait(scope, drainingNode, message, { requeueAfterMs: drainRetryMs });
  }
  const failure = {
    event: "FailedDrainNode",
    reason: drainingNode,
    what: `Drain of Node ${name} failed`,
    step: Step.drain,
  };
  const remaining = await announcingFailure(scope, failure, async () => {
    const node = await connection.client.find(Nodes, { name });
    return node === undefined
      ? []
      : drainNode({ context, machine, cluster: scope.cluster, client: connection.client, node });
  });
  if (remaining.length > 0) {
    const message = drainMessage(remaining, startedAt);
    draining(message);
    return wait(scope, drainingNode, message, { requeueAfterMs: drainRetryMs });
  }
  context.events.event(machine, {
    type: "Normal",
    reason: EventReason.nodeDrained,
    message: `Node ${name} is drained`,
  });
  return done(scope, Step.drain);
};

const detach = async (scope: MachineScope, connection: WorkloadCluster | undefined): Promise<Verdict> => {
  const { machine, context } = scope;
  const due = isStepDue(machine, {
    excluded: machine.metadata.annotations?.[Annotation.excludeWaitForNodeVolumeDetach] !== undefined,
    infrastructureLeaving: isLeaving(scope.infrastructure),
    limitSeconds: machine.spec.deletion?.nodeVolumeDetachTimeoutSeconds,
    startedAt: machine.status?.deletion?.waitForNodeVolumeDetachStartTime,
    now: context.clock.now(),
  });
  if (!due) return "go-on";
  const startedAt = begin(scope, "waitForNodeVolumeDetachStartTime");
  const name = machine.status?.nodeRef?.name ?? "";
  const again = { requeueAfterMs: detachRetryMs };
  say(scope, olderFalse(Step.detach, "Info", "WaitingForVolumeDetach", "Waiting for node volumes to be detached"));
  if (connection === undefined) {
    const skip = `to delete the Machine without waiting for its volumes, annotate it with ${Annotation.excludeWaitForNodeVolumeDetach}`;
    const message = `Volumes of Node ${name} cannot be read: ${unreachableText(scope.workload, keyOf(scope.cluster))}; ${skip}`;
    return wait(scope, MachineReason.deleting.waitingForVolumeDetach, message, again);
  }
  const failure = {
    event: "FailedWaitForVolumeDetach",
    reason: MachineReason.deleting.waitingForVolumeDetach,
    what: `Volumes of Node ${name} could not be read`,
  };
  const volumes = await announcingFailure(scope, failure, async () => {
    const node = await connection.client.find(Nodes, { name });
    return node === undefined
      ? []
      : attachedVolumes({ context, machine, cluster: scope.cluster, client: connection.client, node });
  });
  if (volumes.length > 0) {
    const message = `Waiting for volumes to be detached from Node ${name} (since ${startedAt}): ${volumes.join(", ")}`;
    return wait(scope, MachineReason.deleting.waitingForVolumeDetach, message, again);
  }
  context.events.event(machine, {
    type: "Normal",
    reason: EventReason.volumesDetached,
    message: `all volumes are detached from Node ${name}`,
  });
  return done(scope, Step.detach);
};

const preDrain = (scope: MachineScope): Verdict => {
  const hooks = preDrainHooks(scope.machine);
  if (hooks.length === 0) return done(scope, Step.preDrain);
  begin(scope, "waitForPreDrainHookStartTime");
  say(scope, olderFalse(Step.preDrain, "Info", "WaitingExternalHook"));
  const message = `Waiting for pre-drain hooks to succeed (hooks: ${hooks.join(",")})`;
  return wait(scope, MachineReason.deleting.waitingForPreDrainHook, message);
};

const preTerminate = (scope: MachineScope): Verdict => {
  const hooks = preTerminateHooks(scope.machine);
  if (hooks.length === 0) return done(scope, Step.preTerminate);
  begin(scope, "waitForPreTerminateHookStartTime");
  say(scope, olderFalse(Step.preTerminate, "Info", "WaitingExternalHook"));
  const message = `Waiting for pre-terminate hooks to succeed (hooks: ${hooks.join(",")})`;
  return wait(scope, MachineReason.deleting.waitingForPreTerminateHook, message);
};

/** Deletes an object the Machine refers to, and waits until it is gone. */
const removeExternal = async (
  scope: MachineScope,
  observation: ExternalObservation,
  reason: string,
): Promise<Verdict> => {
  if (!mayExist(observation)) return "go-on";
  if (observation.state === "unreadable") {
    return wait(
      scope,
      reason,
      `${observation.reference.kind} could not be read: ${internalError(MachineCondition.deleting, observation.error).message}`,
    );
  }
  const { object, contract } = observation.external;
  if (!isBeingDeleted(object)) await deleteExternal(scope.context, observation.external, scope.machine);
  const ready = conditionOf(object, "Ready", contract)?.message ?? "";
  return wait(scope, reason, `Waiting for ${object.kind} to be deleted${ready === "" ? "" : `: ${ready}`}`);
};

/**
 * The time limit counts from the first failure that this process saw: the deletion itself may have taken longer than that before it
 * came to the Node, and a process that has just started is not connected at once.
 */
const removeNode = async (
  scope: MachineScope,
  connection: WorkloadCluster | undefined,
  name: string,
): Promise<Verdict> => {
  const { machine, context, nodeFailures } = scope;
  const uid = machine.metadata.uid ?? "";
  try {
    if (connection === undefined) throw new Error(unreachableText(scope.workload, keyOf(scope.cluster)));
    await connection.client.delete(Nodes, { name });
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return "go-on";
    context.log.warn("the Node could not be deleted", { node: name, error });
    const limit = machine.spec.deletion?.nodeDeletionTimeoutSeconds ?? defaultNodeDeletionTimeoutSeconds;
    const text = error instanceof Error ? error.message : String(error);
    context.events.event(machine, {
      type: "Warning",
      reason: EventReason.nodeNotDeleted,
      message: `Node ${name}: ${text}`,
    });
    const now = context.clock.now();
    const since = nodeFailures.get(uid) ?? now;
    nodeFailures.set(uid, since);
    if (!timedOut(limit, rfc3339(since), now)) {
      return wait(scope, MachineReason.deleting.deletingNode, `Node ${name}: ${text}`, {
        requeueAfterMs: nodeDeletionRetryMs,
      });
    }
  }
  return "go-on";
};

/** The server is off by now: what it has left behind can be told and removed for good, also where it joined at the last moment. */
const removeNodes = async (scope: MachineScope, connection: WorkloadCluster | undefined): Promise<Verdict> => {
  const recorded = scope.machine.status?.nodeRef?.name;
  const late = unrecordedNodes(scope, connection).flatMap(({ metadata }) => metadata.name ?? []);
  for (const name of recorded === undefined ? late : [recorded]) {
    const verdict = await removeNode(scope, connection, name);
    if (verdict !== "go-on") return verdict;
  }
  return "go-on";
};

const release = (scope: MachineScope): Result => {
  scope.deletion = { reason: MachineReason.deleting.completed, message: "Deletion completed" };
  scope.machine = letGo(scope.machine, Finalizer.machine);
  return {};
};

const isLeaving = (infrastructure: ExternalObservation): boolean =>
  infrastructure.state === "missing" || found(infrastructure)?.object.metadata.deletionTimestamp !== undefined;

const isLiveControlPlane = ({ metadata }: Machine): boolean =>
  metadata.deletionTimestamp === undefined && metadata.labels?.[Label.controlPlane] !== undefined;

/**
 * Takes the Machine down in order: hooks, drain, volumes, hooks, infrastructure, bootstrap config, Node, finalizer. Each
 * step waits for its predecessor, so the function can be killed and called again at any point.
 */
export const reconcileDelete = async (scope: MachineScope): Promise<Result> => {
  const begun = { reason: MachineReason.deleting.deleting, message: "" };
  scope.deletion = begun;
  try {
    return await takeDown(scope);
  } catch (error) {
    // A step that knows better has said so.
    if (scope.deletion === begun) scope.deletion = { message: "", ...internalError(MachineCondition.deleting, error) };
    throw error;
  }
};

const takeDown = async (scope: MachineScope): Promise<Result> => {
  const provisioned = scope.cluster.status?.initialization?.infrastructureProvisioned === true;
  const connection = provisioned ? scope.workload.connection(keyOf(scope.cluster)) : undefined;
  lookForNode(scope, connection);
  const nodeKept = await nodeRule(scope);
  const reason = nodeKept(scope.machine.status?.nodeRef !== undefined);
  if (reason !== undefined) scope.context.log.info("the Node is neither drained nor deleted", { reason });
  const withNode = reason === undefined;
  const steps: readonly (() => Verdict | Promise<Verdict>)[] = [
    ...(withNode ? [() => preDrain(scope), () => drain(scope, connection), () => detach(scope, connection)] : []),
    () => preTerminate(scope),
    () => removeExternal(scope, scope.infrastructure, MachineReason.deleting.waitingForInfrastructureDeletion),
    () => removeExternal(scope, scope.bootstrap, MachineReason.deleting.waitingForBootstrapDeletion),
    ...(nodeKept(true) === undefined ? [() => removeNodes(scope, connection)] : []),
  ];
  for (const step of steps) {
    const verdict = await step();
    if (verdict !== "go-on") return verdict;
  }
  return release(scope);
};
