import { join } from "node:path";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { bootMediaPath } from "./elemental/boot-media.ts";
import { bmcCredentials } from "./seed.ts";
import { bmcPlaces, createMetalSimulator, type MetalSimulator, type MetalSimulatorOptions } from "./simulator.ts";

/** Where hosts of the rack that register by themselves expect the Elemental API, at the services' address. */
const elementalPort = 9090;

/** A simulated rack for an application, with what lies below for programs that play with it. */
export interface MetalSimulation extends SimulationV1 {
  readonly simulator: MetalSimulator;
}

const simulatorFor = async (
  { clock, random, log, folder, port, guest, seed }: SimulationOutsideV1,
  options: Partial<MetalSimulatorOptions>,
): Promise<MetalSimulator> => {
  const directory = folder("metal");
  return createMetalSimulator({
    clock,
    random,
    log: log.child({ simulator: "metal" }),
    guest: guest("metal"),
    ...(directory === undefined ? {} : { file: join(directory, "rack.json") }),
    port: await port("metal"),
    seed: seed("metal"),
    ...options,
  });
};

/** `metal-1` is `METAL_1`. */
const variableOf = (machine: string): string => machine.toUpperCase().replaceAll("-", "_");

/** Returns the variables for manifests: address and MAC of each machine, and the address of its board management. */
const machineVariables = ({ rack }: MetalSimulator): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rack.state.machines.flatMap(({ name, address, mac, bmc }) => [
      [`${variableOf(name)}_ADDRESS`, address],
      [`${variableOf(name)}_MAC`, mac],
      ...(bmc === undefined ? [] : [[`${variableOf(name)}_BMC`, bmc.address]]),
    ]),
  );

/** A rack of machines that netboot; the services that serve them are the application's. */
export const createSimulation = async (
  outside: SimulationOutsideV1,
  options: Partial<MetalSimulatorOptions> = {},
): Promise<MetalSimulation> => {
  const simulator = await simulatorFor(outside, options);
  const { rack, inventory } = simulator;
  return {
    contract: "v1",
    name: "metal",
    simulator,
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    get description() {
      const { machines, services } = rack.state;
      return `simulated rack of ${machines.length} machines at ${inventory.url}, which expect Tinkerbell's services at ${services}`;
    },
    get urls() {
      return { metal: inventory.url };
    },
    get cloud() {
      const { certificateAuthority: ca } = rack;
      return { endpoint: inventory.url, ...(ca !== undefined && { ca }) };
    },
    get control() {
      return `${inventory.url}/_simulator`;
    },
    get variables() {
      const { username, password, secret } = bmcCredentials;
      return {
        TINKERBELL_ADDRESS: rack.state.services,
        METAL_CONTROL_PLANE_ADDRESS: rack.state.virtualAddress,
        METAL_REGISTRY: new URL(inventory.url).host,
        ELEMENTAL_API_ENDPOINT: `${rack.state.services}:${elementalPort}`,
        ELEMENTAL_API_LISTEN: `${rack.state.services}:${elementalPort}`,
        ELEMENTAL_BOOT_MEDIA_URL: `${inventory.url}${bootMediaPath}`,
        METAL_BMC_PORT: String(bmcPlaces.port),
        METAL_BMC_USERNAME: username,
        METAL_BMC_PASSWORD: password,
        METAL_BMC_RPC_URL: `${inventory.url}${bmcPlaces.rpcPath}`,
        METAL_BMC_RPC_SECRET: secret,
        ...machineVariables(simulator),
      };
    },
  };
};
