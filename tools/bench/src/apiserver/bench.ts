import { crowd } from "./crowd.ts";
import { type LoadProcess, startLoad } from "./load-process.ts";
import { type Options, readOptions } from "./options.ts";
import { cpuMs, memoryMiB } from "../process-usage.ts";
import { type Measured, printReport } from "./report.ts";
import { soak } from "./soak.ts";
import { stops } from "./stops.ts";
import { startBaseline, startEmbedded, type Subject } from "./subject.ts";
import { type Sample, type Workload, workloads } from "./workloads.ts";

/** A server with its load generator and what has been measured. */
interface Contestant {
  readonly subject: Subject;
  readonly load: LoadProcess;
  readonly measured: Map<Workload, Measured>;
  readonly memory: { readonly empty: number; filled: number };
}

const enter = async (subject: Subject, { scale, objects }: Options): Promise<Contestant> => {
  const empty = memoryMiB(subject.pids).now;
  const load = startLoad();
  await load.ask({ prepare: subject.url, options: { scale, objects } });
  const filled = memoryMiB(subject.pids).now;
  return { subject, load, measured: new Map(), memory: { empty, filled } };
};

const measure = async ({ subject, load, measured }: Contestant, workload: Workload): Promise<void> => {
  const before = cpuMs(subject.pids);
  const sample = (await load.ask({ run: workload.title })) as Sample;
  const known = measured.get(workload) ?? { samples: [], cpuMs: 0 };
  measured.set(workload, {
    samples: [...known.samples, sample],
    cpuMs: known.cpuMs + cpuMs(subject.pids) - before,
  });
};

/** Round after round, each workload on one server after the other: what disturbs the machine disturbs all alike. */
const compete = async (contestants: readonly Contestant[], options: Options): Promise<void> => {
  const chosen = workloads.filter(({ title }) => options.only.test(title));
  for (let round = 1; round <= options.rounds; round++) {
    for (const workload of chosen.filter(({ last }) => last !== true || round === options.rounds)) {
      for (const contestant of round % 2 === 0 ? contestants.toReversed() : contestants) {
        await measure(contestant, workload);
      }
    }
    console.log(`round ${round} of ${options.rounds} done`);
  }
};

/**
 * `npm run bench -- apiserver`: the embedded API server's speed and memory, beside a real kube-apiserver and etcd when a folder with
 * those is given.
 */
export const apiserverBench = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => process.exit(1));
  }
  if (options.stops) {
    await stops(options);
    return;
  }
  if (options.crowd) {
    await crowd(options);
    return;
  }
  if (options.soakSeconds !== undefined) {
    await soak({ ...options, seconds: options.soakSeconds });
    return;
  }
  const contestants: Contestant[] = [];
  try {
    contestants.push(await enter(await startEmbedded({ ...options, audit: false }), options));
    if (options.audit) {
      contestants.push(await enter(await startEmbedded({ ...options, audit: true }), options));
    } else if (options.baseline !== undefined) {
      contestants.push(await enter(await startBaseline(options.baseline), options));
    }
    await compete(contestants, options);
    printReport(
      contestants.map(({ subject, measured, memory }) => ({
        name: subject.name,
        startMs: subject.startMs,
        startCpuMs: subject.startCpuMs,
        memory: { ...memory, peak: memoryMiB(subject.pids).peak },
        measured,
      })),
      options,
    );
  } finally {
    for (const { subject, load } of contestants) {
      load.end();
      await subject.stop();
    }
  }
};
