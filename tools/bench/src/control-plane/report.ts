import { total, writes } from "../core/audit.ts";
import { type Goal, requestLines, written } from "../core/report.ts";
import type { ControlPlaneFigures, StageFigures } from "./measure.ts";

/** At most this part of upstream's, of time and of requests alike. */
const partOfUpstream = 1 / 3;

const stageLines = ({ name, seconds, requests, cpuSeconds }: StageFigures, clusters: number): readonly string[] => [
  `  ${name} after ${seconds.toFixed(1)} s; ${written(total(requests) / clusters)} requests per cluster, ${written(writes(requests) / clusters)} of them writes; ${written(cpuSeconds / clusters)} CPU-seconds`,
  ...requestLines(requests, clusters),
];

const settledLines = ({ settled }: ControlPlaneFigures): readonly string[] => {
  if (settled === undefined) return [];
  const { seconds, requests, cpuSeconds } = settled;
  return [
    `  settled, in ${seconds} s: ${writes(requests)} writes, ${total(requests) - writes(requests)} reads, ${written(cpuSeconds)} CPU-seconds`,
    ...requestLines(requests, 1),
  ];
};

/** Returns lines about one contestant. */
export const describeControlPlanes = (figures: ControlPlaneFigures): string =>
  [
    `${figures.contestant}, ${figures.clusters} clusters of ${figures.members} members, on ${figures.server}`,
    ...figures.stages.flatMap((each) => stageLines(each, figures.clusters)),
    ...settledLines(figures),
    `  peak memory of the managers ${figures.peakMiB} MiB`,
  ].join("\n");

/** Returns the goal of settled clusters: no write. */
export const settledGoals = ({ settled }: ControlPlaneFigures): readonly Goal[] =>
  settled === undefined
    ? []
    : [{ title: `writes when settled, in ${settled.seconds} s`, value: writes(settled.requests), limit: 0 }];

/** Ours against upstream's, stage by stage. */
export const controlPlaneGoals = (ours: ControlPlaneFigures, theirs: ControlPlaneFigures): readonly Goal[] =>
  ours.stages.flatMap((own) => {
    const their = theirs.stages.find(({ name }) => name === own.name);
    if (their === undefined) return [];
    return [
      { title: `time until ${own.name}`, value: own.seconds / their.seconds, limit: partOfUpstream },
      {
        title: `requests until ${own.name}`,
        value: total(own.requests) / total(their.requests),
        limit: partOfUpstream,
      },
    ];
  });
