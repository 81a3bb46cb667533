import type { Move } from "./shape.ts";
import { durationToSeconds } from "./values.ts";

const deprecated = (names: readonly string[]): readonly Move[] =>
  ["conditions", ...names].map((name) => [`status.${name}`, `status.deprecated.v1beta1.${name}`]);

const newer = (names: readonly string[]): readonly Move[] =>
  ["conditions", ...names].map((name) => [`status.v1beta2.${name}`, `status.${name}`]);

/** Conditions and the named fields of both generations, each where its version has them. */
export const statusMoves = (older: readonly string[], own: readonly string[] = []): readonly Move[] => [
  ...deprecated(older),
  ...newer(own),
];

/** The failure fields of the first API generation. */
export const failure = ["failureReason", "failureMessage"];
/** Counters that v1beta2 counts by conditions of Machines. */
export const newerCounters = ["readyReplicas", "availableReplicas", "upToDateReplicas"];

/** Counters of the older version, which are there in any case: programs in Go write 0 as well. */
export const zeroCounters = (names: readonly string[]): Readonly<Record<string, unknown>> => ({
  status: {},
  ...Object.fromEntries(names.map((name) => [`status.${name}`, 0])),
});

/** Timeouts of a Machine's deletion. */
export const deletionMoves: readonly Move[] = [
  "nodeDrainTimeout",
  "nodeVolumeDetachTimeout",
  "nodeDeletionTimeout",
].map((name) => [name, `deletion.${name}Seconds`, durationToSeconds]);
