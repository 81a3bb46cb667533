import type { ConditionInput } from "@capstan/contract/wire";
import { RoleReason } from "@capstan/kit/machine";
import { linodeMachineConditions, LinodeReason } from "../api/linode-conditions.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { referenceConditions } from "../resource/reference-conditions.ts";
import type { Found } from "../resource/ready-resource.ts";

/** Steps until an instance runs, in order: the condition of each, and its reason when done. */
const checks = {
  bootstrapData: ["PreflightBootstrapDataSecretReady", "BootstrapDataSecretReady"],
  metadata: ["PreflightMetadataSupportConfigured", "LinodeMetadataSupportConfigured"],
  created: ["PreflightCreated", "LinodeMachinePreflightCreated"],
  disks: ["PreflightAdditionalDisksCreated", "AdditionalDisksCreated"],
  configured: ["PreflightConfigured", "LinodeMachinePreflightConfigured"],
  bootTriggered: ["PreflightBootTriggered", "LinodeMachinePreflightBootTriggered"],
  ready: ["PreflightReady", "LinodeMachinePreflightReady"],
} as const;

type Check = keyof typeof checks;

const done = (check: Check): ConditionInput => {
  const [type, reason] = checks[check];
  return { type, status: "True", reason };
};

const open = (
  check: Check,
  { message, reason }: { readonly reason: string; readonly message: string },
): ConditionInput => ({ type: checks[check][0], status: "False", reason, message, severity: "Info" });

/** In order. */
const stages = Object.keys(checks) as readonly Check[];

/** Returns the conditions for the objects that a machine refers to, before its instance is made. */
export const referencesSeen = ({
  firewall,
  vpc,
}: {
  readonly firewall: Found;
  readonly vpc: Found;
}): readonly ConditionInput[] => [
  ...referenceConditions(linodeMachineConditions.firewallReady, firewall),
  ...referenceConditions(linodeMachineConditions.vpcReady, vpc),
];

/** All up to this is done. */
export const doneUpTo = (last: Check): readonly ConditionInput[] => stages.slice(0, stages.indexOf(last) + 1).map(done);

/** Returns the conditions while the machine waits for bootstrap data, and when its instance could not be made. */
export const machineRemarks = ({
  failed,
  message,
  object,
  reason,
}: {
  readonly object: LinodeMachine;
  readonly reason: string;
  readonly message: string;
  readonly failed: boolean;
}): readonly ConditionInput[] => {
  if (reason === RoleReason.waitingForBootstrapData) return [open("bootstrapData", { reason, message })];
  const isMade = (object.spec.providerID ?? "") !== "";
  return failed && !isMade ? [open("created", { reason: LinodeReason.createError, message })] : [];
};
