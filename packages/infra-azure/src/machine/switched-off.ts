import type { MachineFacts, MachineObservation } from "@capstan/kit/machine";
import { failed } from "@capstan/kit/machine";
import { AzureReason } from "../api/azure-conditions.ts";
import { powerOf } from "../bootstrap-check/failed-machine.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { vmCondition } from "./preparation.ts";

const isOff = (power: string | undefined): power is string =>
  power !== undefined && ["stopping", "stopped", "deallocating", "deallocated"].includes(power);

/** A machine that is switched off: by Azure, which takes spot instances back, or by someone; `undefined`: it is not. */
export const switchedOff = (vm: AzureResource, facts: MachineFacts): MachineObservation | undefined => {
  const power = powerOf(vm);
  if (!isOff(power)) return undefined;
  const isEvicted = facts.interruptible === true && power.startsWith("dealloc");
  const what = isEvicted ? "Azure evicted the spot instance" : `the virtual machine is ${power}`;
  const message = `${what}; start it at Azure, or delete the Machine to have it replaced`;
  const reason = isEvicted ? AzureReason.spotEvicted : AzureReason.stopped;
  return failed({ ...facts, reason, message, conditions: [vmCondition("failed", message)] });
};
