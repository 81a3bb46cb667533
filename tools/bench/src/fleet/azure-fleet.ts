import { createAzureProvider } from "@capstan/infra-azure";
import { AzureCluster, AzureMachine } from "@capstan/infra-azure/api";
import { createAzureSimulator } from "@capstan/infra-azure/sim";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { FleetRequest } from "@capstan/testing/fleet";
import { bucketMs } from "@capstan/testing/fleet";
import type { StartedFleetCloud } from "./fleet-cloud.ts";

/** Buckets of a subscription and principal. */
const buckets = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
} as const;

const countOf = (requests: readonly FleetRequest[], ...methods: readonly string[]): number =>
  requests.filter(({ method }) => methods.includes(method)).length;

const sshPublicKey = Buffer.from("ssh-ed25519 AAAA fleet").toString("base64");

/** A subscription at Azure with its limits. Its machines take seconds to be made, as network and load balancers do. */
export const azureFleet = async ({ clock, random }: ConformanceEnvironment): Promise<StartedFleetCloud> => {
  const simulator = await createAzureSimulator({ clock, random });
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
    leastMs: (requests) =>
      Math.max(
        bucketMs(countOf(requests, "GET", "HEAD"), buckets.reads),
        bucketMs(countOf(requests, "PUT", "PATCH", "POST"), buckets.writes),
        bucketMs(countOf(requests, "DELETE"), buckets.deletes),
      ),
    stop: () => simulator.stop(),
  };
};
