import type { Stage } from "@capstan/kit/machine";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { wantedDisks } from "./disks.ts";

const making: readonly Stage[] = [{ name: "provisioning", reasons: ["ReserveAddress", "Creating", "Provisioning"] }];

const disks: readonly Stage[] = [{ name: "creating data disks", reasons: ["CreateDisk", "DiskNotReady"] }];

const starting: readonly Stage[] = [
  { name: "configuring", reasons: ["ConfigurationMissing", "LabelDisk", "Configure"] },
  { name: "booting", reasons: ["Boot", "Booting"] },
];

/** Returns the stages of an instance until it runs, in order. */
export const machineStages = ({ metadata, spec }: LinodeMachine): readonly Stage[] => {
  if (metadata.deletionTimestamp !== undefined) return [{ name: "deleting", reasons: ["Deleting"] }];
  return [...making, ...(wantedDisks(spec).length === 0 ? [] : disks), ...starting];
};
