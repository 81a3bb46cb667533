import { createLinodeProvider } from "@capstan/infra-linode";
import { LinodeCluster, LinodeMachine } from "@capstan/infra-linode/api";
import { createLinodeSimulator } from "@capstan/infra-linode/sim";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import type { FleetRequest } from "@capstan/testing/fleet";
import type { StartedFleetCloud } from "./fleet-cloud.ts";

const creations = { family: "POST linode/instances", limit: 20, windowMs: 15_000 } as const;
const others = { limit: 1840, windowMs: 60_000 } as const;

/** So many windows have to end before the last of so many calls. */
const windowMs = (calls: number, { limit, windowMs: ms }: { readonly limit: number; readonly windowMs: number }) =>
  Math.max(0, Math.ceil(calls / limit) - 1) * ms;

/** An account at Linode with its limits. */
export const linodeFleet = async ({ clock, random }: ConformanceEnvironment): Promise<StartedFleetCloud> => {
  const simulator = await createLinodeSimulator({ clock, random });
  await simulator.start();
  return {
    clusterKind: LinodeCluster,
    machineKind: LinodeMachine,
    providers: () => [createLinodeProvider({ endpoint: simulator.url, token: simulator.token, clock })],
    clusterSpec: () => ({ region: "us-ord" }),
    machineSpec: () => ({ region: "us-ord", type: "g6-standard-2", image: "linode/ubuntu22.04" }),
    requests: () => simulator.requests.log,
    leastMs: (requests) => {
      const isCreation = ({ family }: FleetRequest): boolean => family === creations.family;
      const made = requests.filter(isCreation).length;
      return Math.max(windowMs(made, creations), windowMs(requests.length - made, others));
    },
    stop: () => simulator.stop(),
  };
};
