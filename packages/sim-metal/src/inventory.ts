import { apiService, type Service, routing } from "@capstan/simulation";
import { isOn } from "./bmc/power-control.ts";
import { type StoredMachine, usualHardware } from "./state.ts";
import type { World } from "./world.ts";

const view = (machine: StoredMachine, world: World) => ({
  name: machine.name,
  mac: machine.mac,
  address: machine.address,
  ...(machine.hardware ?? usualHardware),
  power: isOn({ ...world, machine }) ? "on" : "off",
  ...(machine.bmc === undefined ? {} : { bmc: { kind: machine.bmc.kind, address: machine.bmc.address } }),
  bootedFrom: machine.bootedFrom?.kind,
  disks: machine.disks.map(({ device, image }) => ({ device, image })),
});

const route = routing<World>();

const routes = [
  route({
    method: "GET",
    path: "/machines",
    handle: (_, world) => world.rack.state.machines.map((machine) => view(machine, world)),
  }),
];

/** Serves a read-only view of the rack. */
export const inventoryService = (world: World): Service =>
  apiService<World>({
    cloud: world.rack,
    world,
    routes,
    wordRefusal: ({ message, field }) => ({ error: { message, field } }),
  });
