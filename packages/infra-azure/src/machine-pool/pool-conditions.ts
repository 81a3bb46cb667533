import type { PoolFacts } from "@capstan/kit/machine";
import type { ConditionInput } from "@capstan/contract/wire";
import { azureMachinePoolConditions, AzureReason } from "../api/azure-conditions.ts";
import type { ServiceState } from "../cluster/cluster-conditions.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";

/** Returns the condition for the state of the scale set, under upstream's name. */
export const setCondition = (state: ServiceState, message = ""): ConditionInput => ({
  ...serviceCondition("ScaleSet", state, message),
  type: azureMachinePoolConditions.scaleSet.type,
});

const replicasCondition = (present: number, replicas: number): ConditionInput => {
  const { type } = azureMachinePoolConditions.desiredReplicas;
  if (present === replicas) return { type, status: "True", reason: AzureReason.desiredReplicas };
  const reason = present < replicas ? AzureReason.scaleUp : AzureReason.scaleDown;
  return { type, status: "False", reason, message: `${present} of ${replicas} machines`, severity: "Info" };
};

const modelCondition = (outdated: number): ConditionInput => {
  const { type } = azureMachinePoolConditions.modelUpdated;
  if (outdated === 0) return { type, status: "True", reason: AzureReason.modelUpdated };
  const message = `${outdated} machines have an outdated template and will be replaced`;
  return { type, status: "False", reason: AzureReason.modelOutOfDate, message, severity: "Info" };
};

/** Returns whether there are as many machines as there are to be, all of the present template. */
export const memberConditions = (
  { members }: Pick<PoolFacts, "members">,
  replicas: number,
): readonly ConditionInput[] => {
  const live = members.filter(({ leaving }) => leaving !== true);
  return [
    replicasCondition(live.length, replicas),
    modelCondition(live.filter(({ upToDate }) => upToDate === false).length),
  ];
};
