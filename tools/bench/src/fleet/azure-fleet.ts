import { createAzureProvider } from "@capstan/infra-azure";
import { AzureCluster, AzureMachine } from "@capstan/infra-azure/api";
import { createAzureSimulator } from "@capstan/sim-azure";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { StartedFleetCloud } from "./fleet-cloud.ts";
import { allOf, type FleetWays, leastTimeMs } from "./least-time.ts";

/** Buckets of a subscription and principal. */
const limits = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
} as const;

/** The time that Azure takes here, in milliseconds, as on a good day. */
const delays = { networkMs: 5000, provisionMs: 30_000, deleteMs: 20_000, groupMs: 20_000 } as const;

/** Nothing is asked about more than once, and network cards and groups are there when the answer is. */
const ways: FleetWays<keyof typeof limits> = {
  up: (size) => {
    const { clusters, machines } = allOf(size);
    const { networkMs, provisionMs } = delays;
    return [
      { calls: { writes: clusters }, ms: 0 },
      // Network, two security groups, route table, and the addresses of API server and gateway.
      { calls: { writes: 6 * clusters }, ms: networkMs },
      // NAT gateway and load balancer.
      { calls: { reads: 6 * clusters, writes: 2 * clusters }, ms: networkMs },
      // The first subnet, and the NAT rule of the control plane's machine; then the second subnet.
      { calls: { reads: 2 * clusters, writes: 2 * clusters }, ms: networkMs },
      { calls: { reads: 2 * clusters, writes: clusters }, ms: networkMs },
      { calls: { reads: clusters, writes: machines }, ms: 0 },
      { calls: { writes: machines }, ms: provisionMs },
      { calls: { reads: machines }, ms: 0 },
    ];
  },
  down: (size) => {
    const { clusters, machines } = allOf(size);
    const { deleteMs, groupMs, networkMs } = delays;
    return [
      { calls: { deletes: machines }, ms: deleteMs },
      // Its card and its disk, and the NAT rule of the control plane's machine.
      { calls: { reads: machines, deletes: 2 * machines + clusters }, ms: networkMs },
      { calls: { reads: 2 * machines, deletes: clusters }, ms: deleteMs + groupMs },
      { calls: { reads: clusters }, ms: 0 },
    ];
  },
};

const sshPublicKey = Buffer.from("ssh-ed25519 AAAA fleet").toString("base64");

/** A subscription at Azure with its limits. Its networks, load balancers and machines take seconds. */
export const azureFleet = async ({ clock, random }: ConformanceEnvironment): Promise<StartedFleetCloud> => {
  const simulator = await createAzureSimulator({ clock, random, delays });
  await simulator.start();
  const { subscriptionId, url: endpoint } = simulator;
  return {
    clusterKind: AzureCluster,
    machineKind: AzureMachine,
    providers: () => [
      createAzureProvider({
        endpoint,
        authority: endpoint,
        audience: endpoint,
        ca: simulator.ca,
        subscriptionId,
        token: simulator.lastingToken(),
        clock,
        random,
      }),
    ],
    clusterSpec: ({ namespace }) => ({ location: "westeurope", resourceGroup: namespace }),
    machineSpec: () => ({ vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" }, sshPublicKey }),
    requests: () => simulator.requests.log,
    leastMs: (phase, size) => leastTimeMs(ways[phase](size), limits),
    stop: () => simulator.stop(),
  };
};
