import type { Cause, KubeObject } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import type { ScalePaths } from "../model/types.ts";
import { simplePath, valueAt } from "./simple-path.ts";

const mostReplicas = 2 ** 31 - 1;

/** Returns the problem with a number of replicas; `undefined` if it is valid or absent. */
const replicasProblem = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  if (!Number.isInteger(value)) return "must be an integer";
  if ((value as number) < 0) return "should be a non-negative integer";
  return (value as number) > mostReplicas ? `should be less than or equal to ${mostReplicas}` : undefined;
};

const selectorProblem = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? undefined : "must be a string";

/**
 * Why an object cannot be scaled, beside what its schema says; none without the subresource. As in a kube-apiserver, fields are written as
 * the definition writes them, with the period in front, and those of the spec do not count when the `status` alone is written.
 */
export const scaleCauses = (
  scale: ScalePaths | undefined,
  object: KubeObject,
  subresource: string,
): readonly Cause[] => {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const causeOf = (path: string, problemOf: (value: unknown) => string | undefined): readonly Cause[] => {
    const value = valueAt(object, simplePath(path) ?? []);
    const problem = problemOf(value);
    return problem === undefined
      ? []
      : [{ reason: "FieldValueInvalid", field: path, message: `Invalid value: ${jsonText(value)}: ${problem}` }];
  };
  return [
    ...(subresource === "status" ? [] : causeOf(specReplicasPath, replicasProblem)),
    ...causeOf(statusReplicasPath, replicasProblem),
    ...(labelSelectorPath === undefined ? [] : causeOf(labelSelectorPath, selectorProblem)),
  ];
};
