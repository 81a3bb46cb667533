import type { MachineModel, Power } from "@capstan/simulation";
import type { SimulatorState, StoredInstance, StoredStatus } from "./state.ts";

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
export const instanceModel = (state: SimulatorState, now: () => number): MachineModel<StoredInstance> => ({
  all: () => state.instances,
  powerOf: ({ status }) => powers[status],
  become: (instance, power) => {
    instance.status = statuses[power];
    instance.updated = now();
  },
  bootsByItself: ({ bootAfterProvisioning }) => bootAfterProvisioning,
  remove: (gone) => {
    state.instances = state.instances.filter((instance) => instance !== gone);
  },
  guestOf: ({ id, label, region, type, address, userData }) => ({
    id: String(id),
    name: label,
    metadata: {
      "instance-id": String(id),
      label,
      region,
      type,
      "local-hostname": label,
      "local-ipv4": address,
    },
    userData,
    address,
    providerID: `linode://${id}`,
  }),
});
