import type { Condition, ConditionInput, SummaryInput } from "@capstan/contract/wire";
import {
  bootstrapConfig,
  conditionOf,
  ConditionType,
  infraMachine,
  machineConditions,
  mirror,
  readyTarget,
  summarize,
  summaryInputs,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { delayCauses, drainingNode, internalError, MachineCondition, readFrom } from "@capstan/kit/machines";
import { type Machine, MachineReason } from "../api.ts";
import { errorOf, missingText } from "../external/observation.ts";
import type { ExternalObservation } from "../external/observation.ts";
import { madeDataSecret } from "./data-secret.ts";
import type { DeletionProgress } from "./scope.ts";

/** BootstrapConfigReady: mirrored from the config, or why there is nothing to mirror. `specPath`: where the spec of the Machine stands. */
export const bootstrapConfigReady = (
  machine: Machine,
  bootstrap: ExternalObservation,
  specPath = "spec",
): ConditionInput => {
  const type = MachineCondition.bootstrapConfigReady;
  if (machine.spec.bootstrap.configRef === undefined) {
    return { type, status: "True", reason: MachineReason.bootstrapConfigReady.dataSecretProvided };
  }
  if (bootstrap.state === "found") {
    const { external } = bootstrap;
    const { object, contract } = external;
    return readFrom(type, () =>
      mirror(conditionOf(object, "Ready", contract), type, {
        initialized: (machine.spec.bootstrap.dataSecretName ?? madeDataSecret(external)) !== undefined,
        kind: object.kind,
        path: bootstrapConfig.for(contract).dataSecretCreated.path,
      }),
    );
  }
  if (bootstrap.state !== "missing") return internalError(type, errorOf(bootstrap));
  const { kind } = bootstrap.reference;
  const existed = machine.status?.initialization?.bootstrapDataSecretCreated === true;
  return isBeingDeleted(machine) && existed
    ? { type, status: "False", reason: MachineReason.bootstrapConfigReady.deleted, message: `${kind} has been deleted` }
    : {
        type,
        status: "False",
        reason: MachineReason.bootstrapConfigReady.doesNotExist,
        message: missingText(bootstrap, `${specPath}.bootstrap.configRef`),
      };
};

/** InfrastructureReady: mirrored from the infrastructure machine, or why there is nothing to mirror. */
export const infrastructureReady = (
  machine: Machine,
  infrastructure: ExternalObservation,
  specPath = "spec",
): ConditionInput => {
  const type = MachineCondition.infrastructureReady;
  if (infrastructure.state === "found") {
    const { object, contract } = infrastructure.external;
    const field = infraMachine.for(contract).provisioned;
    return readFrom(type, () =>
      mirror(conditionOf(object, "Ready", contract), type, {
        initialized: field.get(object) === true,
        kind: object.kind,
        path: field.path,
      }),
    );
  }
  if (infrastructure.state !== "missing") return internalError(type, errorOf(infrastructure));
  const { kind } = infrastructure.reference;
  if (machine.status?.initialization?.infrastructureProvisioned !== true) {
    const message = missingText(infrastructure, `${specPath}.infrastructureRef`);
    return { type, status: "False", reason: MachineReason.infrastructureReady.doesNotExist, message };
  }
  const still = isBeingDeleted(machine) ? "" : ` while the ${machine.kind} still exists`;
  return {
    type,
    status: "False",
    reason: MachineReason.infrastructureReady.deleted,
    message: `${kind} has been deleted${still}`,
  };
};

/**
 * BootstrapSucceeded, where the infrastructure machine has it: for health checks to act on, and no part of Ready, which the Node decides.
 */
export const bootstrapSucceeded = (infrastructure: ExternalObservation): readonly ConditionInput[] => {
  if (infrastructure.state !== "found") return [];
  const type = ConditionType.bootstrapSucceeded;
  const { object, contract } = infrastructure.external;
  const found = conditionOf(object, type, contract);
  return found === undefined ? [] : [{ ...found, type }];
};

export const deletingCondition = (machine: Machine, progress: DeletionProgress | undefined): ConditionInput => {
  if (!isBeingDeleted(machine)) {
    return { type: MachineCondition.deleting, status: "False", reason: MachineReason.deleting.notDeleting };
  }
  return {
    type: MachineCondition.deleting,
    status: "True",
    reason: progress?.reason ?? MachineReason.deleting.deleting,
    message: progress?.message ?? "",
  };
};

const minutes = 60_000;
const slowDeletionMs = 15 * minutes;
const slowDrainMs = 5 * minutes;

/** The line that a deletion is in the Ready condition: its stage, and after a while what delays it. */
const deletionLine =
  (machine: Machine, now: number) =>
  (deleting: Condition): string => {
    const since = Date.parse(machine.metadata.deletionTimestamp ?? "");
    const drainSince = Date.parse(machine.status?.deletion?.nodeDrainStartTime ?? "");
    const stage = `Machine deletion in progress, stage: ${deleting.reason}`;
    if (!(now - since > slowDeletionMs)) return stage;
    const slow = `${stage}; it has been in deletion for more than 15m`;
    if (deleting.reason !== drainingNode || !(now - drainSince > slowDrainMs)) return slow;
    const causes = delayCauses(deleting.message);
    return causes.length === 0 ? slow : `${slow}, delay likely due to ${causes.join(", ")}`;
  };

/** Conditions that a control plane provider sets for the Pods of one machine; they fail together when its Node does. */
const componentTypes: readonly string[] = [
  "APIServerPodHealthy",
  "ControllerManagerPodHealthy",
  "SchedulerPodHealthy",
  "EtcdPodHealthy",
];

const isComponent = ({ type }: { readonly type: string }): boolean => componentTypes.includes(type);

const componentsLine = "Control plane components";

/** Evaluates the gates of a Machine: control-plane components with the same message are merged. */
const gateInputs = (
  machine: Machine,
  conditions: readonly Condition[],
): { readonly conditions: readonly Condition[]; readonly inputs: readonly SummaryInput[] } => {
  const gates = machine.spec.readinessGates ?? [];
  const inputs = gates.map(({ conditionType, polarity }) => ({
    type: conditionType,
    negative: polarity === "Negative",
  }));
  const gated = conditions.filter(
    (condition) => isComponent(condition) && inputs.some(({ type }) => type === condition.type),
  );
  const [first, ...others] = gated;
  const isOne =
    first !== undefined &&
    others.length > 0 &&
    first.status !== "True" &&
    gated.length === inputs.filter(isComponent).length &&
    others.every(({ status, message }) => status === first.status && message === first.message);
  if (!isOne) return { conditions, inputs };
  return {
    conditions: [...conditions, { ...first, type: componentsLine }],
    inputs: [...inputs.filter((input) => !isComponent(input)), { type: componentsLine }],
  };
};

/** Ready, out of the Machine's other conditions and its readiness gates. */
export const readyCondition = (machine: Machine, conditions: readonly Condition[], now: number): ConditionInput => {
  const deleting = isBeingDeleted(machine);
  const gone = new Set<string>([
    MachineReason.infrastructureReady.deleted,
    MachineReason.infrastructureReady.doesNotExist,
    MachineReason.nodeReady.deleted,
    MachineReason.nodeReady.doesNotExist,
  ]);
  const relevant = deleting ? conditions.filter(({ reason }) => !gone.has(reason)) : conditions;
  const gates = gateInputs(machine, relevant);
  const inputs: readonly SummaryInput[] = [
    ...summaryInputs(machineConditions, {
      deleting,
      messages: { [MachineCondition.deleting]: deletionLine(machine, now) },
    }),
    ...gates.inputs,
  ];
  return summarize(gates.conditions, inputs, readyTarget);
};

/** Available: ready for long enough. With `remainingMs` when only time is missing. */
export const availableCondition = (
  machine: Machine,
  ready: Condition | undefined,
  now: number,
): { readonly condition: ConditionInput; readonly remainingMs?: number } => {
  const type = MachineCondition.available;
  if (ready?.status !== "True") {
    return { condition: { type, status: "False", reason: MachineReason.available.notReady } };
  }
  const since = Date.parse(ready.lastTransitionTime);
  const remainingMs = since + (machine.spec.minReadySeconds ?? 0) * 1000 - now;
  return remainingMs <= 0
    ? { condition: { type, status: "True", reason: MachineReason.available.available } }
    : { condition: { type, status: "False", reason: MachineReason.available.waitingForMinReadySeconds }, remainingMs };
};
