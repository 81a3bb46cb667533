import { Finalizer, Label } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Reconcile } from "@capstan/runtime";
import type { Cluster } from "../api.ts";
import { Machine } from "../api.ts";
import { defaultMachine } from "../defaults/defaults.ts";
import { unreferenced } from "../external/observation.ts";
import { namedCluster } from "../object/named-cluster.ts";
import { ownedByCluster } from "../object/owners.ts";
import { reconcileObject } from "../object/reconcile-object.ts";
import { runSteps } from "../object/steps.ts";
import { reconcileBootstrap } from "./bootstrap.ts";
import { reconcileDelete } from "./delete.ts";
import { reconcileInfrastructure } from "./infrastructure.ts";
import { reconcileCertificateExpiry, reconcileNode } from "./node.ts";
import type { MachineScope, MachineServices } from "./scope.ts";
import { machineStatus } from "./status.ts";

const madeByOwner = [Label.setName, Label.poolName, Label.controlPlaneName];

/** A Machine that no one manages belongs to its Cluster. */
const withStandAloneOwner = (machine: Machine, cluster: Cluster): Machine => {
  const { labels = {} } = machine.metadata;
  const isMade = madeByOwner.some((label) => labels[label] !== undefined) || controllerOf(machine) !== undefined;
  return isMade ? machine : ownedByCluster(machine, cluster);
};

/** Brings one Machine a step further: from Pending to Running, and through its deletion. */
export const reconcileMachine = (services: MachineServices): Reconcile =>
  reconcileObject({
    kind: Machine,
    saver: services.saver,
    finalizer: Finalizer.machine,
    defaults: defaultMachine,
    cluster: namedCluster("Ready"),
    owned: withStandAloneOwner,
    forget: ({ metadata }) => void services.nodeFailures.delete(metadata.uid ?? ""),
    work: async (machine, cluster, context) => {
      const scope: MachineScope = {
        ...services,
        context,
        cluster,
        machine,
        bootstrap: unreferenced,
        infrastructure: unreferenced,
        node: { state: "not-inspected" },
        deletion: undefined,
        deletionSteps: new Map(),
        failure: undefined,
      };
      const outcome = await runSteps(
        [
          () => reconcileBootstrap(scope),
          () => reconcileInfrastructure(scope),
          () => reconcileNode(scope),
          () => reconcileCertificateExpiry(scope),
          ...(isBeingDeleted(machine) ? [() => reconcileDelete(scope)] : []),
        ],
        context.signal,
      );
      return {
        ...outcome,
        object: scope.machine,
        status: (stored) => {
          scope.machine = stored;
          return machineStatus(scope, { failed: outcome.errors.length > 0 });
        },
      };
    },
  });
