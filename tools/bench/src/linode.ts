import { writeFileSync } from "node:fs";
import { openDataFolder, silentView, simulatedLinode, startSystem, waitUntilRunning } from "@capstan/cli/up";
import { silentLogger } from "@capstan/contract";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { createSimulation } from "@capstan/sim-linode";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { linodeManifest } from "./linode-manifest.ts";
import { RequestCounter } from "./requests.ts";

interface Figures {
  readonly machines: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly requests: ReadonlyMap<string, number>;
  readonly settledWrites: number;
  readonly cloudRequests: number;
}

const settledMs = 60_000;

/** A simulated cloud without rate limits, and how many requests it has been sent. */
const countedSimulation = () => {
  let count = 0;
  const create = async (outside: SimulationOutsideV1) => {
    const simulation = await createSimulation(outside, { rateLimits: [] });
    simulation.simulator.requests.subscribe(() => {
      count += 1;
    });
    return simulation;
  };
  return { create, requests: () => count };
};

/** One cluster with one control-plane Machine and `machines` workers, from nothing to Running, in one process with everything simulated. */
const run = async (machines: number, settle: boolean): Promise<Figures> => {
  const data = openDataFolder("", { temporary: true });
  const file = data.file("bench.yaml");
  writeFileSync(file, linodeManifest(machines));
  const counter = new RequestCounter();
  const cloud = countedSimulation();
  const sampler = peakMemory();
  const before = process.cpuUsage();
  const started = performance.now();
  const system = await startSystem(simulatedLinode([file]), {
    clock: systemClock,
    random: cryptoRandom,
    log: silentLogger,
    view: silentView,
    data,
    variables: () => undefined,
    wrapConnection: (connection) => counter.wrap(connection),
    simulations: { linode: cloud.create },
  });
  try {
    await waitUntilRunning(system, {
      clock: systemClock,
      timeoutMs: 30 * 60_000,
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - started) / 1000;
    const cpu = process.cpuUsage(before);
    const requests = new Map(counter.counts);
    const cloudRequests = cloud.requests();
    counter.reset();
    if (settle) {
      // The last reconciles after the last change belong to the work, not to the settled system.
      await systemClock.sleep(5000);
      counter.reset();
      await systemClock.sleep(settledMs);
    }
    return {
      machines: machines + 1,
      seconds,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      peakMiB: sampler.stop(),
      requests,
      settledWrites: counter.total(true),
      cloudRequests,
    };
  } finally {
    await system.stop();
    data.close();
  }
};

const peakMemory = (): { readonly stop: () => number } => {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 100);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.round(peak / 2 ** 20);
    },
  };
};

const per = (value: number, machines: number): string => (value / machines).toFixed(value / machines < 10 ? 2 : 1);

const print = (figures: Figures): void => {
  const { machines, seconds, cpuSeconds, peakMiB, cloudRequests } = figures;
  const total = [...figures.requests.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\n${machines} Machines: all Running after ${seconds.toFixed(1)} s, ${(machines / seconds).toFixed(1)} machines/s`,
  );
  console.log(
    `  ${per(cpuSeconds, machines)} CPU-seconds per Machine, peak memory ${peakMiB} MiB (API servers, controllers, cloud and guests in one process)`,
  );
  console.log(
    `  ${per(total, machines)} requests per Machine to the management API, ${per(cloudRequests, machines)} to the cloud`,
  );
  for (const [key, count] of [...figures.requests].toSorted(([, a], [, b]) => b - a)) {
    if (count >= machines / 10) console.log(`    ${key.padEnd(44)} ${per(count, machines).padStart(7)}`);
  }
};

/** `npm run bench -- linode [machines]`: the whole path on the simulated Linode, beside a tenth of it as the baseline. */
export const linodeBench = async ([count = "200"]: readonly string[]): Promise<void> => {
  const machines = Number(count);
  const small = await run(Math.max(1, Math.round(machines / 10)), false);
  print(small);
  const large = await run(machines, true);
  print(large);
  const ratio = (of: (figures: Figures) => number): string =>
    (of(large) / large.machines / (of(small) / small.machines)).toFixed(2);
  console.log(
    `\nper Machine, ${large.machines} against ${small.machines}: time ${ratio((figures) => figures.seconds)}, CPU ${ratio((figures) => figures.cpuSeconds)}, requests ${ratio((figures) => [...figures.requests.values()].reduce((sum, value) => sum + value, 0))}`,
  );
  console.log(`writes in a settled minute: ${large.settledWrites}`);
};
