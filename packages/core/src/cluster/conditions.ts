import {
  type AggregateMember,
  type Condition,
  type ConditionInput,
  type SummaryInput,
  type SummaryTarget,
  ConditionReason,
  ConditionType,
} from "@capstan/contract/wire";
import {
  aggregate,
  conditionOf,
  controlPlane,
  infraCluster,
  mirror,
  subjectLine,
  summarize,
  summaryInputs,
} from "@capstan/contract/wire";
import { Label, rfc3339 } from "@capstan/contract";
import { findCondition, internalError, MachineCondition, readFrom } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import { type KubeObject, own } from "@capstan/schema";
import type { Cluster, Machine } from "../api.ts";
import { ClusterCondition, clusterConditions, ClusterReason } from "../api.ts";
import { errorOf, missingText } from "../external/observation.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { isStandAloneSet } from "./descendants.ts";
import type { ClusterDeletion, Descendants } from "./scope.ts";

/** Returns a mirrored condition when there is nothing to mirror. `field` holds the reference. */
const absent = (
  { type, field }: { readonly type: string; readonly field: string },
  cluster: Cluster,
  observation: Exclude<ExternalObservation, { readonly state: "found" }>,
  known: boolean,
): ConditionInput => {
  if (observation.state !== "missing") return internalError(type, errorOf(observation));
  const { kind } = observation.reference;
  if (!known) {
    return {
      type,
      status: "False",
      reason: ClusterReason.infrastructureReady.doesNotExist,
      message: missingText(observation, field),
    };
  }
  const still = isBeingDeleted(cluster) ? "" : " while the Cluster still exists";
  return {
    type,
    status: "False",
    reason: ClusterReason.infrastructureReady.deleted,
    message: `${kind} has been deleted${still}`,
  };
};

/** Returns the condition for a reference that a topology is to set: no controller of ours creates objects from one. */
const awaited = (type: string, field: string): ConditionInput => ({
  type,
  status: "False",
  reason: ClusterReason.infrastructureReady.doesNotExist,
  message: `${field} is not set, and spec.topology is not acted on here; set ${field}`,
});

/** InfrastructureReady: mirrored from the infrastructure cluster; True without one. */
export const clusterInfrastructureReady = (cluster: Cluster, observation: ExternalObservation): ConditionInput => {
  const type = ClusterCondition.infrastructureReady;
  if (cluster.spec.infrastructureRef === undefined) {
    return cluster.spec.topology === undefined
      ? { type, status: "True", reason: ClusterReason.infrastructureReady.noReference }
      : awaited(type, "spec.infrastructureRef");
  }
  const known = cluster.status?.initialization?.infrastructureProvisioned === true;
  if (observation.state !== "found") {
    return absent({ type, field: "spec.infrastructureRef" }, cluster, observation, known);
  }
  const { object, contract } = observation.external;
  const { provisioned } = infraCluster.for(contract);
  return readFrom(type, () =>
    mirror(conditionOf(object, "Ready", contract), type, {
      initialized: provisioned.get(object) === true,
      kind: object.kind,
      path: provisioned.path,
    }),
  );
};

/** ControlPlaneAvailable: mirrored from the control plane object, or whether the control plane's Machines began. */
export const controlPlaneAvailable = (cluster: Cluster, observation: ExternalObservation): ConditionInput => {
  const type = ClusterCondition.controlPlaneAvailable;
  const initialized = cluster.status?.initialization?.controlPlaneInitialized === true;
  if (cluster.spec.controlPlaneRef === undefined) {
    if (cluster.spec.topology !== undefined) return awaited(type, "spec.controlPlaneRef");
    return initialized
      ? { type, status: "True", reason: ClusterReason.controlPlaneAvailable.available }
      : {
          type,
          status: "False",
          reason: ClusterReason.controlPlaneAvailable.notAvailable,
          message: "Waiting for a control plane Machine to have its Node",
        };
  }
  if (observation.state !== "found") {
    return absent({ type, field: "spec.controlPlaneRef" }, cluster, observation, initialized);
  }
  const { object, contract } = observation.external;
  const field = controlPlane.for(contract).initialized;
  const mirrored = readFrom(type, () =>
    mirror(conditionOf(object, "Available", contract), type, {
      initialized: field.get(object) === true,
      kind: object.kind,
      path: field.path,
    }),
  );
  const reasons: Readonly<Record<string, string>> = {
    [ConditionReason.ready]: ClusterReason.controlPlaneAvailable.available,
    [ConditionReason.notReady]: ClusterReason.controlPlaneAvailable.notAvailable,
  };
  return { ...mirrored, reason: own(reasons, mirrored.reason) ?? mirrored.reason };
};

