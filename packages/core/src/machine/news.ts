import { findCondition, MachineCondition } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Machine } from "../api.ts";
import { MachineReason } from "../api.ts";

/** Returns why a Machine stays: for one that is drained or waits for someone, the reason is the first news. */
const whyItStays = (machine: Machine): string | undefined => {
  const reason = findCondition(machine, MachineCondition.deleting)?.reason;
  const { notDeleting, waitingForBootstrapDeletion, waitingForInfrastructureDeletion } = MachineReason.deleting;
  const mayBeSoonOver: readonly unknown[] = [
    notDeleting,
    waitingForBootstrapDeletion,
    waitingForInfrastructureDeletion,
  ];
  return mayBeSoonOver.includes(reason) ? undefined : reason;
};

/**
 * Returns the part of a Machine's status that other controllers act on. The rest is progress, which some Machines pass
 * through within a second. Of a Machine that is being deleted, the reason why it stays; `undefined` if it is soon gone.
 */
export const machineNews = (machine: Machine): string | undefined =>
  isBeingDeleted(machine)
    ? whyItStays(machine)
    : JSON.stringify([
        machine.status?.nodeRef?.name,
        ...[MachineCondition.ready, MachineCondition.available].map(
          (type) => findCondition(machine, type)?.status === "True",
        ),
      ]);
