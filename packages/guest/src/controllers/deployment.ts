import { rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { isOwnedBy, ownerReferenceTo } from "@capstan/kube";
import { keyOf, suffixedName } from "@capstan/kube-values";
import { controller, watch, watchOwned, type ReconcileContext } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import { withConditions } from "../kinds/pod-state.ts";
import type { Condition, DeploymentObject, PodTemplate, ReplicaSetObject } from "../kinds/workload-kinds.ts";
import { Deployment, ReplicaSet } from "../kinds/workload-kinds.ts";
import { podsOf } from "./indexes.ts";
import { writeStatus } from "./owned-pods.ts";
import { amountOf, type Part, rollingPlan } from "./rolling-plan.ts";
import { templateHash } from "./template-hash.ts";

const hashLabel = "pod-template-hash";
const revisionAnnotation = "deployment.kubernetes.io/revision";
const defaultHistory = 10;

const withoutHash = (template: PodTemplate): PodTemplate => {
  const { [hashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
};

const revisionOf = ({ metadata }: ReplicaSetObject): number => Number(metadata.annotations?.[revisionAnnotation] ?? 0);

const count = ({ status }: ReplicaSetObject, field: string): number => Number(status?.[field] ?? 0);

const partOf = (set: ReplicaSetObject): Part => ({
  name: set.metadata.name ?? "",
  replicas: set.spec.replicas ?? 1,
  available: count(set, "availableReplicas"),
});

interface Sets {
  readonly current: ReplicaSetObject | undefined;
  /** The oldest first. */
  readonly old: readonly ReplicaSetObject[];
}

const setsOf = (deployment: DeploymentObject, { cache }: ReconcileContext): Sets => {
  const { namespace = "" } = deployment.metadata;
  const owned = cache
    .list(ReplicaSet, { namespace })
    .filter((set) => isOwnedBy(set, deployment))
    .toSorted((one, other) => revisionOf(one) - revisionOf(other));
  const wanted = withoutHash(deployment.spec.template);
  const current = owned.findLast(({ spec }) => sameJson(withoutHash(spec.template), wanted));
  return { current, old: owned.filter((set) => set !== current) };
};

const createSet = async (
  deployment: DeploymentObject,
  revision: number,
  { client, signal }: ReconcileContext,
): Promise<void> => {
  const { name = "", namespace } = deployment.metadata;
  const { minReadySeconds = 0, selector, template } = deployment.spec;
  const hash = templateHash(template);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const set = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: suffixedName(name, hash),
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: { [revisionAnnotation]: String(revision) },
      ownerReferences: [ownerReferenceTo(deployment, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      replicas: 0,
      minReadySeconds,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  await client.create(ReplicaSet, set, { signal });
};

const scale = async (set: ReplicaSetObject, replicas: number, { client, signal }: ReconcileContext): Promise<void> => {
  if ((set.spec.replicas ?? 1) === replicas) return;
  await client.patch(ReplicaSet, keyOf(set), { type: "merge", body: { spec: { replicas } } }, { signal });
};

/** Returns the next size of each ReplicaSet, by name. With `Recreate`, the new one starts only when the old ones have no Pods left. */
const planFor = (
  { spec }: DeploymentObject,
  { current, old }: { readonly current: ReplicaSetObject; readonly old: readonly ReplicaSetObject[] },
  { cache }: ReconcileContext,
): ReadonlyMap<string, number> => {
  const replicas = spec.replicas ?? 1;
  const { rollingUpdate = {}, type } = spec.strategy ?? {};
  if (type === "Recreate") {
    const isEmpty = old.every((set) => podsOf(cache, set).length === 0);
    const ends = old.map((set) => [set.metadata.name ?? "", 0] as const);
    return new Map([[current.metadata.name ?? "", isEmpty ? replicas : (current.spec.replicas ?? 0)], ...ends]);
  }
  return rollingPlan({
    replicas,
    maxSurge: amountOf(rollingUpdate.maxSurge, replicas, "up"),
    maxUnavailable: amountOf(rollingUpdate.maxUnavailable, replicas, "down"),
    current: partOf(current),
    old: old.map(partOf),
  });
};

const conditionsOf = (
  { spec, status }: DeploymentObject,
  { available, isComplete, name }: { readonly available: number; readonly isComplete: boolean; readonly name: string },
  now: number,
): readonly Condition[] => {
  const replicas = spec.replicas ?? 1;
  const least = replicas - amountOf(spec.strategy?.rollingUpdate?.maxUnavailable, replicas, "down");
  const has = available >= least;
  return withConditions(
    status?.["conditions"] as readonly Condition[] | undefined,
    [
      {
        type: "Available",
        status: has ? "True" : "False",
        reason: has ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        message: `Deployment ${has ? "has" : "does not have"} minimum availability.`,
      },
      {
        type: "Progressing",
        status: "True",
        reason: isComplete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
        message: `ReplicaSet "${name}" ${isComplete ? "has successfully progressed." : "is progressing."}`,
      },
    ],
    rfc3339(now),
  );
};

const reportStatus = async (deployment: DeploymentObject, { current, old }: Sets, context: ReconcileContext) => {
  const all = current === undefined ? old : [current, ...old];
  const total = (field: string): number => all.reduce((sum, set) => sum + count(set, field), 0);
  const replicas = total("replicas");
  const available = total("availableReplicas");
  const updated = current === undefined ? 0 : count(current, "replicas");
  const wanted = deployment.spec.replicas ?? 1;
  const isComplete = updated === wanted && replicas === wanted && available === wanted;
  const name = current?.metadata.name ?? "";
  const status = {
    replicas,
    updatedReplicas: updated,
    readyReplicas: total("readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, Math.max(wanted, replicas) - available),
    observedGeneration: deployment.metadata.generation ?? 0,
    conditions: conditionsOf(deployment, { available, isComplete, name }, context.clock.now()),
  };
  await writeStatus(Deployment, deployment, status, context);
};

/** ReplicaSets that no one would go back to. */
const dropHistory = async (
  deployment: DeploymentObject,
  old: readonly ReplicaSetObject[],
  context: ReconcileContext,
) => {
  const idle = old.filter((set) => set.spec.replicas === 0 && count(set, "replicas") === 0);
  const surplus = idle.slice(0, Math.max(0, idle.length - (deployment.spec.revisionHistoryLimit ?? defaultHistory)));
  for (const set of surplus) await context.client.delete(ReplicaSet, keyOf(set), { signal: context.signal });
};

/** Gives what runs now the highest number, also when it is an old one again. */
const numberSet = async (
  deployment: DeploymentObject,
  { current, old }: { readonly current: ReplicaSetObject; readonly old: readonly ReplicaSetObject[] },
  { client, signal }: ReconcileContext,
): Promise<void> => {
  const highest = Math.max(0, ...old.map(revisionOf));
  const revision = revisionOf(current) > highest ? revisionOf(current) : highest + 1;
  const metadata = { annotations: { [revisionAnnotation]: String(revision) } };
  if (revision !== revisionOf(current)) {
    await client.patch(ReplicaSet, keyOf(current), { type: "merge", body: { metadata } }, { signal });
  }
  if (deployment.metadata.annotations?.[revisionAnnotation] !== String(revision)) {
    await client.patch(Deployment, keyOf(deployment), { type: "merge", body: { metadata } }, { signal });
  }
};

/** A ReplicaSet for each template, the new one growing as the old ones shrink. */
export const deployments = (): ControllerV1 =>
  controller({
    name: "deployment",
    sources: [watch(Deployment), watchOwned(ReplicaSet, Deployment)],
    setup: ({ cache }) => void cache.informer(ReplicaSet),
    reconcile: async (request, context) => {
      const deployment = context.cache.get(Deployment, request);
      if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
      const sets = setsOf(deployment, context);
      await reportStatus(deployment, sets, context);
      if (deployment.spec.paused === true) return;
      const { current, old } = sets;
      if (current === undefined) return createSet(deployment, Math.max(0, ...old.map(revisionOf)) + 1, context);
      await numberSet(deployment, { current, old }, context);
      const plan = planFor(deployment, { current, old }, context);
      for (const set of [current, ...old]) await scale(set, plan.get(set.metadata.name ?? "") ?? 0, context);
      await dropHistory(deployment, old, context);
    },
  });
