import type { Options } from "./options.ts";
import { type Figure, type Sample, type Workload, workloads } from "./workloads.ts";

/** All runs of one workload on one server. */
export interface Measured {
  readonly samples: readonly Sample[];
  /** CPU time of the server in all of them. */
  readonly cpuMs: number;
}

export interface Contestant {
  readonly name: string;
  readonly startMs: number;
  readonly startCpuMs: number;
  /** MiB; `filled` with the listed collection. */
  readonly memory: { readonly empty: number; readonly filled: number; readonly peak: number };
  readonly measured: ReadonlyMap<Workload, Measured>;
}

const startBarMs = 1_000;
/** Time to start of a kube-apiserver 1.36 with etcd on two idle cores, in milliseconds. */
const startReferenceMs = 5_000;
const memoryBarMiB = 350;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const figures: Readonly<Record<Figure, (samples: readonly Sample[]) => readonly number[]>> = {
  perSecond: (samples) => [
    quantile(
      samples.map(({ operations, seconds }) => operations / seconds),
      0.5,
    ),
  ],
  milliseconds: (samples) => [
    quantile(
      samples.map(({ seconds }) => seconds * 1000),
      0.5,
    ),
  ],
  seconds: (samples) => [
    quantile(
      samples.map(({ seconds }) => seconds),
      0.5,
    ),
  ],
  latency: (samples) => {
    const waits = samples.flatMap(({ latenciesMs = [] }) => latenciesMs);
    return [quantile(waits, 0.5), quantile(waits, 0.99)];
  },
};

const units: Readonly<Record<Figure, string>> = { perSecond: "/s", milliseconds: " ms", seconds: " s", latency: " ms" };

const written = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));

interface Line {
  readonly title: string;
  readonly unit: string;
  readonly atLeast: boolean;
  readonly bar: readonly number[];
  readonly reference?: readonly number[];
  /** Values of each contestant. */
  readonly values: readonly (readonly number[])[];
  /** Milliseconds of CPU per operation, of each contestant. */
  readonly cpu?: readonly number[];
}

const workloadLines = (contestants: readonly Contestant[]): readonly Line[] =>
  workloads
    .filter((workload) => contestants.every(({ measured }) => measured.has(workload)))
    .map((workload) => {
      const measured = contestants.map((contestant) => contestant.measured.get(workload) as Measured);
      return {
        title: workload.title,
        unit: units[workload.figure],
        atLeast: workload.figure === "perSecond",
        bar: workload.bar,
        reference: workload.reference,
        values: measured.map(({ samples }) => figures[workload.figure](samples)),
        cpu: measured.map(({ samples, cpuMs }) => cpuMs / samples.reduce((sum, { operations }) => sum + operations, 0)),
      };
    });

const atMost = (title: string, unit: string, bar: number, values: readonly number[]): Line => ({
  title,
  unit,
  atLeast: false,
  bar: [bar],
  values: values.map((value) => [value]),
});

/** Returns the ratio of a figure to its limit: at most 1 is met. */
const excess = (atLeast: boolean, figures: readonly number[], limits: readonly (number | undefined)[]): number =>
  Math.max(
    ...figures.map((figure, index) => {
      const limit = limits[index] ?? 0;
      return atLeast ? limit / figure : figure / limit;
    }),
  );

/**
 * Returns whether the bar is met: by the figure itself, or by its ratio to the real server, which feels the same load. The bar then is what it
 * is to the real server's figure on idle cores. What is missed says how many times over (or under) the bar it is, and the ratio.
 */
const verdict = ({ atLeast, bar, reference, values: [own = [], other] }: Line): string => {
  const absolute = excess(atLeast, own, bar);
  if (absolute <= 1) {
    return "met";
  }
  if (reference === undefined || other === undefined) {
    return `MISSED ${written(absolute)}x`;
  }
  const limits = bar.map((limit, index) => (limit / (reference[index] ?? 1)) * (other[index] ?? 0));
  const relative = excess(atLeast, own, limits);
  return relative <= 1 ? "met by ratio" : `MISSED ${written(absolute)}x, by ratio ${written(relative)}x`;
};

const cells = (line: Line): readonly string[] => {
  const { title, unit, atLeast, bar, values, cpu } = line;
  const [own = [], other] = values;
  const ratio =
    other === undefined ? [] : [own.map((value, index) => written(value / (other[index] ?? 1))).join(" / ")];
  const cpuRatio = cpu?.[1] === undefined ? [] : [written((cpu[0] ?? 0) / cpu[1])];
  return [
    title,
    `${atLeast ? "≥" : "≤"} ${bar.join(" / ")}${unit}`,
    verdict(line),
    ...values.map((value) => value.map(written).join(" / ") + unit),
    ...ratio,
    ...(cpu === undefined ? values.map(() => "") : cpu.map((value) => `${written(value)} ms`)),
    ...(values.length > 1 ? [cpuRatio[0] ?? ""] : []),
  ];
};

/** Prints one table: bars, figures, ratios to the real server, CPU time of the server per operation. */
export const printReport = (contestants: readonly Contestant[], { rounds, objects, audit }: Options): void => {
  const lines = [
    ...workloadLines(contestants),
    {
      ...atMost(
        "start to ready",
        " ms",
        startBarMs,
        contestants.map(({ startMs }) => startMs),
      ),
      reference: [startReferenceMs],
      cpu: contestants.map(({ startCpuMs }) => startCpuMs),
    },
    atMost(
      "memory, empty",
      " MiB",
      memoryBarMiB,
      contestants.map(({ memory }) => memory.empty),
    ),
    atMost(
      `memory with ${objects} objects`,
      " MiB",
      memoryBarMiB,
      contestants.map(({ memory }) => memory.filled),
    ),
    atMost(
      "memory, peak",
      " MiB",
      memoryBarMiB,
      contestants.map(({ memory }) => memory.peak),
    ),
  ];
  const names = contestants.map(({ name }) => name);
  const isCompared = contestants.length > 1;
  const head = [
    "",
    "bar",
    "",
    ...names,
    ...(isCompared ? ["ratio"] : []),
    ...names.map((name) => `CPU ${name}`),
    ...(isCompared ? ["CPU ratio"] : []),
  ];
  // Only the figures of a real server tell what a bar means on this machine.
  const judged = audit ? lines.map(({ reference: _reference, ...line }): Line => line) : lines;
  const rows = [head, head.map(() => "---"), ...judged.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  console.log(`\n${rounds} rounds, ${objects} objects; medians; CPU is the server's, per operation\n`);
  for (const row of rows) {
    const padded = row.map((cell, column) =>
      cell === "---" ? "-".repeat(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    console.log(`| ${padded.join(" | ")} |`);
  }
};
