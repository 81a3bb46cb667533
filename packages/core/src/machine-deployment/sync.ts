import { Annotation, FieldManager, rfc3339 } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { isBeingDeleted, keyOf, selects } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { isControlledBy, listLive, withMetadata } from "@capstan/kit/machines";
import type { MachineDeployment } from "../api.ts";
import { MachineSet } from "../api.ts";
import { sooner } from "../object/steps.ts";
import { identityOf, machineSetBody, newSetIdentity } from "./machine-set-body.ts";
import { missingTemplates, templatesRetryMs } from "./missing-templates.ts";
import { nextRevision, revisionOf } from "../rollout/revision.ts";
import { historyWith, rolloutHistoryAnnotation } from "./rollout-history.ts";
import type { MachineDeploymentScope } from "./scope.ts";
import { planReplicas } from "./set-sizes.ts";
import { currentMachineSet } from "../rollout/template-match.ts";

/** Sets that are the deployment's, or could become its own: controlled by it, or by no one, and selected. */
export const candidateSets = (deployment: MachineDeployment, sets: readonly MachineSet[]): readonly MachineSet[] =>
  sets.filter(
    (set) =>
      selects(deployment.spec.selector, set.metadata.labels) &&
      (isControlledBy(set, deployment) || controllerOf(set) === undefined),
  );

const isLive = (set: MachineSet): boolean => !isBeingDeleted(set);

/** The present set as the API server has it, looked up before one is made, however old the cache is. */
const findLive = async (scope: MachineDeploymentScope): Promise<MachineSet | undefined> => {
  const { context, deployment } = scope;
  const { namespace } = deployment.metadata;
  const present = await listLive(context, MachineSet, { namespace, selector: deployment.spec.selector });
  const own = candidateSets(deployment, present).filter((set) => isControlledBy(set, deployment));
  scope.sets = own;
  return currentMachineSet(deployment, own.filter(isLive), context.clock.now());
};

const announce = ({ context, deployment }: MachineDeploymentScope, reason: string, message: string): void =>
  context.events.event(deployment, { type: "Normal", reason, message });

/** Does something to a set; a failure is told to the deployment's users before it is thrown. */
const attempt = async <T>(scope: MachineDeploymentScope, reason: string, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    scope.context.events.event(scope.deployment, { type: "Warning", reason, message });
    throw error;
  }
};

const announceScale = (scope: MachineDeploymentScope, set: MachineSet, replicas: number): void => {
  const before = set.spec.replicas ?? 0;
  if (before === replicas) return;
  const direction = replicas > before ? "up" : "down";
  announce(
    scope,
    "SuccessfulScale",
    `Scaled ${direction} MachineSet ${set.metadata.name} from ${before} to ${replicas}`,
  );
};

interface SetTarget {
  readonly replicas: number;
  readonly revision: number;
  readonly closed: boolean;
}

const create = async (scope: MachineDeploymentScope, target: SetTarget): Promise<MachineSet> => {
  const { context, deployment } = scope;
  const identity = newSetIdentity(deployment, context.random);
  const body = machineSetBody({ deployment, identity, existing: undefined, ...target });
  const set = await attempt(scope, "FailedCreate", () =>
    scope.setApplier.apply(context, MachineSet, FieldManager.machineDeployment, undefined, body),
  );
  announce(scope, "SuccessfulCreate", `Created MachineSet ${set.metadata.name}`);
  return set;
};

/** Brings a set to what the deployment says: its size, and all that is changed in place. */
const update = async (scope: MachineDeploymentScope, existing: MachineSet, target: SetTarget): Promise<MachineSet> => {
  const { context, deployment } = scope;
  const body = machineSetBody({ deployment, identity: identityOf(existing), existing, ...target });
  const set = await attempt(scope, "FailedScale", () =>
    scope.setApplier.apply(context, MachineSet, FieldManager.machineDeployment, existing, body),
  );
  announceScale(scope, existing, target.replicas);
  return set;
};

