import type { ConditionInput } from "@capstan/contract/wire";
import { bootstrapConfig, infraMachine, machineConditions, v1beta1Parts } from "@capstan/contract/wire";
import { MachineCondition } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import { own } from "@capstan/schema";
import { MachineReason } from "../api.ts";
import { isSet, olderAfter, olderFalse, olderMirror, olderSummary, olderTrue } from "../older/summary.ts";
import type { MachineScope } from "./scope.ts";
import { found } from "./scope.ts";
import type { Node } from "../object/workload-kinds.ts";

/** Why something is not there yet: that it is being deleted outweighs what it waits for. */
const whileWaiting = ({ machine }: Scope, waiting: string): string => (isBeingDeleted(machine) ? "Deleting" : waiting);

type Scope = Pick<MachineScope, "machine" | "bootstrap" | "infrastructure" | "node" | "deletion" | "deletionSteps">;

const { deleting } = MachineReason;

/** Reasons of a deletion that is past the infrastructure, and past the bootstrap config as well. */
const pastBootstrap: readonly string[] = [deleting.deletingNode, deleting.completed];
const pastInfrastructure: readonly string[] = [deleting.waitingForBootstrapDeletion, ...pastBootstrap];

const bootstrapReady = (scope: Scope): readonly ConditionInput[] => {
  const type = machineConditions.bootstrapConfigReady.v1beta1;
  const { machine, bootstrap } = scope;
  if (bootstrap.state === "missing" && pastBootstrap.includes(scope.deletion?.reason ?? "")) {
    return [olderFalse(type, "Info", "Deleted")];
  }
  const external = found(bootstrap);
  if (external === undefined) return [];
  if (machine.spec.bootstrap.dataSecretName !== undefined) return [olderTrue(type)];
  const done = isSet(bootstrapConfig.for(external.contract).dataSecretCreated, external.object);
  return [olderMirror(type, external.object, { done, waiting: whileWaiting(scope, "WaitingForDataSecret") })];
};

const infrastructureReady = (scope: Scope): readonly ConditionInput[] => {
  const type = machineConditions.infrastructureReady.v1beta1;
  if (scope.infrastructure.state === "missing" && pastInfrastructure.includes(scope.deletion?.reason ?? "")) {
    return [olderFalse(type, "Info", "Deleted")];
  }
  const external = found(scope.infrastructure);
  if (external === undefined) return [];
  const done = isSet(infraMachine.for(external.contract).provisioned, external.object);
  return [olderMirror(type, external.object, { done, waiting: whileWaiting(scope, "WaitingForInfrastructure") })];
};

/** Healthy status of each of the Node's own conditions. */
const goodNode: Readonly<Record<string, string>> = {
  Ready: "True",
  MemoryPressure: "False",
  DiskPressure: "False",
  PIDPressure: "False",
};

const nodeConditionsFailed = "NodeConditionsFailed";

const ofNode = (type: string, node: Node): ConditionInput => {
  const conditions = node.status?.conditions ?? [];
  const odd = conditions.filter((each) => (own(goodNode, each.type) ?? each.status) !== each.status);
  const unknown = odd.filter(({ status }) => status === "Unknown");
  const message = odd.map((each) => `Node condition ${each.type} is ${each.status}`).join(". ");
  if (odd.length > unknown.length) return olderFalse(type, "Warning", nodeConditionsFailed, message);
  return unknown.length < Object.keys(goodNode).length
    ? olderTrue(type)
    : { type, status: "Unknown", reason: nodeConditionsFailed, message };
};

const nodeHealthy = ({ machine, node, infrastructure, deletion }: Scope): readonly ConditionInput[] => {
  const type = MachineCondition.nodeHealthy;
  if (isBeingDeleted(machine) && deletion?.reason === deleting.deletingNode) {
    return [olderFalse(type, "Warning", "DeletionFailed")];
  }
  if (machine.spec.providerID === undefined) return [olderFalse(type, "Info", "WaitingForNodeRef")];
  if (node.state === "unreadable") {
    const message = "Failed to get the Node for this Machine by ProviderID";
    return [{ type, status: "Unknown", reason: MachineReason.older.nodeInspectionFailed, message }];
  }
  if (node.state === "missing" && !isBeingDeleted(machine)) {
    return machine.status?.nodeRef === undefined
      ? [olderFalse(type, "Warning", "NodeProvisioning", "Waiting for a node with matching ProviderID to exist")]
      : [olderFalse(type, "Error", MachineReason.older.nodeNotFound)];
  }
  if (node.state !== "found") return [];
  const external = found(infrastructure);
  const leaving = external === undefined || isBeingDeleted(external.object);
  return [leaving ? olderFalse(type, "Info", "Deleting") : ofNode(type, node.node)];
};

/** The conditions that Ready of `v1beta1` is made of, in the order in which they count. */
const counted = v1beta1Parts(machineConditions);

/** While a Machine is made, its steps are counted. */
const madeBySteps = 2;

/** The conditions that clients of API version v1beta1 read; what nothing new is known of stays as it is. */
export const deprecatedMachineConditions = (scope: Scope): readonly ConditionInput[] => {
  const { machine } = scope;
  const inputs = [
    ...bootstrapReady(scope),
    ...infrastructureReady(scope),
    ...nodeHealthy(scope),
    ...scope.deletionSteps.values(),
  ];
  const present = olderAfter(machine, inputs, counted);
  const isMade = isBeingDeleted(machine) || machine.spec.providerID !== undefined || present.length > madeBySteps;
  const onlySteps = present.every(({ type }) => counted.indexOf(type) < madeBySteps);
  const ready = olderSummary(present, { steps: !isMade && onlySteps ? madeBySteps : undefined });
  return [...(ready === undefined ? [] : [ready]), ...inputs];
};
