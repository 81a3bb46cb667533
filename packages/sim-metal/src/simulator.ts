import { type PowerDelays, type Served, simulation, type SimulationOptions, text } from "@capstan/simulation";
import { redfishService } from "./bmc/redfish.ts";
import { rpcPath, rpcService } from "./bmc/rpc.ts";
import type { BootProgram } from "./boot/boot-program.ts";
import { Firmware } from "./boot/firmware.ts";
import { BootMedia } from "./elemental/boot-media.ts";
import { bootMediaService } from "./elemental/boot-media-service.ts";
import { elementalProgram } from "./elemental/elemental-program.ts";
import { inventoryService } from "./inventory.ts";
import { machineModel } from "./machines.ts";
import { netbootProgram } from "./netboot/netboot-program.ts";
import { type BundleContents, LayoutBuilder } from "./registry/oci-layout.ts";
import { registryService } from "./registry/registry-service.ts";
import { standardBundles } from "./registry/standard-bundles.ts";
import { seededMachines } from "./seed.ts";
import { rackState, type RackState, type StoredMachine } from "./state.ts";
import { installedSystem } from "./system/installed-system.ts";
import type { World } from "./world.ts";

/** Where board management listens, at the address of its own. */
const bmcPort = 8443;
/** Where the control plane is reached at the rack's virtual address. */
const apiServerPort = 6443;

export interface MetalSimulatorOptions extends SimulationOptions {
  /** Port of the rack's own interface. Default: any free one. */
  readonly port?: number;
  /** Initial contents of a new rack, as `seed` of the command. Default: ten machines. */
  readonly seed?: unknown;
  /** Component bundles in the rack's registry. Default: `standardBundles`. */
  readonly bundles?: readonly BundleContents[];
  /** Further programs that machines boot; they come before the usual ones. */
  readonly programs?: readonly BootProgram[];
  /** Defaults in milliseconds: boot 300, shutdown 100. */
  readonly delays?: Partial<Pick<PowerDelays, "bootMs" | "shutdownMs">>;
}

/** A simulated rack: machines with board management, power, disks and network, on loopback. */
export interface MetalSimulator extends World {
  /** Read-only view of the rack, and the control interface. */
  readonly inventory: Served;
  /** The registry with component bundles. */
  readonly registry: Served;
  /** The webhook of board management without an interface of its own. */
  readonly rpc: Served;
  /** Redfish of a machine, by its name. Known once the simulator has started. */
  readonly redfish: (machine: string) => Served;
  /** The newest lines of a machine's serial console. */
  console(machine: string): readonly string[];
  /** Loads the state, opens the servers and continues with what was under way. */
  start(): Promise<void>;
  /** Closes everything; machines keep their power in the state. */
  stop(): Promise<void>;
}

const control = {
  guestFields: { failingAction: text(), agentDiesAt: text() },
};

export const createMetalSimulator = async (options: MetalSimulatorOptions): Promise<MetalSimulator> => {
  const { guest, programs = [], delays = {}, ...outside } = options;
  let firmware: Firmware | undefined;
  const rack = await simulation<RackState>(
    { name: "metal", state: rackState, control },
    {
      ...outside,
      guest: {
        boot: (machine) => firmware?.boot(machine),
        shutdown: (id) => firmware?.shutdown(id),
      },
    },
  );
  const server = rack.server({ port: options.port ?? 0 });
  const power = rack.machines(machineModel(rack.state), delays);
  const world: World = { rack, power };
  const media = new BootMedia(rack.state);
  const bundles = new LayoutBuilder();
  for (const bundle of options.bundles ?? standardBundles) bundles.add(bundle);
  firmware = new Firmware({
    state: rack.state,
    clock: rack.clock,
    random: rack.random,
    guest,
    programs: [...programs, elementalProgram(media), netbootProgram, installedSystem],
    save: () => rack.save(),
    restart: (machine) => power.restart(machine),
    powerOff: (machine) => power.shutdown(machine),
  });
  if (rack.state.machines.length === 0) rack.state.machines = seededMachines(options.seed);
  const rpc = server.serve("bmc-rpc", rpcService(world));
  server.serve("boot-media", bootMediaService(media, world));
  const registry = server.serve("registry", registryService(bundles));
  const inventory = server.serve("inventory", inventoryService(world));
  const bmcs = new Map<string, Served>();
  rack.beforeStart(async () => {
    giveAddresses(world);
    await openVirtualAddress(world);
    for (const machine of rack.state.machines) {
      const served = serveRedfish(machine, world);
      if (served !== undefined) bmcs.set(machine.name, served);
    }
  });
  return {
    ...world,
    inventory,
    registry,
    rpc,
    redfish: (machine) => {
      const served = bmcs.get(machine);
      if (served === undefined) throw new Error(`there is no machine ${machine} with Redfish in the rack`);
      return served;
    },
    console: (machine) => power.console(machine),
    start: () => rack.start(),
    stop: () => rack.stop(),
  };
};

/** At the first start everything in the rack's network gets an address, and keeps it. */
const giveAddresses = ({ rack }: World): void => {
  const { state } = rack;
  if (state.services === "") state.services = rack.newAddress();
  if (state.virtualAddress === "") state.virtualAddress = rack.newAddress();
  for (const machine of state.machines) {
    if (machine.address === "") machine.address = rack.newAddress();
    if (machine.bmc?.address === "") machine.bmc.address = rack.newAddress();
  }
};

/** As a virtual address that machines announce: whoever serves the API answers. */
const openVirtualAddress = async ({ rack }: World): Promise<void> => {
  await rack.balancers.open({
    id: "control-plane",
    host: rack.state.virtualAddress,
    port: apiServerPort,
    backends: () => rack.state.machines.map(({ name, address }) => ({ id: name, host: address, port: apiServerPort })),
  });
};

const serveRedfish = (machine: StoredMachine, world: World): Served | undefined => {
  const { bmc, name } = machine;
  if (bmc?.kind !== "redfish") return undefined;
  const server = world.rack.server({ address: bmc.address, port: bmcPort, tls: true });
  return server.serve(`bmc-${name}`, redfishService({ ...world, machine }));
};

/** Where board management of a rack is reached. */
export const bmcPlaces = { port: bmcPort, rpcPath } as const;