/** ControlPlaneInitialized: once True it stays; before that, what the control plane object says, as far as it is there and can be read. */
export const controlPlaneInitialized = (cluster: Cluster, observation: ExternalObservation): ConditionInput => {
  const type = ClusterCondition.controlPlaneInitialized;
  const { initialized, notInitialized } = ClusterReason.controlPlaneInitialized;
  if (cluster.status?.initialization?.controlPlaneInitialized === true) {
    return { type, status: "True", reason: initialized };
  }
  const waiting = {
    type,
    status: "False",
    reason: notInitialized,
    message: "Control plane not yet initialized",
  } as const;
  if (observation.state === "unreferenced") {
    return { ...waiting, message: "Waiting for the first control plane machine to have status.nodeRef set" };
  }
  if (observation.state === "missing") {
    const message = missingText(observation, "spec.controlPlaneRef");
    return { type, status: "Unknown", reason: ClusterReason.infrastructureReady.doesNotExist, message };
  }
  if (observation.state !== "found") return internalError(type, errorOf(observation));
  const { object, contract } = observation.external;
  return readFrom(type, () => {
    // What is no flag is an error, whoever asks for it.
    controlPlane.for(contract).initialized.get(object);
    return waiting;
  });
};

export interface ProbeFacts {
  /** When the workload cluster last answered this process, in milliseconds. */
  readonly lastProbeSuccess: number | undefined;
  /** Why no attempt will succeed before somebody changes something. */
  readonly problem?: string | undefined;
  /** When this process began to ask. */
  readonly since: number;
  readonly now: number;
  readonly graceMs: number;
}

const neverConnected = "Remote connection not established yet";

/**
 * RemoteConnectionProbe: whether the workload cluster answers. `undefined`: nothing new to say. A process that has just
 * started believes what the one before it said, for as long as it would believe its own last success.
 */
export const remoteConnectionProbe = (
  cluster: Cluster,
  { lastProbeSuccess, problem, since, now, graceMs }: ProbeFacts,
): ConditionInput | undefined => {
  const type = ClusterCondition.remoteConnectionProbe;
  if (lastProbeSuccess !== undefined && now - lastProbeSuccess <= graceMs) {
    return { type, status: "True", reason: ClusterReason.remoteConnectionProbe.succeeded };
  }
  const { status: known, message: told = "" } = findCondition(cluster, type) ?? {};
  const isTold =
    (known === "False" && problem === undefined && !told.startsWith(`${neverConnected}: `)) ||
    (known === "True" && now - since <= graceMs);
  if (lastProbeSuccess === undefined && isTold) return undefined;
  const failure =
    lastProbeSuccess === undefined
      ? neverConnected
      : `Remote connection probe failed, probe last succeeded at ${rfc3339(lastProbeSuccess)}`;
  const message = problem === undefined ? failure : `${failure}: ${problem}`;
  return { type, status: "False", reason: ClusterReason.remoteConnectionProbe.failed, message };
};

const member = (object: KubeObject, type: string): AggregateMember => ({
  kind: object.kind,
  name: object.metadata.name ?? "",
  controlPlane: false,
  condition: findCondition(object, type),
});

const availableReasons = ({
  available,
  notAvailable,
  unknown,
}: typeof ClusterReason.available): SummaryTarget["reasons"] => ({
  True: available,
  False: notAvailable,
  Unknown: unknown,
});

/** WorkersAvailable, out of the Available of every deployment and pool. */
export const workersAvailable = ({ deployments, pools }: Descendants): ConditionInput =>
  aggregate(
    [...deployments, ...pools].map((group) => member(group, ConditionType.available)),
    {
      source: ConditionType.available,
      target: { type: ClusterCondition.workersAvailable, reasons: availableReasons(ClusterReason.workersAvailable) },
      noneReason: ClusterReason.workersAvailable.noWorkers,
    },
  );

/** Condition types for the Machines of each half of the cluster. */
const machineTypes = {
  ControlPlane: {
    ready: ClusterCondition.controlPlaneMachinesReady,
    upToDate: ClusterCondition.controlPlaneMachinesUpToDate,
  },
  Worker: { ready: ClusterCondition.workerMachinesReady, upToDate: ClusterCondition.workerMachinesUpToDate },
} as const;

/** A Machine this young may lack a condition without anything being wrong. */
const newMachineMs = 10_000;

/**
 * Ready and UpToDate of the Machines of one half of the cluster. UpToDate counts where someone has to report it: for the
 * Machines of a deployment, and for those of a control plane object.
 */
