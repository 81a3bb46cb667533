import type { ConditionInput, Severity } from "@capstan/contract/wire";
import { drainingNode, MachineCondition } from "@capstan/kit/machines";
import { findCondition } from "@capstan/kit/objects";
import { type Machine, MachineReason } from "../api.ts";
import type { DeletionProgress } from "./scope.ts";

const bad = (type: string, severity: Severity, reason: string, message: string): ConditionInput => ({
  type,
  status: "False",
  severity,
  reason,
  message,
});

const good = (type: string): ConditionInput => ({ type, status: "True", reason: "" });

/** A condition of today under its older type: waiting is information, whatever else the owner reports keeps its reason. */
const mirrored = (machine: Machine, from: string, to: string, waiting: string): readonly ConditionInput[] => {
  const condition = findCondition(machine, from);
  if (condition === undefined) return [];
  if (condition.status === "True") return [good(to)];
  const reasons: Readonly<Record<string, string>> = {
    ObjectDeleted: "Deleted",
    NotReady: waiting,
    ObjectDoesNotExist: waiting,
    InternalError: waiting,
  };
  return [bad(to, "Info", reasons[condition.reason] ?? condition.reason, condition.message)];
};

/** The older reason of what is wrong with a Node that exists. */
const nodeConditionsFailed = "NodeConditionsFailed";

const nodeHealthy = (machine: Machine): readonly ConditionInput[] => {
  const type = MachineCondition.nodeHealthy;
  const condition = findCondition(machine, type);
  const deleting = findCondition(machine, MachineCondition.deleting);
  if (deleting?.status === "True" && deleting.reason === MachineReason.deleting.deletingNode) {
    return [bad(type, "Warning", "DeletionFailed", deleting.message)];
  }
  if (condition === undefined) return [];
  if (condition.status === "True") return [good(type)];
  if (condition.reason === MachineReason.node.deleted) return [bad(type, "Error", "NodeNotFound", condition.message)];
  if (machine.status?.nodeRef === undefined) {
    const reason = machine.spec.providerID === undefined ? "WaitingForNodeRef" : "NodeProvisioning";
    return [bad(type, reason === "WaitingForNodeRef" ? "Info" : "Warning", reason, condition.message)];
  }
  return condition.status === "Unknown"
    ? [{ type, status: "Unknown", reason: nodeConditionsFailed, message: condition.message }]
    : [bad(type, "Warning", nodeConditionsFailed, condition.message)];
};

interface Stage {
  readonly type: string;
  /** Reason of the Deleting condition. */
  readonly reason: string;
  /** Reason of the older condition while the stage lasts. */
  readonly shown: string;
  /** The same once it was tried and failed, where that differs. */
  readonly failed?: string;
}

/** The stages of a deletion that the older generation has conditions for, in their order. */
const stages: readonly Stage[] = [
  {
    type: "PreDrainDeleteHookSucceeded",
    reason: MachineReason.deleting.waitingForPreDrainHook,
    shown: "WaitingExternalHook",
  },
  { type: "DrainingSucceeded", reason: drainingNode, shown: "Draining", failed: "DrainingFailed" },
  {
    type: "VolumeDetachSucceeded",
    reason: MachineReason.deleting.waitingForVolumeDetach,
    shown: "WaitingForVolumeDetach",
  },
  {
    type: "PreTerminateDeleteHookSucceeded",
    reason: MachineReason.deleting.waitingForPreTerminateHook,
    shown: "WaitingExternalHook",
  },
];

const deletionConditions = (machine: Machine, progress: DeletionProgress | undefined): readonly ConditionInput[] => {
  if (machine.metadata.deletionTimestamp === undefined) return [];
  const deleting = findCondition(machine, MachineCondition.deleting);
  // In which stage it failed is not known: what was said of the stages stays.
  if (deleting?.reason === "InternalError") return [];
  const reached = stages.findIndex(({ reason }) => reason === deleting?.reason);
  const begun = machine.status?.deprecated?.v1beta1?.conditions ?? [];
  return stages.flatMap(({ type, shown, failed }, index) => {
    const message = deleting?.message ?? "";
    if (index === reached && failed !== undefined && progress?.failed === true) {
      return [bad(type, "Warning", failed, message)];
    }
    if (index === reached) return [bad(type, "Info", shown, message)];
    const wasWaitedFor = begun.some((condition) => condition.type === type);
    return wasWaitedFor ? [good(type)] : [];
  });
};

/** What a health check and the owner say in the older generation themselves; it counts for Ready. */
const reported = ({ status }: Machine): readonly ConditionInput[] =>
  [MachineCondition.healthCheckSucceeded, MachineCondition.ownerRemediated].flatMap((type) => {
    const found = status?.deprecated?.v1beta1?.conditions?.find((condition) => condition.type === type);
    if (found === undefined || found.status !== "False") return [];
    return [bad(type, (found.severity as Severity | undefined) ?? "Warning", found.reason ?? "", found.message ?? "")];
  });

/** The conditions that clients of API version v1beta1 read, derived from today's. */
export const deprecatedMachineConditions = (
  machine: Machine,
  progress?: DeletionProgress,
): readonly ConditionInput[] => {
  const inputs = [
    ...mirrored(machine, MachineCondition.bootstrapConfigReady, "BootstrapReady", "WaitingForDataSecret"),
    ...mirrored(machine, MachineCondition.infrastructureReady, "InfrastructureReady", "WaitingForInfrastructure"),
  ];
  const first = [...inputs, ...reported(machine)].find(({ status }) => status === "False");
  const deleting = machine.metadata.deletionTimestamp !== undefined;
  const ready = deleting
    ? bad("Ready", "Info", "Deleting", "")
    : first === undefined
      ? good("Ready")
      : { ...first, type: "Ready" };
  return [ready, ...inputs, ...nodeHealthy(machine), ...deletionConditions(machine, progress)];
};
