import { Finalizer, Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube";
import type { Reconcile, Result } from "@capstan/runtime";
import type { Cluster } from "../api.ts";
import { Machine } from "../api.ts";
import { defaultMachine } from "../defaults/defaults.ts";
import { unreferenced } from "../external/observation.ts";
import { boundContext } from "../object/bound-client.ts";
import { findCondition } from "../object/conditions.ts";
import { saveMain } from "../object/draft.ts";
import { clusterOf, isFinished, keepPaused, held } from "../object/lifecycle.ts";
import { ownedByCluster } from "../object/owners.ts";
import { runSteps, sooner, throwFirst } from "../object/steps.ts";
import { reconcileBootstrap } from "./bootstrap.ts";
import { reconcileDelete } from "./delete.ts";
import { reconcileInfrastructure } from "./infrastructure.ts";
import { reconcileCertificateExpiry, reconcileNode } from "./node.ts";
import type { MachineScope, MachineServices } from "./scope.ts";
import { machineStatus } from "./status.ts";

const madeByOwner = [Label.setName, Label.poolName, Label.controlPlaneName];

/** A Machine that nobody manages belongs to its Cluster. */
export const withStandAloneOwner = (machine: Machine, cluster: Cluster): Machine => {
  const { labels = {} } = machine.metadata;
  const isMade = madeByOwner.some((label) => labels[label] !== undefined) || controllerOf(machine) !== undefined;
  return isMade ? machine : ownedByCluster(machine, cluster);
};

/** What others act on, out of a Machine's status. All the rest tells how far it is, and for some Machines it goes through in a second. */
const news = (machine: Machine): string =>
  JSON.stringify([
    machine.status?.nodeRef?.name,
    ...["Ready", "Available", "Deleting"].map((type) => findCondition(machine, type)?.status === "True"),
  ]);

/** Of a Machine that is let go, nothing is kept. */
const forget = ({ nodeFailures }: MachineServices, { metadata }: Machine): Result => {
  nodeFailures.delete(metadata.uid ?? "");
  return {};
};

/** Brings one Machine a step further: from Pending to Running, and through its deletion. */
export const reconcileMachine =
  (services: MachineServices): Reconcile =>
  async (request, original) => {
    const context = boundContext(original);
    const stored = context.cache.get(Machine, request);
    if (stored === undefined) return {};
    if (isFinished(stored, Finalizer.machine)) return forget(services, stored);
    const prepared = defaultMachine(held(stored, Finalizer.machine));
    const finalized = await saveMain(context, Machine, stored, prepared);
    const cluster = await clusterOf(context, Machine, finalized, "Ready");
    if (await keepPaused(context, Machine, finalized, cluster)) return {};
    const base = await saveMain(context, Machine, finalized, withStandAloneOwner(finalized, cluster));
    const scope: MachineScope = {
      ...services,
      context,
      cluster,
      machine: base,
      bootstrap: unreferenced,
      infrastructure: unreferenced,
      node: { state: "not-inspected" },
      deletion: undefined,
      failure: undefined,
    };
    const { result, errors } = await runSteps(
      [
        () => reconcileBootstrap(scope),
        () => reconcileInfrastructure(scope),
        () => reconcileNode(scope),
        () => reconcileCertificateExpiry(scope),
        ...(isBeingDeleted(base) ? [() => reconcileDelete(scope)] : []),
      ],
      context.signal,
    );
    scope.machine = await saveMain(context, Machine, base, scope.machine);
    if (isFinished(scope.machine, Finalizer.machine)) return forget(services, scope.machine);
    const wanted = machineStatus(scope, { failed: errors.length > 0 });
    const written = await scope.progress.save(context, Machine, base, wanted.machine, {
      all: errors.length > 0,
      mayWait: news(base) === news(wanted.machine),
    });
    throwFirst(errors, context.log);
    return sooner(result, wanted.result, written);
  };