export const machinesConditions = (
  prefix: "ControlPlane" | "Worker",
  machines: readonly Machine[],
  { cluster, now }: { readonly cluster: Cluster; readonly now: number },
): readonly ConditionInput[] => {
  const isNew = ({ metadata }: Machine): boolean => now - Date.parse(metadata.creationTimestamp ?? "") < newMachineMs;
  const isManaged = ({ metadata }: Machine): boolean =>
    prefix === "ControlPlane"
      ? cluster.spec.controlPlaneRef !== undefined
      : metadata.labels?.[Label.deploymentName] !== undefined;
  const judged = machines.filter(
    (machine) =>
      findCondition(machine, MachineCondition.upToDate) !== undefined || (isManaged(machine) && !isNew(machine)),
  );
  const types = machineTypes[prefix];
  const { controlPlaneMachinesReady: ready, controlPlaneMachinesUpToDate: upToDate } = ClusterReason;
  return [
    aggregate(
      machines.map((machine) => member(machine, MachineCondition.ready)),
      {
        source: MachineCondition.ready,
        target: { type: types.ready, reasons: { True: ready.ready, False: ready.notReady, Unknown: ready.unknown } },
        noneReason: ready.noReplicas,
      },
    ),
    aggregate(
      judged.map((machine) => member(machine, MachineCondition.upToDate)),
      {
        source: MachineCondition.upToDate,
        target: {
          type: types.upToDate,
          reasons: { True: upToDate.upToDate, False: upToDate.notUpToDate, Unknown: upToDate.unknown },
        },
        noneReason: upToDate.noReplicas,
      },
    ),
  ];
};

const { rollingOut, scalingUp, scalingDown } = ClusterReason;
const movements = {
  [ClusterCondition.rollingOut]: {
    yes: rollingOut.rollingOut,
    no: rollingOut.notRollingOut,
    unknown: rollingOut.unknown,
  },
  [ClusterCondition.scalingUp]: { yes: scalingUp.scalingUp, no: scalingUp.notScalingUp, unknown: scalingUp.unknown },
  [ClusterCondition.scalingDown]: {
    yes: scalingDown.scalingDown,
    no: scalingDown.notScalingDown,
    unknown: scalingDown.unknown,
  },
} as const;

/**
 * Aggregates RollingOut, ScalingUp or ScalingDown of the control plane object, the deployments, the pools and the
 * stand-alone sets.
 */
export const movement = (
  type: keyof typeof movements,
  controlPlaneObject: ExternalObservation,
  { deployments, pools, sets }: Descendants,
): ConditionInput => {
  const external = controlPlaneObject.state === "found" ? controlPlaneObject.external : undefined;
  const others = type === ClusterCondition.rollingOut ? [] : [...pools, ...sets.filter(isStandAloneSet)];
  const groups = [...deployments, ...others];
  const sources = [
    ...(external === undefined
      ? []
      : [{ object: external.object, condition: conditionOf(external.object, type, external.contract) }]),
    ...groups.map((object) => ({ object, condition: findCondition(object, type) })),
  ];
  const moving = sources.filter(({ condition }) => condition?.status === "True");
  const lines = moving.map(({ object, condition }) =>
    subjectLine(`${object.kind} ${object.metadata.name}`, condition?.message || (condition?.reason ?? "")),
  );
  if (moving.length > 0) return { type, status: "True", reason: movements[type].yes, message: lines.join("\n") };
  return controlPlaneObject.state === "unreadable" || sources.some(({ condition }) => condition?.status === "Unknown")
    ? { type, status: "Unknown", reason: movements[type].unknown }
    : { type, status: "False", reason: movements[type].no };
};

export const clusterDeleting = (cluster: Cluster, deletion: ClusterDeletion | undefined): ConditionInput => {
  const type = ClusterCondition.deleting;
  if (!isBeingDeleted(cluster)) return { type, status: "False", reason: ClusterReason.deleting.notDeleting };
  return deletion === undefined
    ? { ...internalError(type), status: "True" }
    : { type, status: "True", reason: deletion.reason, message: deletion.message };
};

/** Available, out of the Cluster's other conditions and its availability gates. */
export const clusterAvailable = (cluster: Cluster, conditions: readonly Condition[]): ConditionInput => {
  const leaving = isBeingDeleted(cluster);
  const gone: readonly string[] = [
    ClusterReason.infrastructureReady.deleted,
    ClusterReason.infrastructureReady.doesNotExist,
  ];
  const relevant = leaving ? conditions.filter(({ reason }) => !gone.includes(reason)) : conditions;
  const inputs: readonly SummaryInput[] = [
    ...summaryInputs(clusterConditions, { deleting: leaving }),
    ...(cluster.spec.availabilityGates ?? []).map(({ conditionType, polarity }) => ({
      type: conditionType,
      negative: polarity === "Negative",
    })),
  ];
  return summarize(relevant, inputs, {
    type: ClusterCondition.available,
    reasons: availableReasons(ClusterReason.available),
  });
};
