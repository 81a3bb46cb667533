import type { Volume } from "@capstan/linode-client";
import { invalid } from "@capstan/simulation";
import type { Mutable, SimulatorState, StoredConfig, StoredInstance } from "../state.ts";
import { slotsOf } from "./device-slots.ts";
import { typeOf } from "./instance-rules.ts";
import { runningConfig } from "./running-config.ts";

/** The profile a volume goes into: the one named, or the one of the last boot. */
const profileOf = (instance: StoredInstance, id: number | undefined): StoredConfig | undefined => {
  if (id === undefined) return runningConfig(instance);
  const found = instance.configs.find((config) => config.id === id);
  if (found === undefined) throw invalid("A config by that ID was not found", "config_id");
  return found;
};

/** Gives an instance a volume: for good, in the next free slot of a profile, or until it boots again. */
export const attachVolume = (
  volume: Mutable<Volume>,
  instance: StoredInstance,
  {
    config_id: configId,
    persist_across_boots: persists = true,
  }: { readonly config_id?: number; readonly persist_across_boots?: boolean },
): void => {
  if (persists) {
    const profile = profileOf(instance, configId);
    const slot = slotsOf(typeOf(instance.type)).find((name) => (profile?.devices[name] ?? null) === null);
    if (slot === undefined) throw invalid("The config has no free device slot", "config_id");
    const device = { disk_id: null, volume_id: volume.id };
    if (profile !== undefined) profile.devices = { ...profile.devices, [slot]: device };
  } else {
    if (configId !== undefined) throw invalid("Must not be given with persist_across_boots false", "config_id");
    if (instance.status !== "running") throw invalid("The Linode must be running", "linode_id");
    instance.volumesUntilBoot = [...(instance.volumesUntilBoot ?? []), volume.id];
  }
  volume.linode_id = instance.id;
};

/** Takes a volume from the instance that has it, and out of its profiles. */
export const forgetVolume = (volume: Mutable<Volume>, { instances }: Pick<SimulatorState, "instances">): void => {
  const owner = instances.find(({ id }) => id === volume.linode_id);
  volume.linode_id = null;
  if (owner === undefined) return;
  owner.volumesUntilBoot = (owner.volumesUntilBoot ?? []).filter((id) => id !== volume.id);
  for (const config of owner.configs) {
    config.devices = Object.fromEntries(
      Object.entries(config.devices).map(([slot, device]) => [slot, device?.volume_id === volume.id ? null : device]),
    );
  }
};

/** Takes from an instance what it has only until it boots. */
export const forgetVolumesUntilBoot = (
  instance: StoredInstance,
  { volumes, instances }: Pick<SimulatorState, "volumes" | "instances">,
): void => {
  const gone = instance.volumesUntilBoot ?? [];
  for (const volume of volumes) if (gone.includes(volume.id)) forgetVolume(volume, { instances });
};

type Devices = Readonly<
  Record<string, { readonly disk_id?: number | null; readonly volume_id?: number | null } | null | undefined>
>;

/** Refuses devices that the instance does not have. */
export const checkDevices = (
  devices: Devices,
  { id, disks, type }: StoredInstance,
  { volumes }: Pick<SimulatorState, "volumes">,
): void => {
  const slots: readonly string[] = slotsOf(typeOf(type));
  for (const [slot, device] of Object.entries(devices)) {
    if (device !== null && !slots.includes(slot)) {
      throw invalid(`The plan ${type} has ${slots.length} device slots`, `devices.${slot}`);
    }
    const { disk_id: disk, volume_id: volume } = device ?? {};
    if (typeof disk === "number" && !disks.some((each) => each.id === disk)) {
      throw invalid("A disk by that ID was not found", `devices.${slot}`);
    }
    if (typeof volume === "number" && !volumes.some((each) => each.id === volume && each.linode_id === id)) {
      throw invalid("A volume by that ID is not attached to the Linode", `devices.${slot}`);
    }
  }
};
