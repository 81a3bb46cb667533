import type { ContractVersion } from "@capstan/contract/wire";
import { conditionOf, ConditionType, controlPlane } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { ReplicasCondition } from "../../machines/condition-names.ts";
import { ControlPlaneCondition, ControlPlaneReason } from "./reasons.ts";

/**
 * Returns the part of a control plane's status that other controllers act on: workers wait for its version, and the Cluster for its API server.
 * Counters and the conditions that summarize its Machines change several times a second while it comes up. Of a control plane that is being
 * deleted, that it waits for workers; its Machines are soon gone.
 */
export const newsOf =
  (contract: ContractVersion) =>
  (object: KubeObject): string | undefined => {
    const fields = controlPlane.for(contract);
    const condition = (type: string) => conditionOf(object, type, contract);
    if (isBeingDeleted(object)) {
      const reason = condition(ReplicasCondition.deleting)?.reason;
      return reason === ControlPlaneReason.waitingForWorkersDeletion ? reason : undefined;
    }
    return JSON.stringify([
      fields.initialized.get(object),
      fields.statusVersion.get(object),
      [ControlPlaneCondition.available, ConditionType.paused].map((type) => condition(type)?.status === "True"),
    ]);
  };
