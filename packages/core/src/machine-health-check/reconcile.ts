import { isPaused } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import type { Cluster } from "../api.ts";
import { MachineHealthCheck } from "../api.ts";
import { defaultMachineHealthCheck } from "../defaults/defaults.ts";
import { boundContext } from "../object/bound-client.ts";
import { findCondition } from "../object/conditions.ts";
import { saveMain, saveStatus } from "../object/draft.ts";
import { clusterOf, keepPaused } from "../object/lifecycle.ts";
import { byCluster, clusterIndexKey } from "../object/indexes.ts";
import { clusterKey } from "../object/keys.ts";
import { byText } from "../object/names.ts";
import { ownedByCluster } from "../object/owners.ts";
import { sooner, throwFirst } from "../object/steps.ts";
import { release } from "./release.ts";
import { remediate } from "./remediate.ts";
import type { RemediationOutcome } from "./remediate.ts";
import { remediationGate } from "./remediation-gate.ts";
import type { HealthCheckScope, HealthCheckServices, JudgedMachine } from "./scope.ts";
import { healthCheckStatus, isHealthy } from "./status.ts";
import { isTarget, nodeSight, rulesOf, targetsOf } from "./targets.ts";
import type { Verdict } from "./verdict.ts";
import { judge } from "./verdict.ts";

/** How long to wait with a request that could not be made; the Machine says why. */
const failedRequestRetryMs = 30_000;

/** The checks that are about a Cluster's Machines beside a given one. */
const othersThan = (
  context: ReconcileContext,
  check: MachineHealthCheck,
  cluster: Cluster,
): readonly MachineHealthCheck[] =>
  context.cache
    .byIndex(MachineHealthCheck, byCluster, clusterIndexKey(cluster))
    .filter(
      (other) => other.metadata.name !== check.metadata.name && !isBeingDeleted(other) && !isPaused(other, cluster),
    );

/** Judges all Machines of a check. Of several checks of one Machine, one alone writes to it, so that they do not take turns. */
const judgeAll = (
  { workload }: HealthCheckServices,
  context: ReconcileContext,
  check: MachineHealthCheck,
  cluster: Cluster,
): readonly JudgedMachine[] => {
  const provisioned = cluster.status?.initialization?.infrastructureProvisioned === true;
  const connection = provisioned ? workload.connection(clusterKey(cluster)) : undefined;
  const now = context.clock.now();
  const others = othersThan(context, check, cluster);
  const rules = new Map([check, ...others].map((each) => [each, rulesOf(each)]));
  return targetsOf(context.cache, check, cluster).map((machine) => {
    const node = nodeSight(machine, cluster, connection);
    const verdictBy = (each: MachineHealthCheck): Verdict =>
      judge({ machine, cluster, node, now, rules: rules.get(each) ?? rulesOf(each) });
    const verdict = verdictBy(check);
    const overruled = others.some(
      (other) =>
        (verdict.kind !== "unhealthy" || byText(other.metadata.name ?? "", check.metadata.name ?? "") < 0) &&
        isTarget(other, machine) &&
        verdictBy(other).kind === "unhealthy",
    );
    return { machine, verdict, overruled };
  });
};

const announceRestriction = ({ context, check, gate }: HealthCheckScope): void => {
  if (gate.state === "open" || findCondition(check, "RemediationAllowed")?.status === "False") return;
  context.events.event(check, { type: "Warning", reason: "RemediationRestricted", message: gate.message });
};

const rechecks = (judged: readonly JudgedMachine[], { failedRequests }: RemediationOutcome): Result =>
  sooner(
    ...judged.flatMap(({ verdict }) =>
      verdict.kind === "pending" && verdict.recheckMs !== undefined ? [{ requeueAfterMs: verdict.recheckMs }] : [],
    ),
    ...(failedRequests.length === 0 ? [] : [{ requeueAfterMs: failedRequestRetryMs }]),
  );

/** Judges every Machine that a MachineHealthCheck selects, and has the unhealthy ones remediated as far as it may. */
export const reconcileMachineHealthCheck =
  (services: HealthCheckServices): Reconcile =>
  async (request, original) => {
    const context = boundContext(original);
    const stored = context.cache.get(MachineHealthCheck, request);
    if (stored === undefined || isBeingDeleted(stored)) return {};
    const prepared = defaultMachineHealthCheck(stored);
    const cluster = await clusterOf(context, MachineHealthCheck, prepared, undefined);
    if (await keepPaused(context, MachineHealthCheck, stored, cluster)) return {};
    // Its Machines go with it, ill or not.
    if (isBeingDeleted(cluster)) return {};
    const check = await saveMain(context, MachineHealthCheck, stored, ownedByCluster(prepared, cluster));
    const judged = judgeAll(services, context, check, cluster);
    const counts = { expected: judged.length, healthy: judged.filter(isHealthy).length };
    const gate = remediationGate(check.spec.remediation?.triggerIf, counts);
    const scope: HealthCheckScope = { ...services, context, check, cluster, judged, gate };
    announceRestriction(scope);
    const outcome = await remediate(scope);
    await release(scope);
    await saveStatus(context, MachineHealthCheck, check, healthCheckStatus(scope, outcome));
    throwFirst(outcome.errors, context.log);
    return rechecks(judged, outcome);
  };
