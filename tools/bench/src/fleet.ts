import { parseArgs } from "node:util";
import type { BoundFleetPhase, FleetPhase } from "@capstan/testing/fleet";
import { count } from "./count.ts";
import { fleetOn, readsIn, refusedIn } from "./fleet/fleet.ts";
import { fleetSubjects } from "./fleet/subjects.ts";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const print = (name: string, phase: BoundFleetPhase, machines: number): void => {
  const { leastMs, ms, requests } = phase;
  const reads = readsIn(phase);
  const per = (count: number): string => (count / machines).toFixed(1);
  const ratio = leastMs === 0 ? "" : `: ratio ${(ms / leastMs).toFixed(2)}`;
  console.log(
    `${name.padEnd(8)} ${seconds(ms).padStart(8)}  ${per(reads)} reads and ${per(requests.length - reads)} writes a machine, ` +
      `${refusedIn(phase).length} refused; limits and the cloud alone ${seconds(leastMs)}${ratio}`,
  );
};

const families = (phase: FleetPhase): void => {
  const counts = Map.groupBy(phase.requests, ({ family, status }) => `${family} ${status ?? ""}`);
  for (const [family, { length }] of [...counts].toSorted(([, a], [, b]) => b.length - a.length)) {
    console.log(`  ${String(length).padStart(6)}  ${family}`);
  }
};

/**
 * `npm run bench -- fleet-<cloud> [--clusters N] [--machines N] [--families]`: a fleet on one account with its real limits, on a virtual
 * clock: requests per machine, and how much longer it takes than limits and cloud make necessary.
 */
export const fleetBench =
  (cloud: string) =>
  async (args: readonly string[]): Promise<void> => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        clusters: { type: "string", default: "12" },
        machines: { type: "string", default: "4" },
        families: { type: "boolean", default: false },
      },
    });
    const size = { clusters: count("clusters", values.clusters), machines: count("machines", values.machines) };
    const subject = fleetSubjects[cloud];
    if (subject === undefined) {
      throw new Error(`there is no fleet of ${cloud}; there are ${Object.keys(fleetSubjects).join(", ")}`);
    }
    const all = await fleetOn(subject, size);
    const machines = size.clusters * size.machines;
    console.log(`${cloud}: ${size.clusters} clusters of ${size.machines} machines, virtual time`);
    print("up", all.up, machines);
    print("down", all.down, machines);
    console.log(
      `settled  ${all.settled.requests.length} requests in a sync period, ${refusedIn(all.settled).length} refused`,
    );
    if (!values.families) return;
    for (const phase of [all.up, all.settled, all.down]) families(phase);
  };
