import { once } from "node:events";
import { startLoad } from "./load-process.ts";
import type { Options } from "./options.ts";
import { startEmbedded, type Subject } from "./subject.ts";

const sampleEveryMs = 10_000;
const mebibyte = 2 ** 20;

/** Memory after a garbage collection, in MiB. */
interface MemorySample {
  readonly seconds: number;
  readonly heap: number;
  readonly outside: number;
  readonly resident: number;
}

const sampleMemory = async ({ process: child }: Subject, started: number): Promise<MemorySample> => {
  child.send("memory");
  const [usage] = (await once(child, "message")) as [NodeJS.MemoryUsage];
  return {
    seconds: (performance.now() - started) / 1000,
    heap: usage.heapUsed / mebibyte,
    outside: (usage.external + usage.arrayBuffers) / mebibyte,
    resident: usage.rss / mebibyte,
  };
};

/** MiB per minute by which the values grow, by least squares. */
const slope = (samples: readonly MemorySample[], value: (sample: MemorySample) => number): number => {
  const mean = (of: (sample: MemorySample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [x, y] = [mean(({ seconds }) => seconds / 60), mean(value)];
  const covariance = mean((sample) => (sample.seconds / 60 - x) * (value(sample) - y));
  const variance = mean(({ seconds }) => (seconds / 60 - x) ** 2);
  return variance === 0 ? 0 : covariance / variance;
};

/** Churns on the embedded server and prints its memory after garbage collections, and how it grows in the second half. */
export const soak = async (options: Options & { readonly seconds: number }): Promise<void> => {
  const subject = await startEmbedded(options);
  const load = startLoad();
  try {
    await load.ask({ prepare: subject.url, options: { scale: 1, objects: 0 } });
    const started = performance.now();
    const samples: MemorySample[] = [];
    const churned = load.ask({ churn: options.seconds });
    console.log("    time     heap  outside  resident (MiB)");
    let requests: unknown;
    while (requests === undefined) {
      const sample = await sampleMemory(subject, started);
      samples.push(sample);
      const columns = [sample.heap, sample.outside, sample.resident].map((value) => value.toFixed(0).padStart(8));
      console.log(`${sample.seconds.toFixed(0).padStart(6)} s ${columns.join(" ")}`);
      requests = await Promise.race([churned, new Promise((resolve) => setTimeout(resolve, sampleEveryMs))]);
    }
    const half = samples.slice(Math.floor(samples.length / 2));
    console.log(
      `${String(requests)} requests; in the second half the heap grows by ${slope(half, ({ heap }) => heap).toFixed(1)} MiB and the resident memory by ${slope(half, ({ resident }) => resident).toFixed(1)} MiB per minute`,
    );
  } finally {
    load.end();
    await subject.stop();
  }
};
