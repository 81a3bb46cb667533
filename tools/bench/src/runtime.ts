import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { CacheFigures } from "./runtime/cache-load.ts";
import type { Delays } from "./runtime/measure.ts";

const child = (file: string, args: readonly string[]): ChildProcess =>
  fork(new URL(`./runtime/${file}`, import.meta.url), args, {
    execArgv: ["--conditions=@capstan/source", ...process.execArgv.filter((flag) => flag.startsWith("--cpu-prof"))],
  });

/** Runs the cache in one process against the server in another, and passes orders on between them. */
const cacheFigures = async (objects: number): Promise<CacheFigures> => {
  const server = child("watch-server.ts", [String(objects)]);
  try {
    const [{ port }] = (await once(server, "message")) as [{ readonly port: number }];
    const measured = child("cache-load.ts", [String(port)]);
    const ended = Promise.withResolvers<CacheFigures>();
    server.on("message", () => measured.send({ done: true }));
    measured.on("message", (message: { readonly figures?: CacheFigures }) => {
      if (message.figures === undefined) server.send(message);
      else ended.resolve(message.figures);
    });
    measured.on("exit", (code) => ended.reject(new Error(`the measured process ended with ${code}`)));
    return await ended.promise;
  } finally {
    server.kill();
  }
};

const line = (budget: string, what: string, figure: string, limit: string): void =>
  console.log(`${budget.padEnd(3)} ${what.padEnd(46)} ${figure.padStart(22)}   ${limit}`);

const wallAndCpu = (wall: number, cpu: number): string => `${wall.toFixed(1)} ms (${cpu.toFixed(1)} ms CPU)`;

const delays = (budget: string, what: string, { p99Ms, maxMs, cpuP99Ms, cpuMaxMs }: Delays): void => {
  line(budget, `event loop delay p99, ${what}`, wallAndCpu(p99Ms, cpuP99Ms), "20 ms");
  line(budget, `event loop delay max, ${what}`, wallAndCpu(maxMs, cpuMaxMs), "60 ms");
};

/** `npm run bench -- runtime [objects]`: the budgets of the cache, for this many objects of each of six kinds. */
export const runtimeBench = async ([objects = "10000"]: readonly string[]): Promise<void> => {
  const figures = await cacheFigures(Number(objects));
  console.log(`\n${6 * Number(objects)} objects of six kinds\n`);
  line("P1", "CPU to ingest", `${figures.ingest.cpuSeconds.toFixed(2)} s`, "3 s");
  line("P1", "wall time to ingest", `${figures.ingest.seconds.toFixed(2)} s`, "-");
  line("P1", "heap once settled", `${figures.heapMiB.toFixed(0)} MiB`, "250 MiB");
  line("P1", "peak RSS while ingesting", `${figures.peakRssMiB.toFixed(0)} MiB`, "600 MiB");
  delays("P2", "ingest", figures.ingest);
  delays("P2", "1000 events/s", figures.churn);
  line("P2", "CPU at 1000 events/s", `${((100 * figures.churn.cpuSeconds) / figures.churn.seconds).toFixed(1)} %`, "-");
  line("P6", "CPU when idle", `${((100 * figures.idle.cpuSeconds) / figures.idle.seconds).toFixed(2)} %`, "2 %");
  line("P6", "heap slope, half an hour of churn in a minute", `${figures.heapSlope.toFixed(2)} MiB/h`, "1 MiB/h");
};
