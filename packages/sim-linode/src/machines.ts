import type { GuestIdentity, MachineModel, Power } from "@capstan/simulation";
import { reachFrom } from "./resources/reach.ts";
import { settle } from "./events.ts";
import { bootData } from "./resources/stack-scripts.ts";
import { forgetVolume, forgetVolumesUntilBoot } from "./resources/volume-places.ts";
import { forgetDevice } from "./resources/firewalls.ts";
import { types } from "./seed.ts";
import type { StoredInstance, StoredStatus } from "./state.ts";
import type { World } from "./world.ts";

const statuses = {
  provisioning: "provisioning",
  off: "offline",
  booting: "booting",
  running: "running",
  stopping: "shutting_down",
  removing: "deleting",
} as const satisfies Record<Power, StoredStatus>;

const powers = Object.fromEntries(Object.entries(statuses).map(([power, status]) => [status, power])) as Record<
  StoredStatus,
  Power
>;

/** Events that are finished when a machine has reached a state. */
const ended: Partial<Record<Power, readonly string[]>> = {
  off: ["linode_create", "linode_shutdown"],
  running: ["linode_boot", "linode_reboot"],
};

/** Returns the hardware of a plan. */
const hardwareOf = (plan: string): Pick<GuestIdentity, "hardware"> => {
  const type = types.find(({ id }) => id === plan);
  return type === undefined ? {} : { hardware: { cpus: type.vcpus, memoryMiB: type.memory } };
};

/** Instances as machines with power and an inside. */
export const instanceModel = ({ state, clock }: Pick<World, "state" | "clock">): MachineModel<StoredInstance> => ({
  all: () => state.instances,
  powerOf: ({ status }) => powers[status],
  become: (instance, power) => {
    instance.status = statuses[power];
    if (power === "booting") forgetVolumesUntilBoot(instance, state);
    if (power === "off") delete instance.rescued;
    instance.updated = clock.now();
    instance.booted ||= power === "running";
    if (power === "running" && instance.activity === "rebooting") delete instance.activity;
    settle({ state, clock }, { type: "linode", id: instance.id }, ended[power] ?? []);
  },
  bootsFromDisk: ({ rescued = false }) => !rescued,
  bootsByItself: ({ bootAfterProvisioning }) => bootAfterProvisioning,
  remove: (gone) => {
    settle({ state, clock }, { type: "linode", id: gone.id });
    forgetDevice("linode", gone.id, { state });
    for (const volume of state.volumes) if (volume.linode_id === gone.id) forgetVolume(volume, state);
    for (const { id } of gone.linodeInterfaces) forgetDevice("linode_interface", id, { state });
    state.instances = state.instances.filter((instance) => instance !== gone);
  },
  guestOf: (instance) => {
    const { id, image, label, region, type, address, userData, stackScript } = instance;
    return {
      id: String(id),
      name: label,
      metadata: { id: String(id), label, region, type },
      ...bootData({ userData, stackScript }),
      address,
      ...(image !== null && {
        image: state.images.find((each) => each.id === image && !each.is_public)?.label ?? image,
      }),
      ...hardwareOf(type),
      providerID: `linode://${id}`,
      resolve: (host) => reachFrom(instance, host, state),
    };
  },
});
