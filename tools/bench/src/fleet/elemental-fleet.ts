import { silentLogger } from "@capstan/contract";
import { createMetalProvider } from "@capstan/infra-metal";
import { ElementalCluster, ElementalMachine, ElementalRegistration } from "@capstan/infra-metal/api";
import { apiVersionOf } from "@capstan/schema";
import { createSimulation, type MetalSimulation, type StoredMachine } from "@capstan/sim-metal";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { FleetRequest, FleetSize } from "@capstan/testing/fleet";
import type { StartedFleetCloud } from "./fleet-cloud.ts";
import { hostSystems } from "./host-systems.ts";
import { requestsTo } from "./requests-to.ts";
import { allOf, type FleetWays, leastTimeMs } from "./least-time.ts";

/** From power, or a reboot, until the system of a host runs, in milliseconds. */
const bootMs = 30_000;
/** Between two looks of an agent, in milliseconds. */
const lookMs = 60_000;
/** Hosts of one registration, which takes 30 at once. */
const hostsOfOne = 25;

/**
 * All hosts boot at the same time, and check when they are installed: before anybody can have claimed them, and then
 * after each interval. What they learn there, they do in another boot.
 */
const ways: FleetWays<never> = {
  up: () => [
    { calls: {}, ms: bootMs },
    { calls: {}, ms: lookMs },
    { calls: {}, ms: bootMs },
  ],
  // A whole interval, which only a host that has just looked needs.
  down: () => [
    { calls: {}, ms: lookMs },
    { calls: {}, ms: bootMs },
  ],
};

const agent = {
  hostname: { useExisting: true },
  insecureAllowHttp: true,
  noSmbios: true,
  osPlugin: "",
  reconciliation: lookMs * 1e6,
};

const macOf = (index: number): string => {
  const digits = index.toString(16).padStart(4, "0");
  return `52:54:00:01:${digits.slice(0, 2)}:${digits.slice(2)}`;
};

/** Machines without board management that boot a medium with an agent once they have power. */
const rackOf = (count: number) => ({
  machines: Array.from({ length: count }, (_, index) => ({
    name: `host-${index}`,
    mac: macOf(index),
    bmc: "none",
    media: "elemental",
  })),
});

const startRack = async (
  { clock, random }: ConformanceEnvironment,
  size: FleetSize,
  told: FleetRequest[],
): Promise<MetalSimulation> => {
  const guest = hostSystems((method, family) => void told.push({ method, family, status: 200 }));
  const rack = await createSimulation(
    {
      clock,
      random,
      log: silentLogger,
      folder: () => undefined,
      port: async () => 0,
      guest: () => guest,
      seed: () => rackOf(allOf(size).machines),
    },
    { delays: { bootMs } },
  );
  await rack.start();
  return rack;
};

/** Puts the medium of a registration into a host, and gives it power. */
const boot = ({ simulator }: MetalSimulation, host: StoredMachine, registration: string): void => {
  host.virtualMedia = `${host.virtualMedia}:${registration}`;
  simulator.power.boot(host);
};

const endpointOf = ({ variables }: MetalSimulation): string => variables["ELEMENTAL_API_ENDPOINT"] ?? "";

const provider = (rack: MetalSimulation) => {
  const endpoint = endpointOf(rack);
  const { hostname: host, port } = new URL(`http://${endpoint}`);
  const bootMedia = { url: rack.variables["ELEMENTAL_BOOT_MEDIA_URL"] ?? "" };
  return createMetalProvider({
    elemental: { endpoint, protocol: "http", listen: { host, port: Number(port) }, bootMedia },
  });
};

/**
 * Hosts of a simulated rack, which register by agents of their own, as many as are wanted. What there is to do is decided when an agent
 * looks: no one counts requests, and what they are told is counted here.
 */
export const elementalFleet = async (
  environment: ConformanceEnvironment,
  size: FleetSize,
): Promise<StartedFleetCloud> => {
  const { client } = environment;
  const told: FleetRequest[] = [];
  const rack = await startRack(environment, size, told);
  const agents = requestsTo(`http://${endpointOf(rack)}`);
  const spare = [...rack.simulator.rack.state.machines];
  return {
    clusterKind: ElementalCluster,
    machineKind: ElementalMachine,
    providers: () => [provider(rack)],
    prepare: async ({ namespace }, machines) => {
      for (let from = 0; from < machines.length; from += hostsOfOne) {
        const metadata = { namespace, name: `from-${from}` };
        const { kind } = ElementalRegistration;
        const spec = { config: { elemental: { agent } } };
        await client.create(ElementalRegistration, {
          apiVersion: apiVersionOf(ElementalRegistration),
          kind,
          metadata,
          spec,
        });
        const own = spare.splice(0, Math.min(hostsOfOne, machines.length - from));
        for (const host of own) boot(rack, host, `${namespace}/${metadata.name}`);
      }
    },
    clusterSpec: () => ({ controlPlaneEndpoint: { host: "10.3.0.100", port: 6443 } }),
    machineSpec: () => ({}),
    requests: () => told,
    isBusy: () => agents.isBusy(),
    leastMs: (phase, each) => leastTimeMs(ways[phase](each), {}),
    stop: async () => {
      agents.stop();
      await rack.stop();
    },
  };
};
