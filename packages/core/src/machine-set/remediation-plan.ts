import { Annotation } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import { findCondition, isConditionTrue, type Machine, MachineCondition } from "@capstan/kit/machines";
import { type MachineDeployment, MachineReason } from "../api.ts";
import { resolveIntOrPercent } from "@capstan/kube-values";

/** Plan for the Machines that a health check wants replaced. */
export interface RemediationPlan {
  /** Healthy again before anything was done: they are asked for no longer. */
  readonly recovered: readonly Machine[];
  /** They go anyway, with their set. */
  readonly refused: readonly Machine[];
  /** They wait until fewer are replaced at the same time. */
  readonly deferred: readonly Machine[];
  readonly remediated: readonly Machine[];
}

const isAsked = (machine: Machine): boolean =>
  findCondition(machine, MachineCondition.ownerRemediated)?.status === "False";

const isUnhealthy = (machine: Machine): boolean =>
  isAsked(machine) && findCondition(machine, MachineCondition.healthCheckSucceeded)?.status === "False";

const isForced = ({ metadata }: Machine): boolean => metadata.annotations?.[Annotation.remediateMachine] !== undefined;

const created = ({ metadata }: Machine): number => Date.parse(metadata.creationTimestamp ?? "") || 0;

/** Those a user asks for first, then the newest: they are the least likely to run something. */
const byUrgency = (a: Machine, b: Machine): number =>
  Number(isForced(b)) - Number(isForced(a)) ||
  created(b) - created(a) ||
  byText(a.metadata.name ?? "", b.metadata.name ?? "");

/** Returns the number of Machines of a deployment that may be replaced at the same time; unlimited by default. */
export const maxInFlight = (deployment: MachineDeployment | undefined): number => {
  const limit = deployment?.spec.remediation?.maxInFlight;
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  return resolveIntOrPercent(limit, deployment?.spec.replicas ?? 1, "up");
};

/** Machines that are being deleted already are left alone; those deleted as unhealthy count towards the limit. */
export const planRemediation = (input: {
  readonly machines: readonly Machine[];
  /** The set goes: what it has is not replaced in it. */
  readonly outgoing: boolean;
  readonly maxInFlight: number;
}): RemediationPlan => {
  const staying = input.machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const recovered = staying.filter(
    (machine) => isAsked(machine) && isConditionTrue(machine, MachineCondition.healthCheckSucceeded),
  );
  const unhealthy = staying.filter(isUnhealthy).sort(byUrgency);
  if (input.outgoing) return { recovered, refused: unhealthy, deferred: [], remediated: [] };
  const inFlight = input.machines.filter(
    (machine) =>
      machine.metadata.deletionTimestamp !== undefined &&
      isAsked(machine) &&
      findCondition(machine, MachineCondition.ownerRemediated)?.reason ===
        MachineReason.ownerRemediated.machineDeleting,
  ).length;
  const free = Math.max(input.maxInFlight - inFlight, 0);
  return { recovered, refused: [], deferred: unhealthy.slice(free), remediated: unhealthy.slice(0, free) };
};
