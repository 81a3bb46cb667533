import { isPaused } from "@capstan/contract/wire";
import { isBeingDeleted, keyOf, byText, keyText } from "@capstan/kube-values";
import type { Reconcile, ReconcileContext, Result } from "@capstan/runtime";
import { findCondition } from "@capstan/kit/machines";
import { type Cluster, MachineHealthCheckCondition } from "../api.ts";
import { MachineHealthCheck } from "../api.ts";
import { defaultMachineHealthCheck } from "../defaults/defaults.ts";
import { byCluster } from "../object/indexes.ts";
import { namedCluster } from "../object/named-cluster.ts";
import { ownedByCluster } from "../object/owners.ts";
import { reconcileObject } from "../object/reconcile-object.ts";
import { sooner } from "../object/steps.ts";
import { release } from "./release.ts";
import { remediate } from "./remediate.ts";
import type { RemediationOutcome } from "./remediate.ts";
import { remediationGate } from "./remediation-gate.ts";
import type { HealthCheckScope, HealthCheckServices, JudgedMachine } from "./scope.ts";
import { healthCheckStatus, isHealthy } from "./status.ts";
import { isTarget, nodeSight, rulesOf, targetsOf } from "./targets.ts";
import type { Verdict } from "./verdict.ts";
import { judge } from "./verdict.ts";
import { EventReason } from "../api/event-reasons.ts";

/** Delay before a failed request is retried, in milliseconds; the Machine shows the reason. */
const failedRequestRetryMs = 30_000;

/** The checks that are about a Cluster's Machines beside a given one. */
const othersThan = (
  context: ReconcileContext,
  check: MachineHealthCheck,
  cluster: Cluster,
): readonly MachineHealthCheck[] =>
  context.cache
    .byIndex(MachineHealthCheck, byCluster, keyText(keyOf(cluster)))
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
  const connection = provisioned ? workload.connection(keyOf(cluster)) : undefined;
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
  if (
    gate.state === "open" ||
    findCondition(check, MachineHealthCheckCondition.remediationAllowed)?.status === "False"
  ) {
    return;
  }
  context.events.event(check, { type: "Warning", reason: EventReason.remediationRestricted, message: gate.message });
};

const rechecks = (judged: readonly JudgedMachine[], { failedRequests }: RemediationOutcome): Result =>
  sooner(
    ...judged.flatMap(({ verdict }) =>
      verdict.kind === "pending" && verdict.recheckMs !== undefined ? [{ requeueAfterMs: verdict.recheckMs }] : [],
    ),
    ...(failedRequests.length === 0 ? [] : [{ requeueAfterMs: failedRequestRetryMs }]),
  );

/** Judges every Machine that a MachineHealthCheck selects, and has the unhealthy ones remediated as far as it may. */
export const reconcileMachineHealthCheck = (services: HealthCheckServices): Reconcile =>
  reconcileObject({
    kind: MachineHealthCheck,
    saver: services.saver,
    defaults: defaultMachineHealthCheck,
    cluster: namedCluster(),
    owned: ownedByCluster,
    work: async (check, cluster, context) => {
      // Its Machines go with it, ill or not.
      if (isBeingDeleted(cluster)) return { object: check, status: (object) => ({ object }), result: {}, errors: [] };
      const judged = judgeAll(services, context, check, cluster);
      const counts = { expected: judged.length, healthy: judged.filter(isHealthy).length };
      const gate = remediationGate(check.spec.remediation?.triggerIf, counts);
      const scope: HealthCheckScope = { ...services, context, check, cluster, judged, gate };
      announceRestriction(scope);
      const outcome = await remediate(scope);
      await release(scope);
      return {
        object: check,
        status: () => ({ object: healthCheckStatus(scope, outcome) }),
        result: rechecks(judged, outcome),
        errors: outcome.errors,
      };
    },
  });
