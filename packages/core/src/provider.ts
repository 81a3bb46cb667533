import { type ControllerV1, type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { ObjectSaver } from "@capstan/kit/engine";
import { Machines, machineSync } from "@capstan/kit/machines";
import { workloadClusters } from "@capstan/kit/workload";
import type { Environment, Reconcile, Request } from "@capstan/runtime";
import { annotationsChanged, anyOf, controller, generationChanged, watch, watchMapped } from "@capstan/runtime";
import {
  Cluster,
  IPAddress,
  IPAddressClaim,
  Machine,
  MachineDeployment,
  MachineDrainRule,
  MachineHealthCheck,
  MachinePool,
  MachineSet,
} from "./api.ts";
import { coreConditions } from "./api/conditions.ts";
import { DepartedMachines } from "./cluster/departed-machines.ts";
import { reconcileCluster } from "./cluster/reconcile.ts";
import { externalObjects } from "@capstan/kit/external";
import { createApplier } from "@capstan/kit/objects";
import { reconcileMachine } from "./machine/reconcile.ts";
import { reconcileMachineDeployment } from "./machine-deployment/reconcile.ts";
import { reconcileMachinePool } from "./machine-pool/reconcile.ts";
import { reconcileMachineHealthCheck } from "./machine-health-check/reconcile.ts";
import { reconcileMachineSet } from "./machine-set/reconcile.ts";
import { byCluster, declareIndexes } from "./object/indexes.ts";
import type { CoreOptions, CoreProviderOptions } from "./options.ts";
import { coreOptions, declaration, givenOptions } from "./options.ts";
import { coreAccount, corePermissions } from "./permissions.ts";
import {
  clusterFactsChanged,
  deploymentToMachines,
  deploymentToSets,
  drainRuleToMachines,
  healthChanged,
  healthCheckToOthers,
  machineToDeployments,
  makingChanged,
  machineToHealthChecks,
  machineToSets,
  infraMachineToPools,
  machineToPools,
  ofClusterRequests,
  ownerToHealthChecks,
  poolToMachines,
  setToDeployments,
  setToMachines,
  toCluster,
  desiredStateChanged,
  workloadSource,
  workloadToCluster,
  workloadToHealthChecks,
  workloadToMachines,
  workloadToPools,
} from "./sources.ts";
import { coreWebhooks } from "./webhook/core-webhooks.ts";

/** What sums up many Machines is reconciled once for all changes of a second. */
const minIntervalMs = 1000;

/** Every Machine of a Cluster waits for its infrastructure and for its control plane, so what it learns is passed on sooner. */
const clusterIntervalMs = 250;

/** However many Nodes change at once, a check looks at its Machines once in this time; the first change is seen at once. */
const healthCheckIntervalMs = 5000;

/** How much longer the intervals are for each Machine of the Cluster, so that looking at all of them never takes much of the time. */
const perMachineMs = 0.25;

const paced =
  (baseMs: number, kind?: typeof MachineSet | typeof MachineDeployment | typeof MachinePool) =>
  ({ namespace, name }: Request, { cache }: Environment): number => {
    const object =
      kind === undefined
        ? undefined
        : cache.get<MachineSet | MachineDeployment | MachinePool>(kind, { namespace, name });
    const machines = cache.byIndex(Machine, byCluster, `${namespace}/${object?.spec.clusterName ?? name}`);
    return baseMs + perMachineMs * machines.length;
  };

const setup = ({ cache }: Environment): void => declareIndexes(cache);

/** A reconcile that needs access to workload clusters, which only the running application has. */
const withWorkload =
  (make: (workload: ReturnType<typeof workloadOf>) => Reconcile): Reconcile =>
  (request, context) =>
    make(workloadOf(context))(request, context);

const workloadOf = (environment: Environment) => environment.service(workloadClusters).as(coreAccount);

const clusterController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(Cluster);
  const saver = new ObjectSaver({ kind: Cluster });
  let since = 0;
  const departed = new DepartedMachines();
  return controller({
    name: "cluster",
    permissions: corePermissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(clusterIntervalMs),
    setup: (environment) => {
      since = environment.clock.now();
      setup(environment);
    },
    sources: [
      watch(Cluster),
      watchMapped(Machine, toCluster),
      watchMapped(MachineSet, toCluster),
      watchMapped(MachineDeployment, toCluster),
      watchMapped(MachinePool, toCluster),
      workloadSource(workloadToCluster),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) => reconcileCluster({ options, externals, workload, saver, departed, since })),
  });
};

const machineController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(Machine);
  const saver = new ObjectSaver({ kind: Machine });
  let since = 0;
  const nodeFailures = new Map<string, number>();
  return controller({
    name: "machine",
    permissions: corePermissions,
    concurrency: options.machineConcurrency,
    setup: (environment) => {
      since = environment.clock.now();
      setup(environment);
    },
    sources: [
      watch(Machine),
      watchMapped(Cluster, ofClusterRequests(Machine), { when: clusterFactsChanged }),
      watchMapped(MachineDrainRule, drainRuleToMachines),
      watchMapped(MachineSet, setToMachines, { when: makingChanged }),
      watchMapped(MachineDeployment, deploymentToMachines, { when: desiredStateChanged }),
      watchMapped(MachinePool, poolToMachines, { when: generationChanged }),
      workloadSource(workloadToMachines),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) =>
      reconcileMachine({ options, externals, workload, saver, since, nodeFailures }),
    ),
  });
};

