import { Annotation } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import { findCondition, type Machine, MachineCondition } from "@capstan/kit/machines";

export type DeletionOrder = "Random" | "Newest" | "Oldest";

/** Seconds in ten days: after about this age "oldest first" stops telling Machines apart. */
const ageScaleSeconds = 864_000;

const unhealthy = (machine: Machine): boolean =>
  machine.status?.nodeRef === undefined ||
  findCondition(machine, MachineCondition.nodeHealthy)?.status === "False" ||
  findCondition(machine, MachineCondition.healthCheckSucceeded)?.status === "False";

const agePriority = (machine: Machine, order: DeletionOrder, now: number): number => {
  if (order === "Random") return 20;
  const created = Date.parse(machine.metadata.creationTimestamp ?? "");
  if (Number.isNaN(created) || created > now) return order === "Oldest" ? 0 : 50;
  const oldest = 50 * (1 - Math.exp(-(now - created) / 1000 / ageScaleSeconds));
  return order === "Oldest" ? oldest : 50 - oldest;
};

/** Returns a Machine's priority for deletion: 100 is being deleted already, 0 goes last. */
export const deletionPriority = (machine: Machine, order: DeletionOrder, now: number): number => {
  if (machine.metadata.deletionTimestamp !== undefined) return 100;
  if (machine.metadata.annotations?.[Annotation.deleteMachine] !== undefined) return 80;
  if (findCondition(machine, MachineCondition.updating)?.status === "True") return 75;
  if (unhealthy(machine)) return 50;
  return agePriority(machine, order, now);
};

const isUnavailable = (machine: Machine): boolean =>
  findCondition(machine, MachineCondition.available)?.status === "False";

/** Machines in the order in which a scale-down takes them: of equal ones first what no one can use, then by name. */
export const inDeletionOrder = (machines: readonly Machine[], order: DeletionOrder, now: number): readonly Machine[] =>
  machines
    .map((machine) => ({ machine, priority: deletionPriority(machine, order, now), idle: isUnavailable(machine) }))
    .sort(
      (a, b) =>
        b.priority - a.priority ||
        Number(b.idle) - Number(a.idle) ||
        byText(a.machine.metadata.name ?? "", b.machine.metadata.name ?? ""),
    )
    .map(({ machine }) => machine);
