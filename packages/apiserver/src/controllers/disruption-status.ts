import { rfc3339 } from "@capstan/contract";
import { keyFromText, keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { isDeepStrictEqual } from "node:util";
import { listOf, partOf, specOf, statusOf } from "../values/object-parts.ts";
import { selectorMatches } from "../values/selector.ts";
import type { ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import { controller } from "./controller.ts";
import { ExpiryTimers } from "./expiry-timers.ts";
import { refOf } from "./object-ref.ts";
import { ownersOf, References } from "./references.ts";

const budgets = { group: "policy", plural: "poddisruptionbudgets" } as const;
const pods = { group: "", plural: "pods" } as const;
/** Time for which an eviction that did not delete its Pod counts as a disruption. */
const disruptionMs = 120_000;

const isReady = (pod: KubeObject): boolean =>
  listOf(statusOf(pod)["conditions"]).some((value) => {
    const { type, status } = partOf(value);
    return type === "Ready" && status === "True";
  });

const isActive = (pod: KubeObject): boolean => {
  const { phase } = statusOf(pod);
  return phase !== "Succeeded" && phase !== "Failed";
};

/** Replicas of the controllers the Pods belong to; undefined if a Pod has no controller that says. */
const wantedReplicas = (members: readonly KubeObject[], environment: ExtensionEnvironment): number | undefined => {
  const references = new References(environment.registry, environment.store);
  const replicas = new Map<string, number>();
  for (const pod of members) {
    const owner = ownersOf(pod).find(({ controller: isController }) => isController === true);
    const definition = owner && references.definition(owner);
    if (owner === undefined || definition === undefined) return undefined;
    const key = { name: owner.name, namespace: pod.metadata.namespace ?? "" };
    const found = environment.store.peek(refOf(definition), key);
    const count = found && specOf(found)["replicas"];
    if (found?.metadata.uid !== owner.uid || typeof count !== "number") return undefined;
    replicas.set(owner.uid, count);
  }
  return [...replicas.values()].reduce((sum, count) => sum + count, 0);
};

/** An absolute number, or a percentage of `total` rounded up. */
const scaled = (amount: unknown, total: number): number => {
  if (typeof amount === "number") return amount;
  const percent = /^(\d+)%$/.exec(String(amount))?.[1];
  return percent === undefined ? 0 : Math.ceil((Number(percent) * total) / 100);
};

interface Expectation {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

const expectation = (
  budget: KubeObject,
  members: readonly KubeObject[],
  environment: ExtensionEnvironment,
): Expectation | undefined => {
  const { minAvailable, maxUnavailable } = specOf(budget);
  if (typeof minAvailable === "number") return { expectedPods: members.length, desiredHealthy: minAvailable };
  const expectedPods = wantedReplicas(members, environment);
  if (expectedPods === undefined) return undefined;
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaled(minAvailable ?? 0, expectedPods)
      : Math.max(0, expectedPods - scaled(maxUnavailable, expectedPods));
  return { expectedPods, desiredHealthy };
};

/** Disruptions under way: of Pods that are still there and were evicted a short time ago. */
const disruptedPods = (
  budget: KubeObject,
  members: readonly KubeObject[],
  now: number,
): Readonly<Record<string, string>> => {
  const alive = new Set(
    members.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name),
  );
  const recorded = Object.entries(partOf(statusOf(budget)["disruptedPods"])) as [string, string][];
  return Object.fromEntries(
    recorded.filter(([name, time]) => alive.has(name) && Date.parse(time) + disruptionMs > now),
  );
};

const conditionOf = (budget: KubeObject, allowed: number, failed: boolean, now: number) => {
  const generation = budget.metadata.generation ?? 0;
  const status = allowed > 0 ? "True" : "False";
  const reason = failed ? "SyncFailed" : allowed > 0 ? "SufficientPods" : "InsufficientPods";
  const message = failed ? "found no controllers with a scale for the pods" : "";
  const before = listOf(statusOf(budget)["conditions"])
    .map(partOf)
    .find(({ type }) => type === "DisruptionAllowed");
  const time = before?.["status"] === status ? before["lastTransitionTime"] : rfc3339(now);
  return {
    type: "DisruptionAllowed",
    status,
    reason,
    message,
    observedGeneration: generation,
    lastTransitionTime: time,
  };
};

const statusFor = (budget: KubeObject, environment: ExtensionEnvironment) => {
  const { store, clock } = environment;
  const { namespace = "" } = budget.metadata;
  const { selector } = specOf(budget);
  const selected =
    selector === undefined
      ? []
      : store.peekAll(pods, { namespace }).filter(({ metadata }) => selectorMatches(selector, metadata.labels ?? {}));
  const members = selected.filter(isActive);
  const disrupted = disruptedPods(budget, members, clock.now());
  const healthy = members.filter(
    (pod) =>
      isReady(pod) &&
      pod.metadata.deletionTimestamp === undefined &&
      !Object.hasOwn(disrupted, pod.metadata.name ?? ""),
  );
  const wanted = expectation(budget, members, environment);
  const { expectedPods, desiredHealthy } = wanted ?? { expectedPods: 0, desiredHealthy: 0 };
  const allowed = expectedPods === 0 ? 0 : Math.max(0, healthy.length - desiredHealthy);
  return {
    disruptionsAllowed: allowed,
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    observedGeneration: budget.metadata.generation ?? 0,
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    conditions: [conditionOf(budget, allowed, wanted === undefined, clock.now())],
  };
};

/** Computes the status of PodDisruptionBudgets, which evictions are decided by. */
export const disruptionStatus: ExtensionFactory = (environment) => {
  const { store, clock } = environment;
  /** Looks again when a disruption that is under way stops to count. */
  let timers: ExpiryTimers | undefined;

  const reconcile = async (text: string): Promise<void> => {
    const budget = store.peek(budgets, keyFromText(text));
    if (budget === undefined || budget.metadata.deletionTimestamp !== undefined) return;
    const status = statusFor(budget, environment);
    if (status.disruptedPods !== undefined) timers?.set(text, clock.now() + disruptionMs);
    if (!isDeepStrictEqual(status, budget["status"])) {
      await store.update(budgets, { ...budget, status }, { subresource: "status" });
    }
  };

  return controller(environment, {
    name: "disruption-status",
    watch: (add) => {
      const running = new ExpiryTimers(clock, add);
      timers = running;
      return [
        store.watch(budgets, ({ object }) => add(keyText(keyOf(object)))),
        store.watch(pods, ({ object }) => {
          const { namespace = "", labels = {} } = object.metadata;
          for (const budget of store.peekAll(budgets, { namespace })) {
            if (selectorMatches(specOf(budget)["selector"], labels)) add(keyText(keyOf(budget)));
          }
        }),
        () => running.clearAll(),
      ];
    },
    reconcile,
  });
};