const machineSetController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(MachineSet);
  const saver = new ObjectSaver({ kind: MachineSet });
  return controller({
    name: "machine-set",
    permissions: corePermissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(minIntervalMs, MachineSet),
    setup,
    sources: [
      watch(MachineSet),
      watchMapped(Machine, machineToSets),
      watchMapped(MachineDeployment, deploymentToSets, { when: desiredStateChanged }),
      watchMapped(Cluster, ofClusterRequests(MachineSet), { when: clusterFactsChanged }),
      externals,
      saver.source,
    ],
    reconcile: reconcileMachineSet({
      saver,
      machineSaver: new ObjectSaver({ kind: Machines }),
      externals,
      sync: machineSync(),
    }),
  });
};

const machineDeploymentController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(MachineDeployment);
  const saver = new ObjectSaver({ kind: MachineDeployment });
  const setApplier = createApplier({ spec: ["template", "deletion", "machineNaming"] });
  return controller({
    name: "machine-deployment",
    permissions: corePermissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(minIntervalMs, MachineDeployment),
    setup,
    sources: [
      watch(MachineDeployment),
      watchMapped(MachineSet, setToDeployments),
      watchMapped(Machine, machineToDeployments),
      watchMapped(Cluster, ofClusterRequests(MachineDeployment), { when: clusterFactsChanged }),
      externals,
      saver.source,
    ],
    reconcile: reconcileMachineDeployment({ saver, externals, setApplier }),
  });
};

const machinePoolController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(MachinePool, undefined, infraMachineToPools);
  const saver = new ObjectSaver({ kind: MachinePool });
  const nodeFailures = new Map<string, number>();
  const sync = machineSync();
  return controller({
    name: "machine-pool",
    permissions: corePermissions,
    concurrency: options.concurrency,
    minIntervalMs: paced(minIntervalMs, MachinePool),
    setup,
    sources: [
      watch(MachinePool),
      watchMapped(Machine, machineToPools),
      watchMapped(Cluster, ofClusterRequests(MachinePool), { when: clusterFactsChanged }),
      workloadSource(workloadToPools),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) =>
      reconcileMachinePool({ options, externals, workload, saver, sync, nodeFailures }),
    ),
  });
};

const machineHealthCheckController = (options: CoreOptions): ControllerV1 => {
  const externals = externalObjects(Machine, ownerToHealthChecks);
  const saver = new ObjectSaver({ kind: MachineHealthCheck });
  const machineSaver = new ObjectSaver({ kind: Machine });
  return controller({
    name: "machine-health-check",
    permissions: corePermissions,
    concurrency: options.concurrency,
    minIntervalMs: healthCheckIntervalMs,
    setup,
    sources: [
      watch(MachineHealthCheck),
      watchMapped(MachineHealthCheck, healthCheckToOthers, { when: anyOf(generationChanged, annotationsChanged) }),
      watchMapped(Machine, machineToHealthChecks, { when: healthChanged }),
      watchMapped(Cluster, ofClusterRequests(MachineHealthCheck), { when: clusterFactsChanged }),
      workloadSource(workloadToHealthChecks),
      externals,
      saver.source,
    ],
    reconcile: withWorkload((workload) => reconcileMachineHealthCheck({ saver, machineSaver, externals, workload })),
  });
};

const kinds = [
  Cluster,
  Machine,
  MachineSet,
  MachineDeployment,
  MachineHealthCheck,
  MachineDrainRule,
  MachinePool,
  IPAddressClaim,
  IPAddress,
];

/**
 * The controllers of Cluster, Machine, MachineSet, MachineDeployment, MachinePool and MachineHealthCheck. The application plugs in access
 * to workload clusters with `installWorkloadClusters` of the kit. IPAddressClaim and IPAddress are kinds without a controller here:
 * providers of addresses have theirs.
 */
export const createCoreProvider = (given: CoreProviderOptions = {}): ProviderV1 => {
  const options = coreOptions(given);
  return defineProvider({
    name: "core",
    kinds,
    conditions: coreConditions,
    webhooks: coreWebhooks(kinds),
    register: (host) => {
      host.add(clusterController(options));
      host.add(machineController(options));
      host.add(machineSetController(options));
      host.add(machineDeploymentController(options));
      host.add(machinePoolController(options));
      host.add(machineHealthCheckController(options));
    },
  });
};

/** The provider as the command loads it. */
export const createProvider = withOptions(declaration, (_outside, options) =>
  createCoreProvider(givenOptions(options)),
) satisfies CreateProviderV1;
