import { mergePatchOf } from "@capstan/kube";
import { Annotation, FieldManager } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import type { Result } from "@capstan/runtime";
import type { MachineDeployment } from "../api.ts";
import { MachineSet } from "../api.ts";
import { keyOf, learn, withMetadata } from "../object/draft.ts";
import { isControlledBy } from "../object/owners.ts";
import { selects, selectorText } from "../object/selector.ts";
import { identityOf, machineSetBody, newSetIdentity, sizeAnnotations } from "./machine-set-body.ts";
import { planReplicas } from "./replica-plan.ts";
import { nextRevision } from "./revision.ts";
import type { MachineDeploymentScope } from "./scope.ts";
import { currentMachineSet } from "./template-match.ts";

/** Sets that are the deployment's, or could become its own: controlled by it, or by nobody, and selected. */
export const candidateSets = (deployment: MachineDeployment, sets: readonly MachineSet[]): readonly MachineSet[] =>
  sets.filter(
    (set) =>
      selects(deployment.spec.selector, set.metadata.labels) &&
      (isControlledBy(set, deployment) || controllerOf(set) === undefined),
  );

/** The present set as the API server has it, looked up before one is made, however old the cache is. */
const findLive = async (scope: MachineDeploymentScope): Promise<MachineSet | undefined> => {
  const { context, deployment } = scope;
  const { items } = await context.client.list(MachineSet, {
    namespace: deployment.metadata.namespace ?? "",
    labelSelector: selectorText(deployment.spec.selector),
  });
  const own = candidateSets(deployment, items).filter((set) => isControlledBy(set, deployment));
  learn(context.cache, MachineSet, own);
  scope.sets = own;
  return currentMachineSet(deployment, own, context.clock.now());
};

const announce = ({ context, deployment }: MachineDeploymentScope, reason: string, message: string): void =>
  context.events.event(deployment, { type: "Normal", reason, message });

const scaled = (scope: MachineDeploymentScope, set: MachineSet, replicas: number): void => {
  const before = set.spec.replicas ?? 0;
  if (before === replicas) return;
  const direction = replicas > before ? "up" : "down";
  const message = `Scaled ${direction} MachineSet ${set.metadata.name} from ${before} to ${replicas}`;
  announce(scope, "SuccessfulScale", message);
};

/** Makes the current set, or brings it to what the deployment says: replicas and all that is changed in place. */
const applyCurrent = async (
  scope: MachineDeploymentScope,
  existing: MachineSet | undefined,
  replicas: number,
): Promise<MachineSet> => {
  const { context, deployment } = scope;
  const others = scope.sets.filter((set) => set !== existing);
  const body = machineSetBody({
    deployment,
    identity: existing === undefined ? newSetIdentity(deployment, context.random) : identityOf(existing),
    existing,
    replicas,
    revision: nextRevision(existing, others),
  });
  const set = await scope.setApplier.apply(context, MachineSet, FieldManager.machineDeployment, existing, body);
  if (existing === undefined) announce(scope, "SuccessfulCreate", `Created MachineSet ${set.metadata.name}`);
  else scaled(scope, existing, replicas);
  return set;
};

/** Old sets keep what they are made from; they only change in size. */
const patchOld = async (scope: MachineDeploymentScope, set: MachineSet, replicas: number): Promise<MachineSet> => {
  const { context, deployment } = scope;
  const closed = deployment.spec.rollout?.strategy?.type === "OnDelete";
  const present = set.metadata.annotations?.[Annotation.disableMachineCreate];
  const annotations = {
    ...set.metadata.annotations,
    ...sizeAnnotations(deployment),
    ...(closed ? { [Annotation.disableMachineCreate]: "true" } : {}),
    ...(!closed && present === "true" ? { [Annotation.disableMachineCreate]: "false" } : {}),
  };
  const body = mergePatchOf(
    { metadata: { annotations: set.metadata.annotations ?? {} }, spec: { replicas: set.spec.replicas } },
    { metadata: { annotations }, spec: { replicas } },
  );
  if (body === undefined) return set;
  const answer = await context.client.patch(MachineSet, keyOf(set), { type: "merge", body });
  scaled(scope, set, replicas);
  return answer;
};

/** With nothing left to replace, sets of older templates go. There is no history to roll back to. */
const removeOld = async (
  scope: MachineDeploymentScope,
  current: MachineSet,
  old: readonly MachineSet[],
): Promise<void> => {
  const desired = scope.deployment.spec.replicas ?? 0;
  const isComplete =
    (current.spec.replicas ?? 0) === desired &&
    (current.status?.replicas ?? 0) === desired &&
    (current.status?.availableReplicas ?? 0) === desired &&
    old.every(({ spec, status }) => (spec.replicas ?? 0) === 0 && (status?.replicas ?? 0) === 0);
  if (!isComplete) return;
  for (const set of old) {
    if (set.metadata.deletionTimestamp !== undefined) continue;
    await scope.context.client.delete(MachineSet, keyOf(set));
    announce(scope, "SuccessfulDelete", `Deleted MachineSet ${set.metadata.name}`);
  }
};

const withRevision = (deployment: MachineDeployment, set: MachineSet): MachineDeployment => {
  const revision = set.metadata.annotations?.[Annotation.revision];
  if (revision === undefined || deployment.metadata.annotations?.[Annotation.revision] === revision) return deployment;
  return withMetadata(deployment, {
    annotations: { ...deployment.metadata.annotations, [Annotation.revision]: revision },
  });
};

const isLive = ({ metadata }: MachineSet): boolean => metadata.deletionTimestamp === undefined;

/** Keeps one set for the present template, and the wished number of replicas over all sets. */
export const syncSets = async (scope: MachineDeploymentScope): Promise<Result> => {
  const { deployment } = scope;
  const now = scope.context.clock.now();
  const known = currentMachineSet(deployment, scope.sets.filter(isLive), now);
  const existing = known ?? (await findLive(scope));
  if (existing === undefined && deployment.spec.paused === true) return {};
  const old = scope.sets.filter((set) => set !== existing && isLive(set));
  const plan = planReplicas({
    desired: deployment.spec.replicas ?? 1,
    current: existing,
    old,
    followDeletions: deployment.spec.rollout?.strategy?.type === "OnDelete",
  });
  const current = await applyCurrent(scope, existing, plan.current);
  const patched: MachineSet[] = [];
  for (const set of old) patched.push(await patchOld(scope, set, plan.old.get(set.metadata.name ?? "") ?? 0));
  const leaving = scope.sets.filter((set) => !isLive(set));
  scope.sets = [current, ...patched, ...leaving];
  scope.deployment = withRevision(deployment, current);
  await removeOld(scope, current, patched);
  return {};
};
