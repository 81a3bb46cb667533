import { CapstanError } from "@capstan/contract";
import type { ConfigDevice, DeviceSlot, Disk } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";

type Spec = LinodeMachine["spec"];

/** Data disks by device, in the order they are made. */
const dataSlots = ["sdb", "sdc", "sdd", "sde", "sdf", "sdg", "sdh"] as const;
export type DataSlot = (typeof dataSlots)[number];

/** Swap that the API makes beside the boot disk of an image, MB. */
const swapSize = 512;
const megabyte = 1_000_000;

const suffixes: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** A quantity in MB, rounded up: `10Gi` is 10738. */
export const megabytes = (quantity: number | string): number => {
  const parts = /^\+?(\d+(?:\.\d*)?|\.\d+)(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(String(quantity));
  if (parts === null) {
    throw new CapstanError({
      code: "linode.disk_size",
      reason: "DiskSizeInvalid",
      message: `"${quantity}" is not a disk size such as 10Gi`,
      retry: { kind: "never" },
    });
  }
  return Math.ceil((Number(parts[1]) * suffixes[parts[2] ?? ""]!) / megabyte);
};

export interface WantedDisk {
  readonly slot: DataSlot;
  readonly label: string;
  readonly size: number;
  readonly filesystem: "raw" | "swap" | "ext3" | "ext4" | "initrd";
  /** Recorded in the spec once it is known. */
  readonly knownId: number | undefined;
}

export const wantedDisks = ({ dataDisks }: Spec): readonly WantedDisk[] =>
  dataSlots.flatMap((slot) => {
    const disk = dataDisks?.[slot];
    if (disk === undefined) return [];
    const { size, label = slot, filesystem = "ext4", diskID: knownId } = disk;
    return [{ slot, label, size: megabytes(size), filesystem, knownId }];
  });

/** MB of the boot disk; `undefined` lets the API use all there is, or what the backup has. */
export const bootSize = (spec: Spec, planDiskSize: () => Promise<number>): Promise<number> | undefined => {
  if (spec.backupID !== undefined) return undefined;
  if (spec.osDisk !== undefined) return Promise.resolve(megabytes(spec.osDisk.size));
  const disks = wantedDisks(spec);
  if (disks.length === 0 || disks.some(({ slot }) => slot === "sdb")) return undefined;
  return planDiskSize().then((plan) => plan - disks.reduce((sum, { size }) => sum + size, 0) - swapSize);
};

/** The data disks that exist, by device: known by id, or, after a crash, by label. */
export const existingDisks = (wanted: readonly WantedDisk[], disks: readonly Disk[]): ReadonlyMap<DataSlot, Disk> =>
  new Map(
    wanted.flatMap(({ slot, label, knownId }) => {
      const found = disks.find((disk) => (knownId === undefined ? disk.label === label : disk.id === knownId));
      return found === undefined ? [] : [[slot, found] as const];
    }),
  );

type Devices = Readonly<Partial<Record<DeviceSlot, ConfigDevice | null>>>;

/** The devices with the data disks put in, or `undefined` if they are there already. A swap disk in the way moves to the first free device. */
export const devicesToSet = (current: Devices, existing: ReadonlyMap<DataSlot, Disk>): Devices | undefined => {
  const placed = [...existing].every(([slot, { id }]) => current[slot]?.disk_id === id);
  if (placed) return undefined;
  const ours = new Set([...existing.values()].map(({ id }) => id));
  const next: Partial<Record<DeviceSlot, ConfigDevice | null>> = {};
  for (const [slot, { id }] of existing) next[slot] = { disk_id: id };
  for (const [slot, device] of Object.entries(current) as [DeviceSlot, ConfigDevice | null][]) {
    if (device === null || (typeof device.disk_id === "number" && ours.has(device.disk_id))) continue;
    const free = next[slot] === undefined ? slot : dataSlots.find((candidate) => next[candidate] === undefined);
    if (free !== undefined) next[free] = device;
  }
  return next;
};
