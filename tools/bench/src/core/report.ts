import { type Requests, total, writes } from "./audit.ts";
import type { Figures } from "./figures.ts";
import { machinesOf } from "./options.ts";
import { type Histogram, quantileOf } from "./queue-waits.ts";

export const written = (value: number): string =>
  value === 0 ? "0" : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);

const per = (value: number, figures: Figures): string => written(value / machinesOf(figures.shape));

/** Calls that are fewer than this share of what they are counted for are not listed. */
const listedShare = 0.05;

/** A line for each call with its number for each of so many, the most frequent first. */
export const requestLines = (requests: Requests, of: number): readonly string[] =>
  [...requests.calls]
    .filter(([, count]) => count >= of * listedShare)
    .toSorted(([, a], [, b]) => b - a)
    .map(([call, count]) => `    ${call.padEnd(44)} ${written(count / of).padStart(7)}`);

const waitsShown = 3;

const waitLine = (waits: ReadonlyMap<string, Histogram>): readonly string[] => {
  const found = [...waits]
    .flatMap(([controller, histogram]) => {
      const seconds = quantileOf(histogram, 0.95);
      return seconds === undefined ? [] : [{ controller, seconds }];
    })
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, waitsShown)
    .map(({ controller, seconds }) => `${controller} ${written(seconds)} s`);
  return found.length === 0 ? [] : [`  p95 of the wait in queues, the longest: ${found.join(", ")}`];
};

const rate = (requests: Requests, figures: Figures): string =>
  `${per(total(requests), figures)} requests per Machine, ${per(writes(requests), figures)} of them writes`;

const settledLines = ({ settled }: Figures): readonly string[] => {
  if (settled === undefined) return [];
  const { seconds, requests, cpuSeconds } = settled;
  const calls = [...requests.calls].map(([call, count]) => `${call} ${count}`).join(", ");
  return [
    `  settled, in ${seconds} s: ${writes(requests)} writes, ${total(requests) - writes(requests)} reads, ${requests.watches} watches begun, ${written(cpuSeconds)} CPU-seconds${calls === "" ? "" : `: ${calls}`}`,
  ];
};

/** Formats the figures of one contestant. */
export const describeFigures = (figures: Figures): string => {
  const {
    contestant,
    server,
    shape,
    startRequests,
    runningSeconds,
    requests,
    cpuSeconds,
    deleteSeconds,
    deleteRequests,
  } = figures;
  const machines = machinesOf(shape);
  return [
    `${contestant}, ${shape.clusters} x (1 + ${shape.workers}) = ${machines} Machines, on ${server}`,
    `  to start: ${total(startRequests)} requests, ${startRequests.watches} watches begun, ${startRequests.leases} about Leases`,
    `  all Running after ${runningSeconds.toFixed(1)} s, ${written(machines / runningSeconds)} Machines per second`,
    `  ${rate(requests, figures)}; besides ${requests.watches} watches begun, ${requests.leases} about Leases`,
    ...requestLines(requests, machines),
    `  CPU-seconds per Machine: managers ${per(cpuSeconds.managers, figures)}, API server ${per(cpuSeconds.server, figures)}, infrastructure and workload clusters ${per(cpuSeconds.standIn, figures)}`,
    `  peak memory of the managers ${figures.peakMiB} MiB`,
    ...waitLine(figures.queueWaits),
    ...settledLines(figures),
    `  deleted after ${deleteSeconds.toFixed(1)} s; ${rate(deleteRequests, figures)}`,
    ...requestLines(deleteRequests, machines),
  ].join("\n");
};

/** A figure that has to be at most something. */
export interface Goal {
  readonly title: string;
  readonly value: number;
  readonly limit: number;
}

export const verdict = ({ value, limit }: Goal): string => {
  if (value <= limit) return "met";
  return limit === 0 ? `missed by ${written(value)}` : `missed by ${written((value / limit - 1) * 100)} %`;
};

const goalLines = (goals: readonly Goal[]): readonly string[] => {
  const width = Math.max(...goals.map(({ title }) => title.length));
  return goals.map((goal) => {
    const { title, value, limit } = goal;
    return `  ${title.padEnd(width)}  ${written(value).padStart(7)}  goal <= ${String(limit).padEnd(4)}  ${verdict(goal)}`;
  });
};

const requestsPerMachine = (figures: Figures): number => total(figures.requests) / machinesOf(figures.shape);
const writesPerMachine = (figures: Figures): number => writes(figures.requests) / machinesOf(figures.shape);
const cpuPerMachine = (figures: Figures): number => figures.cpuSeconds.managers / machinesOf(figures.shape);

/** Returns the goals for writes after all Machines have been Running for some seconds. */
const lateWrites = ({ settled }: Figures): readonly Goal[] =>
  settled === undefined
    ? []
    : [{ title: `writes when settled, in ${settled.seconds} s`, value: writes(settled.requests), limit: 0 }];

/** Ours against upstream's, with the same shape on the same kind of server. */
export const comparisonGoals = (ours: Figures, theirs: Figures): readonly Goal[] => [
  { title: "time until all are Running", value: ours.runningSeconds / theirs.runningSeconds, limit: 0.18 },
  { title: "requests per Machine", value: requestsPerMachine(ours) / requestsPerMachine(theirs), limit: 0.25 },
  { title: "peak memory", value: ours.peakMiB / theirs.peakMiB, limit: 0.6 },
  { title: "time to delete", value: ours.deleteSeconds / theirs.deleteSeconds, limit: 0.3 },
  ...lateWrites(ours),
];

/** Returns the goals that only ours has to reach; the budget of many clusters applies from a hundred on. */
export const ownGoals = (figures: Figures): readonly Goal[] => {
  const longest = Math.max(0, ...[...figures.queueWaits.values()].map((waits) => quantileOf(waits, 0.95) ?? 0));
  const isMany = figures.shape.clusters >= 100;
  return [
    { title: "requests per Machine", value: requestsPerMachine(figures), limit: 10 },
    ...lateWrites(figures),
    ...(isMany
      ? [
          { title: "seconds until all are Running", value: figures.runningSeconds, limit: 600 },
          { title: "writes per Machine", value: writesPerMachine(figures), limit: 30 },
          { title: "p95 of the longest queue wait, seconds", value: longest, limit: 2 },
        ]
      : []),
  ];
};

/** CPU per Machine must hardly grow with their number. */
export const growthGoal = (small: Figures, large: Figures): Goal => ({
  title: `CPU per Machine, ${machinesOf(large.shape)} against ${machinesOf(small.shape)}`,
  value: cpuPerMachine(large) / cpuPerMachine(small),
  limit: 1.2,
});

export const describeGoals = (title: string, goals: readonly Goal[]): string => [title, ...goalLines(goals)].join("\n");