/** With nothing left to replace, sets of older templates go. What they were made from stays in the history. */
const removeOld = async (
  scope: MachineDeploymentScope,
  current: MachineSet,
  old: readonly MachineSet[],
): Promise<void> => {
  const desired = scope.deployment.spec.replicas ?? 0;
  const { status } = current;
  const isComplete =
    [current.spec.replicas, status?.replicas, status?.availableReplicas].every((count = 0) => count === desired) &&
    old.every((set) => (set.spec.replicas ?? 0) === 0 && (set.status?.replicas ?? 0) === 0) &&
    scope.machines.every((machine) => isControlledBy(machine, current));
  if (!isComplete) return;
  for (const set of old) {
    const { uid } = set.metadata;
    await attempt(scope, "FailedDelete", () =>
      scope.context.client.delete(MachineSet, keyOf(set), uid === undefined ? {} : { preconditions: { uid } }),
    );
    scope.setApplier.forget(uid ?? "");
    announce(scope, "SuccessfulDelete", `Deleted MachineSet ${set.metadata.name}`);
  }
};

/** The deployment with the revision of its current set, and with that revision in its history. */
const withRevision = (deployment: MachineDeployment, set: MachineSet, now: number): MachineDeployment => {
  const before = deployment.metadata.annotations;
  const revision = revisionOf(set);
  const history = historyWith(deployment, revision, rfc3339(now));
  if (before?.[Annotation.revision] === String(revision) && before[rolloutHistoryAnnotation] === history) {
    return deployment;
  }
  return withMetadata(deployment, {
    annotations: { ...before, [Annotation.revision]: String(revision), [rolloutHistoryAnnotation]: history },
  });
};

/** The time of `rollout.after` changes which set is the current one. */
const untilRollout = ({ spec }: MachineDeployment, now: number): Result => {
  const after = Date.parse(spec.rollout?.after ?? "");
  return after > now ? { requeueAfterMs: after - now } : {};
};

/**
 * Nothing is replaced: the deployment is paused, or what new Machines would be made from does not exist. Then the old ones stay,
 * however many may be missing.
 */
const isHeld = async (scope: MachineDeploymentScope, existing: MachineSet | undefined): Promise<boolean> => {
  if (scope.deployment.spec.paused === true) return true;
  const isRollout = scope.sets.some((set) => isLive(set) && (set.spec.replicas ?? 0) > 0);
  if (existing !== undefined || !isRollout) return false;
  scope.blockers = await missingTemplates(scope);
  return scope.blockers.length > 0;
};

const syncCurrent = async (
  scope: MachineDeploymentScope,
  existing: MachineSet | undefined,
  replicas: number,
): Promise<MachineSet> => {
  const others = scope.sets.filter((set) => set !== existing);
  const target: SetTarget = { replicas, revision: nextRevision(existing, others), closed: false };
  return existing === undefined ? create(scope, target) : update(scope, existing, target);
};

/** Keeps one set for the present template, and the desired number of replicas over all sets. */
export const syncSets = async (scope: MachineDeploymentScope): Promise<Result> => {
  const { deployment, machines, context } = scope;
  const now = context.clock.now();
  const known = currentMachineSet(deployment, scope.sets.filter(isLive), now);
  const existing = known ?? (deployment.spec.paused === true ? undefined : await findLive(scope));
  const held = await isHeld(scope, existing);
  const old = scope.sets.filter((set) => set !== existing && isLive(set));
  const leaving = scope.sets.filter((set) => !isLive(set));
  const plan = planReplicas({ deployment, current: existing, old, leaving, held, machines });
  const closed = deployment.spec.rollout?.strategy?.type === "OnDelete";

  const current = existing === undefined && held ? undefined : await syncCurrent(scope, existing, plan.current);
  const updated: MachineSet[] = [];
  for (const set of old) {
    const replicas = plan.old.get(set.metadata.name ?? "") ?? 0;
    updated.push(await update(scope, set, { replicas, revision: revisionOf(set), closed }));
  }
  scope.sets = [...(current === undefined ? [] : [current]), ...updated, ...leaving];
  if (current !== undefined) {
    scope.deployment = withRevision(deployment, current, now);
    await removeOld(scope, current, updated);
  }
  const retry: Result = scope.blockers.length > 0 ? { requeueAfterMs: templatesRetryMs } : {};
  return sooner(untilRollout(deployment, now), retry);
};
