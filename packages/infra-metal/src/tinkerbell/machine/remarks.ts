import type { ConditionInput } from "@capstan/contract/wire";
import { firstOf, type Hardware, type OtherHardware, saysFirst, saysSecond } from "@capstan/tinkerbell/api";
import { TinkerbellCondition, TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { hardwareName, isProvisioned } from "./hardware-facts.ts";
import type { WorkflowState } from "./workflow-state.ts";

/** Facts about a machine that has Hardware. */
export interface MachineFacets {
  readonly hardware: Hardware;
  readonly workflow: WorkflowState | undefined;
  /** The object with its user data, by kind and name. */
  readonly userDataAt: string | undefined;
  /** True if user data was handed over once. */
  readonly delivered: boolean;
  /** Other Hardware that describes the same machine. */
  readonly others: readonly OtherHardware[];
}

/**
 * Returns a clause about other Hardware that describes the same machine; empty if there is none. For Hardware that counts it leaves out
 * other namespaces, which the condition of the Hardware itself covers: users who may write there cannot cause writes to the machine.
 */
const doubt = (hardware: Hardware, others: readonly OtherHardware[]): string => {
  const first = firstOf(hardware, others);
  if (first !== undefined) return `: ${saysSecond(hardware, first)}`;
  const beside = others.filter((other) => other.hardware.metadata.namespace === hardware.metadata.namespace);
  return beside.length === 0 ? "" : `: ${saysFirst(hardware, beside)}`;
};

const claimed = ({ hardware, others }: MachineFacets): ConditionInput => ({
  type: TinkerbellCondition.hardwareClaimed,
  status: "True",
  reason: TinkerbellReason.claimed,
  message: `Hardware ${hardwareName(hardware)}${doubt(hardware, others)}`,
});

const userData = ({ delivered, hardware, userDataAt }: MachineFacets): ConditionInput => {
  const type = TinkerbellCondition.userDataDelivered;
  if (userDataAt !== undefined) {
    const message = `${userDataAt}, until the Node is there`;
    return { type, status: "True", reason: TinkerbellReason.delivered, message };
  }
  if (isProvisioned(hardware)) return { type, status: "True", reason: TinkerbellReason.wiped };
  const reason = delivered ? TinkerbellReason.userDataMissing : TinkerbellReason.notDelivered;
  return { type, status: "False", reason };
};

const workflowSucceeded = ({ hardware, workflow }: MachineFacets): ConditionInput => {
  const type = TinkerbellCondition.workflowSucceeded;
  if (isProvisioned(hardware)) return { type, status: "True", reason: TinkerbellReason.succeeded };
  if (workflow === undefined) return { type, status: "False", reason: TinkerbellReason.workflowMissing };
  const { message, reason, state } = workflow;
  return state === "succeeded" ? { type, status: "True", reason } : { type, status: "False", reason, message };
};

/** The conditions of a machine that has Hardware. */
export const remarksOn = (facets: MachineFacets): readonly ConditionInput[] => [
  claimed(facets),
  userData(facets),
  workflowSucceeded(facets),
];
