import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { isStatusError, StatusError, tooManyRequests } from "../../model/status-error.ts";
import type { ActionCall, DeleteOptions } from "../../model/types.ts";
import { listOf, partOf, specOf, statusOf, textOf } from "../../values/object-parts.ts";
import { selectorMatches } from "../../values/selector.ts";

const pods = { group: "", plural: "pods" };
const budgets = { group: "policy", plural: "poddisruptionbudgets" };
const attempts = 5;

/**
 * Answers POST pods/NAME/eviction: deletes the Pod unless a PodDisruptionBudget forbids it (429, cause DisruptionBudget). Takes the
 * disruption from the budget first, so that concurrent evictions cannot overdraw it.
 */
export const evictPod = async (call: ActionCall): Promise<KubeObject> => {
  const key = { namespace: call.namespace, name: call.name };
  const pod = await call.store.get(pods, key);
  if (!isIdle(pod)) {
    await takeDisruption(call, pod);
  }
  const { user, dryRun } = call;
  await call.store.delete(pods, key, { user, dryRun, admitted: true, ...deleteOptions(call, pod) });
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
};

/** Pods that run nowhere or not any more, and Pods that are going away, disturb no one. */
const isIdle = (pod: KubeObject): boolean =>
  ["Succeeded", "Failed", "Pending"].includes(textOf(statusOf(pod)["phase"])) ||
  pod.metadata.deletionTimestamp !== undefined;

const isReady = (pod: KubeObject): boolean =>
  listOf(statusOf(pod)["conditions"])
    .map(partOf)
    .some((condition) => condition["type"] === "Ready" && condition["status"] === "True");

const deleteOptions = ({ body }: ActionCall, pod: KubeObject): DeleteOptions => {
  const { gracePeriodSeconds, preconditions } = partOf(body?.["deleteOptions"]) as DeleteOptions;
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    preconditions: { uid: pod.metadata.uid ?? "", ...preconditions },
  };
};

const takeDisruption = async (call: ActionCall, pod: KubeObject): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    const budget = budgetOf(call, pod);
    if (budget === undefined || isUnguarded(budget, pod)) {
      return;
    }
    checkBudget(budget);
    if (call.dryRun) {
      return;
    }
    try {
      await call.store.update(budgets, charged(budget, pod, call.now), { subresource: "status" });
      return;
    } catch (error) {
      if (!isStatusError(error, "Conflict") || attempt === attempts) {
        throw error;
      }
    }
  }
};

const budgetOf = (call: ActionCall, pod: KubeObject): KubeObject | undefined => {
  const matching = call.store
    .peekAll(budgets, { namespace: call.namespace })
    .filter((budget) => selectorMatches(specOf(budget)["selector"], pod.metadata.labels ?? {}));
  if (matching.length > 1) {
    throw new StatusError(
      500,
      "InternalError",
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  return matching[0];
};

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

/** A Pod that is not ready may go when the budget says so, or when enough others are healthy. */
const isUnguarded = (budget: KubeObject, pod: KubeObject): boolean => {
  const { currentHealthy, desiredHealthy } = statusOf(budget);
  const healthy = numberOf(currentHealthy) >= numberOf(desiredHealthy) && numberOf(desiredHealthy) > 0;
  return !isReady(pod) && (specOf(budget)["unhealthyPodEvictionPolicy"] === "AlwaysAllow" || healthy);
};

const checkBudget = (budget: KubeObject): void => {
  const { observedGeneration, disruptionsAllowed, currentHealthy, desiredHealthy } = statusOf(budget);
  const name = budget.metadata.name ?? "";
  if (numberOf(observedGeneration) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (numberOf(disruptionsAllowed) <= 0) {
    throw refused(
      `The disruption budget ${name} needs ${numberOf(desiredHealthy)} healthy pods and has ${numberOf(currentHealthy)} currently`,
      0,
    );
  }
};

const refused = (why: string, retryAfterSeconds: number): StatusError => {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  const { details } = tooManyRequests(message, retryAfterSeconds).status;
  return new StatusError(429, "TooManyRequests", message, {
    details: { ...details, causes: [{ reason: "DisruptionBudget", message: why }] },
  });
};

const charged = (budget: KubeObject, pod: KubeObject, now: number): KubeObject => {
  const status = statusOf(budget);
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed: numberOf(status["disruptionsAllowed"]) - 1,
      disruptedPods: { ...partOf(status["disruptedPods"]), [pod.metadata.name ?? ""]: rfc3339(now) },
    },
  };
};
