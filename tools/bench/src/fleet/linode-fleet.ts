import { createLinodeProvider } from "@capstan/infra-linode";
import { LinodeCluster, LinodeMachine } from "@capstan/infra-linode/api";
import { createLinodeSimulator } from "@capstan/sim-linode";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { StartedFleetCloud } from "./fleet-cloud.ts";
import { allOf, type FleetWays, leastTimeMs } from "./least-time.ts";

/** Windows of an account. */
const limits = {
  creations: { calls: 20, windowMs: 15_000 },
  others: { calls: 1840, windowMs: 60_000 },
} as const;

/** The time that Linode takes here, in milliseconds, as on a good day. */
const delays = { provisionMs: 15_000, bootMs: 15_000, deleteMs: 5000 } as const;

/** One list shows all instances. */
const ways: FleetWays<keyof typeof limits> = {
  up: (size) => {
    const { clusters, machines } = allOf(size);
    return [
      // A NodeBalancer, and its port.
      { calls: { others: clusters }, ms: 0 },
      { calls: { others: clusters }, ms: 0 },
      { calls: { creations: machines }, ms: delays.provisionMs },
      { calls: { others: 1 + machines }, ms: delays.bootMs },
      { calls: { others: 1 }, ms: 0 },
    ];
  },
  down: (size) => {
    const { clusters, machines } = allOf(size);
    return [
      { calls: { others: machines }, ms: delays.deleteMs },
      { calls: { others: 1 + clusters }, ms: 0 },
    ];
  },
};

/** An account at Linode with its limits. */
export const linodeFleet = async ({ clock, random }: ConformanceEnvironment): Promise<StartedFleetCloud> => {
  const simulator = await createLinodeSimulator({ clock, random, delays });
  await simulator.start();
  return {
    clusterKind: LinodeCluster,
    machineKind: LinodeMachine,
    providers: () => [createLinodeProvider({ endpoint: simulator.url, token: simulator.token, clock })],
    clusterSpec: () => ({ region: "us-ord" }),
    machineSpec: () => ({ region: "us-ord", type: "g6-standard-2", image: "linode/ubuntu22.04" }),
    requests: () => simulator.requests.log,
    leastMs: (phase, size, startedAt) => leastTimeMs(ways[phase](size), limits, startedAt),
    stop: () => simulator.stop(),
  };
};
