import { parseArgs } from "node:util";
import type { FleetPhase } from "@capstan/testing/fleet";
import { count } from "./count.ts";
import { fleetOn, readsIn, refusedIn } from "./fleet/fleet.ts";
import { fleetSubjects } from "./fleet/subjects.ts";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const print = (name: string, phase: FleetPhase, { machines, waitMs }: { machines: number; waitMs: number }): void => {
  const { leastMs, ms, requests } = phase;
  const reads = readsIn(phase);
  const per = (count: number): string => (count / machines).toFixed(1);
  const ratio = (ms / Math.max(leastMs + waitMs, 1)).toFixed(2);
  console.log(
    `${name.padEnd(8)} ${seconds(ms).padStart(8)}  ${per(reads)} reads and ${per(requests.length - reads)} writes a machine, ` +
      `${refusedIn(phase).length} refused; limits alone ${seconds(leastMs)}, with what one machine takes ${seconds(leastMs + waitMs)}: ratio ${ratio}`,
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
 * clock, beside one cluster of one machine: requests per machine, and how much longer it takes than the limits alone do.
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
    const one = await fleetOn(subject, { clusters: 1, machines: 1 });
    const all = await fleetOn(subject, size);
    const machines = size.clusters * size.machines;
    console.log(`${cloud}: ${size.clusters} clusters of ${size.machines} machines, virtual time`);
    print("up", all.up, { machines, waitMs: one.up.ms });
    print("down", all.down, { machines, waitMs: one.down.ms });
    console.log(
      `settled  ${all.settled.requests.length} requests in a sync period, ${refusedIn(all.settled).length} refused`,
    );
    if (!values.families) return;
    for (const phase of [all.up, all.settled, all.down]) families(phase);
  };
