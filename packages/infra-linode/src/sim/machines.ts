import type { MachineModel, Power } from "@capstan/simulation";
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

/** Instances as machines with power and an inside. */
export const instanceModel = ({ state, clock }: Pick<World, "state" | "clock">): MachineModel<StoredInstance> => ({
  all: () => state.instances,
  powerOf: ({ status }) => powers[status],
  become: (instance, power) => {
    instance.status = statuses[power];
    instance.updated = clock.now();
  },
  bootsByItself: ({ bootAfterProvisioning }) => bootAfterProvisioning,
  remove: (gone) => {
    state.instances = state.instances.filter((instance) => instance !== gone);
  },
  guestOf: ({ id, label, region, type, address, userData }) => ({
    id: String(id),
    name: label,
    metadata: { id: String(id), label, region, type },
    userData,
    address,
    providerID: `linode://${id}`,
  }),
});
