import type { ConditionInput } from "@capstan/contract/wire";
import { firstOf, type Hardware, type OtherHardware, saysFirst, saysSecond } from "@capstan/tinkerbell/api";
import { TinkerbellCondition, TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { hardwareName, hasUserData, isProvisioned } from "./hardware-facts.ts";
import type { WorkflowState } from "./workflow-state.ts";

/** What is known of a machine that has Hardware. */
export interface MachineFacets {
  readonly hardware: Hardware;
  readonly workflow: WorkflowState | undefined;
  /** Whether user data was handed over once. */
  readonly delivered: boolean;
  /** Other Hardware that describes the same machine. */
  readonly others: readonly OtherHardware[];
}

/** What is wrong with Hardware that describes a machine as other Hardware does. */
const doubt = (hardware: Hardware, others: readonly OtherHardware[]): string => {
  if (others.length === 0) return "";
  const first = firstOf(hardware, others);
  return `: ${first === undefined ? saysFirst(hardware, others) : saysSecond(hardware, first)}`;
};

const claimed = ({ hardware, others }: MachineFacets): ConditionInput => ({
  type: TinkerbellCondition.hardwareClaimed,
  status: "True",
  reason: TinkerbellReason.claimed,
  message: `Hardware ${hardwareName(hardware)}${doubt(hardware, others)}`,
});

const userData = ({ delivered, hardware }: MachineFacets): ConditionInput => {
  const type = TinkerbellCondition.userDataDelivered;
  if (hasUserData(hardware)) {
    const message = `spec.userData of Hardware ${hardwareName(hardware)}, until the Node is there`;
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
