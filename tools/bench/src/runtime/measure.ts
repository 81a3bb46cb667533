import { createHistogram, performance, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Cost of a stretch of work. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** For how long others had to wait, in milliseconds. */
export interface Delays {
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The same in CPU time of the main thread: what is left when the machine has other work too. */
  readonly cpuP99Ms: number;
  readonly cpuMaxMs: number;
}

export const measured = async (work: () => Promise<void>): Promise<Cost> => {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
};

/** Looks every millisecond, which costs a little itself. */
export const watched = async (work: () => Promise<void>): Promise<Cost & Delays> => {
  const walls = createHistogram();
  const cpus = createHistogram();
  let wallAt = performance.now();
  let cpuAt = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(cpuAt);
    walls.record(Math.max(1, Math.round((now - wallAt) * 1000)));
    cpus.record(Math.max(1, user + system));
    wallAt = now;
    cpuAt = process.threadCpuUsage();
  }, 1);
  try {
    const cost = await measured(work);
    const ms = (us: number): number => us / 1000;
    return {
      ...cost,
      p99Ms: ms(walls.percentile(99)),
      maxMs: ms(walls.max),
      cpuP99Ms: ms(cpus.percentile(99)),
      cpuMaxMs: ms(cpus.max),
    };
  } finally {
    clearInterval(timer);
  }
};

/** MiB of live objects, after two full collections: the first one only finds what has weak references. */
export const heapMiB = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

export const rssMiB = (): number => process.memoryUsage().rss / 2 ** 20;

/**
 * Resolves when nothing has been collected for 20 seconds: about 8 seconds after a busy time the collector goes through the whole
 * heap once more to give memory back, which belongs to that time.
 */
export const collectorAtRest = async (): Promise<void> => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  observer.observe({ entryTypes: ["gc"] });
  for (let seen = -1; seen !== collections;) {
    seen = collections;
    await pause(20_000);
  }
  observer.disconnect();
};
