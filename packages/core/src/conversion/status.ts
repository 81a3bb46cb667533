import type { Move } from "@capstan/kit/conversion";

const deprecated = (names: readonly string[]): readonly Move[] =>
  ["conditions", ...names].map((name) => [`status.${name}`, `status.deprecated.v1beta1.${name}`]);

const newer = (names: readonly string[]): readonly Move[] =>
  ["conditions", ...names].map((name) => [`status.v1beta2.${name}`, `status.${name}`]);

/** Conditions and the named fields of both generations, each where its version has them. */
export const statusMoves = (older: readonly string[], own: readonly string[] = []): readonly Move[] => [
  ...deprecated(older),
  ...newer(own),
];

export const failure = ["failureReason", "failureMessage"];
export const newerCounters = ["readyReplicas", "availableReplicas", "upToDateReplicas"];
