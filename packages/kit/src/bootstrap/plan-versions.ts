import { isCapstanError } from "@capstan/contract";
import type { PlanAskerV1, PlanV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";

/** Throws a `CapstanError` when machines with this config cannot run the version that is asked for. */
export type VersionCheck = (config: KubeObject, askedBy: PlanAskerV1) => unknown;

/** The plan of a bootstrap provider: nothing is made at a cloud, and a version that cannot be installed is a problem. */
export const planVersions =
  (check: VersionCheck): PlanV1 =>
  ({ items }) => {
    const problems = items.flatMap(({ after, askedBy }) => {
      if (after === undefined || askedBy === undefined) return [];
      try {
        check(after, askedBy);
        return [];
      } catch (error) {
        if (!isCapstanError(error)) throw error;
        return [{ object: askedBy.object, message: error.message }];
      }
    });
    return Promise.resolve({ resources: [], problems });
  };
