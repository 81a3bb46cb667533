import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { parseArgs } from "node:util";
import { runInNewContext } from "node:vm";
import { openDataFolder, type RunningSystem, silentView, simulatedLinode, startSystem } from "@capstan/cli/up";
import { silentLogger } from "@capstan/contract";
import { MachineDeploymentResource, MachineResource, valueAt } from "@capstan/contract/wire";
import { createSimulation } from "@capstan/sim-linode";
import { keyOf } from "@capstan/kube-values";
import { type FakeClock, recentClock, seededRandom } from "@capstan/testing";
import { count } from "./count.ts";

const example = join(import.meta.dirname, "../../../examples/linode/k3s.yaml");
const workers = 8;
const minuteMs = 60_000;

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0).padStart(5);

/** The garbage collector of V8, which is a function of programs that ask for it. */
const collector = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
};

const started = async (clock: FakeClock): Promise<RunningSystem> => {
  let isOver = false;
  const start = startSystem(
    { ...simulatedLinode([example]), inMemory: true },
    {
      clock,
      random: seededRandom(7),
      log: silentLogger,
      view: silentView,
      data: openDataFolder("", { temporary: true }),
      variables: () => undefined,
      simulations: { linode: createSimulation },
    },
  );
  void start.catch(() => undefined).finally(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 50 });
  const system = await start;
  await clock.advanceUntil(() => system.progress.verdict().running, { stepMs: 250, maxMs: 600_000 });
  return system;
};

/**
 * `npm run bench -- soak [--machines N]`: Machines of one cluster on the simulated Linode, made and deleted eight at a time, one round in
 * ten minutes of virtual time. Prints the heap after a garbage collection: what grows to the end is kept by someone.
 */
export const soakBench = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options: { machines: { type: "string", default: "2000" } } });
  const rounds = Math.ceil(count("machines", values.machines) / workers);
  const clock = recentClock();
  const system = await started(clock);
  const collect = collector();
  const { client } = system;
  const [deployment] = (await client.list(MachineDeploymentResource)).items;
  if (deployment === undefined) throw new Error(`${example} has no MachineDeployment`);
  const first = (await client.list(MachineResource)).items.length;
  const scaled = async (replicas: number, total: number): Promise<void> => {
    await client.patch(MachineDeploymentResource, keyOf(deployment), { type: "merge", body: { spec: { replicas } } });
    const isDone = async (): Promise<boolean> => {
      const { items } = await client.list(MachineResource);
      return items.length === total && items.every((machine) => valueAt(machine, "status.phase") === "Running");
    };
    await clock.advanceUntil(isDone, { stepMs: 250, maxMs: 3_600_000 });
  };
  const others = first - Number(valueAt(deployment, "spec.replicas"));
  console.log("Machines  heap MiB  buffers MiB  virtual time");
  const began = clock.now();
  for (let round = 1; round <= rounds; round++) {
    await scaled(workers, others + workers);
    await scaled(0, others);
    const end = began + round * 10 * minuteMs;
    if (clock.now() < end) await clock.advanceUntil(() => clock.now() >= end, { stepMs: 5000, maxMs: 20 * minuteMs });
    if (round % Math.max(1, Math.round(rounds / 20)) !== 0) continue;
    collect();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    const minutes = Math.round((clock.now() - began) / minuteMs);
    const figures = [mebibytes(heapUsed), "    ", mebibytes(arrayBuffers), "       ", `${minutes} min`];
    console.log(`${String(round * workers).padStart(8)}  ${figures.join("")}`);
  }
  await system.stop();
};
