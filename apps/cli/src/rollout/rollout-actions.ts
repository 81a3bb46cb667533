import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import {
  failure,
  findSubject,
  labelOf,
  rolloutSubjects,
  type Placed,
  type RolloutEnvironment,
  type RolloutObject,
} from "./rollout-subjects.ts";

const attempts = 10;

/**
 * Reads the object and changes it as `decide` says, by a merge patch or not at all. No one else's change in between is overwritten: what was
 * decided on is read again.
 */
export const changeSubject = async (
  environment: RolloutEnvironment,
  target: Placed,
  decide: (object: RolloutObject) => Promise<{ readonly metadata?: object; readonly spec?: object } | undefined>,
): Promise<void> => {
  const { client, signal } = environment;
  const { kind, name, namespace } = target;
  for (let attempt = 1; ; attempt++) {
    const object = await findSubject(environment, target);
    const change = await decide(object);
    if (change === undefined) return;
    const { resourceVersion } = object.metadata;
    const body = { ...change, metadata: { ...change.metadata, resourceVersion } };
    try {
      await client.patch(rolloutSubjects[kind].resource, { name, namespace }, { type: "merge", body }, { signal });
      return;
    } catch (error) {
      if (!isCapstanError(error, "kube.conflict") || attempt === attempts) throw error;
    }
  }
};

/** Throws `rollouts.paused`. */
export const refusePaused = (target: Placed, object: RolloutObject): void => {
  if (!rolloutSubjects[target.kind].isPaused(object)) return;
  const label = labelOf(target);
  const message = `${label} is paused; run capstan rollout resume ${label} first`;
  throw failure("rollouts.paused", "Paused", message);
};

const second = 1000;

/** A time that has come, and that is later than everything made: what is made in the same second would count as new. */
const afterAll = async ({ clock, signal }: RolloutEnvironment, made: readonly KubeObject[]): Promise<string> => {
  const newest = Math.max(...made.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? "") || 0), 0);
  const wait = newest + second - clock.now();
  // One from the future is of another clock, for which no one waits.
  if (wait > 0 && wait <= second) await clock.sleep(wait, { signal });
  return rfc3339(clock.now());
};

/** Throws `rollouts.paused`, `rollouts.scheduled`, `rollouts.no_restart`. */
export const restart = async (environment: RolloutEnvironment, target: Placed): Promise<void> => {
  await changeSubject(environment, target, async (found) => {
    refusePaused(target, found);
    const { after, made: madeBy } = rolloutSubjects[target.kind];
    if (after === undefined) {
      const message = `${labelOf(target)} has no field that restarts a rollout; change its version, config or template`;
      throw failure("rollouts.no_restart", "NoRestart", message);
    }
    const planned = after.read(found);
    if (planned !== undefined && Date.parse(planned) > environment.clock.now()) {
      throw failure(
        "rollouts.scheduled",
        "Scheduled",
        `${labelOf(target)} is already scheduled to be replaced at ${planned} (${after.path}); wait, or change that field`,
      );
    }
    return after.patch(await afterAll(environment, await madeBy(environment, found)));
  });
  environment.write(`${labelOf(target)} restarted`);
};

const setPaused = async (environment: RolloutEnvironment, target: Placed, paused: boolean): Promise<void> => {
  const { isPaused, pausing } = rolloutSubjects[target.kind];
  let changed = false;
  await changeSubject(environment, target, async (found) => {
    changed = isPaused(found) !== paused;
    return changed ? pausing(paused) : undefined;
  });
  const done = paused ? "paused" : "resumed";
  const already = paused ? "is already paused" : "is not paused";
  environment.write(`${labelOf(target)} ${changed ? done : already}`);
};

export const pause = (environment: RolloutEnvironment, target: Placed): Promise<void> =>
  setPaused(environment, target, true);

export const resume = (environment: RolloutEnvironment, target: Placed): Promise<void> =>
  setPaused(environment, target, false);

/** A read that failed for a while is not a reason to stop following a rollout. */
export const isPassing = (error: unknown): boolean =>
  ["kube.unavailable", "kube.timeout", "kube.too_many_requests"].some((code) => isCapstanError(error, code));
